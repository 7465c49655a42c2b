// Requests: which are outstanding, who made them, and answers kept to be given again.

let outstanding = 0;
let wake = null; // called when something that was waited for has happened
let wroteCount = 0;

function begin() {
  outstanding += 1;
  activity += 1;
}

function end() {
  outstanding -= 1;
  activity += 1;
  wake?.();
}

/** Count a promise as outstanding until it is settled. */
function counted(promise) {
  begin();
  promise.then(end, end);
  return promise;
}

const MAX_KEPT_CHARACTERS = 2_000_000;
const answers = new Map(); // kept in this document, by key
const asked = new Map(); // questions to the host
let lastQuestion = 0;
let step = null; // what is under way: its calls and changes

function isWrite(method) {
  return !["GET", "HEAD", "OPTIONS"].includes(method);
}

function mayKeep(method) {
  if (SETTINGS.cache === "all") return true;
  return SETTINGS.cache === "safe" && (method === "GET" || method === "HEAD");
}

/** The name of a request, or null when what it sends can't be compared. */
function requestKey(method, url, headers, body) {
  if (body !== null && body !== undefined && typeof body !== "string") {
    if (!(body instanceof URLSearchParams)) return null;
    body = String(body);
  }
  const sent = [...headers].map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort();
  return [method, url, ...sent, body ?? ""].join("\n");
}

function noteWrite() {
  wroteCount += 1;
  if (SETTINGS.cache !== "all") answers.clear();
  report({ wrote: true });
}

/** Note who makes a request, from the stack. */
function noteCall(method, url, key, calling) {
  step?.calls.push([method, url, hash(key ?? `${method}\n${url}`), callers(), calling]);
}

function callers() {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = undefined;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  Error.prepareStackTrace = prepareStackTrace;
  const found = [];
  for (const line of stack.split("\n").slice(1)) {
    if (line.includes(AGENT_URL)) continue;
    const match = /^\s*at (?:async )?(?:(.*?) \()?(.*?)(?::\d+:\d+)?\)?$/.exec(line);
    if (!match) continue;
    const file = match[2].replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "");
    const place = /:(\d+:\d+)\)?$/.exec(line);
    found.push(match[1] ? `${match[1]} ${file}` : `(anonymous) ${file}:${place?.[1] ?? ""}`);
  }
  return found;
}

/** The kept answer to a request: from here, else from the host, which has other tabs' too. */
function keptAnswer(key) {
  const known = answers.get(key);
  if (known) return Promise.resolve(known);
  const question = ++lastQuestion;
  return new Promise((resolve) => {
    asked.set(question, resolve);
    report({ question, key });
  });
}

function receiveAnswer(question, key, answer) {
  if (answer) answers.set(key, answer);
  asked.get(question)?.(answer);
  asked.delete(question);
}

function keep(key, answer, wroteBefore) {
  if ((wroteBefore !== wroteCount && SETTINGS.cache !== "all") || answer.body.length > MAX_KEPT_CHARACTERS) return;
  answers.set(key, answer);
  report({ kept: key, answer });
}

function isText(type) {
  return /^(text\/|application\/(json|xml|javascript|.*\+(json|xml)))/i.test(type ?? "");
}

function toBase64(buffer) {
  let text = "";
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function bytesOf(answer) {
  return answer.binary ? fromBase64(answer.body) : new TextEncoder().encode(answer.body);
}

function patchFetch(win) {
  const RealRequest = win.Request;
  const RealResponse = win.Response;
  const cloneResponse = RealResponse.prototype.clone;
  const readText = RealResponse.prototype.text;
  const readBuffer = RealResponse.prototype.arrayBuffer;

  async function keepResponse(key, response, wroteBefore) {
    const type = response.headers.get("content-type");
    if (/event-stream/i.test(type ?? "") || !["basic", "cors", "default"].includes(response.type)) return;
    if (Number(response.headers.get("content-length") ?? 0) > MAX_KEPT_CHARACTERS) return;
    const copy = cloneResponse.call(response);
    const binary = !isText(type);
    const body = binary ? toBase64(await readBuffer.call(copy)) : await readText.call(copy);
    keep(key, {
      status: response.status, statusText: response.statusText,
      headers: [...response.headers], url: response.url, binary, body,
    }, wroteBefore);
  }

  function toResponse(answer) {
    const empty = [101, 204, 205, 304].includes(answer.status);
    const response = new RealResponse(empty ? null : bytesOf(answer), answer);
    Object.defineProperty(response, "url", { value: answer.url, configurable: true });
    return response;
  }

  replace(win, "fetch", (original) => ({
    fetch(input, init) {
      let request;
      try {
        request = new RealRequest(input, init);
      } catch (error) {
        return original.call(win, input, init);
      }
      const { method, url } = request;
      const body = init?.body ?? (input instanceof RealRequest && input.body ? {} : null);
      const headers = new win.Headers(init?.headers ?? (input instanceof RealRequest ? input.headers : undefined));
      const key = mayKeep(method) && url.startsWith("http") ? requestKey(method, url, headers, body) : null;
      if (isWrite(method)) noteWrite();
      const calling = { isCached: false };
      noteCall(method, url, key, calling);
      return counted((async () => {
        const kept = key && (await keptAnswer(key));
        if (kept) {
          calling.isCached = true;
          return toResponse(kept);
        }
        const wroteBefore = wroteCount;
        const response = await original.call(win, input, init);
        if (key) counted(keepResponse(key, response, wroteBefore));
        return response;
      })());
    },
  }).fetch);
  for (const name of ["json", "text", "arrayBuffer", "blob", "formData", "bytes"]) {
    replace(RealResponse.prototype, name, (original) => ({
      [name]() {
        return counted(original.call(this));
      },
    })[name]);
  }
}

function patchXhr(win) {
  const prototype = win.XMLHttpRequest.prototype;
  const sent = new WeakMap(); // request -> what is known of it
  const listen = win.EventTarget.prototype.addEventListener;
  const dispatch = win.EventTarget.prototype.dispatchEvent;
  const getter = (name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const original = {
    responseType: getter("responseType"), response: getter("response"),
    status: getter("status"), statusText: getter("statusText"), responseURL: getter("responseURL"),
    headers: prototype.getAllResponseHeaders, send: prototype.send,
  };

  function parsed(xhr, answer) {
    switch (original.responseType.call(xhr)) {
      case "json":
        try { return JSON.parse(answer.body); } catch { return null; }
      case "arraybuffer": return bytesOf(answer).buffer;
      case "blob": return new win.Blob([bytesOf(answer)]);
      case "document": return new win.DOMParser().parseFromString(answer.body, "text/html");
      default: return answer.binary ? new TextDecoder().decode(bytesOf(answer)) : answer.body;
    }
  }

  function give(xhr, about, answer) {
    const tell = (kind, event) => dispatch.call(xhr, new event(kind));
    about.answer = answer;
    tell("loadstart", win.ProgressEvent);
    for (const state of [2, 3, 4]) {
      about.readyState = state;
      if (state === 4) about.response = parsed(xhr, answer);
      tell("readystatechange", win.Event);
      if (about.aborted) return;
    }
    tell("load", win.ProgressEvent);
    tell("loadend", win.ProgressEvent);
  }

  function keepXhr(xhr, about) {
    const status = original.status.call(xhr);
    if (!status || about.aborted) return;
    const type = original.responseType.call(xhr);
    const value = original.response.call(xhr);
    let body, binary = false;
    if (type === "" || type === "text") body = value;
    else if (type === "json") body = realm.stringify(value);
    else if (type === "arraybuffer" && value) { body = toBase64(value); binary = true; }
    else return;
    const headers = original.headers.call(xhr).trim().split(/[\r\n]+/).filter(Boolean)
      .map((line) => { const at = line.indexOf(":"); return [line.slice(0, at), line.slice(at + 1).trim()]; });
    keep(about.key, {
      status, statusText: original.statusText.call(xhr), headers,
      url: original.responseURL.call(xhr), binary, body,
    }, about.wroteBefore);
  }

  replace(prototype, "open", (open) => ({
    open(method, url, isAsync = true, ...rest) {
      sent.set(this, {
        method: String(method).toUpperCase(), isAsync,
        url: new URL(url, win.document.baseURI).href, headers: [],
      });
      return open.call(this, method, url, isAsync, ...rest);
    },
  }).open);
  replace(prototype, "setRequestHeader", (set) => ({
    setRequestHeader(name, value) {
      sent.get(this)?.headers.push([name, value]);
      return set.call(this, name, value);
    },
  }).setRequestHeader);
  replace(prototype, "abort", (abort) => ({
    abort() {
      const about = sent.get(this);
      if (about) about.aborted = true;
      return abort.call(this);
    },
  }).abort);
  replace(prototype, "send", (send) => ({
    send(body) {
      const about = sent.get(this);
      if (!about) return send.call(this, body);
      const { method, url, headers } = about;
      about.key = mayKeep(method) && url.startsWith("http") ? requestKey(method, url, headers, body) : null;
      about.wroteBefore = wroteCount;
      if (isWrite(method)) noteWrite();
      const calling = { isCached: false };
      noteCall(method, url, about.key, calling);
      if (!about.isAsync) {
        const kept = about.key && answers.get(about.key);
        if (kept) {
          calling.isCached = true;
          Object.assign(about, { answer: kept, readyState: 4, response: parsed(this, kept) });
          return undefined;
        }
        send.call(this, body);
        if (about.key) keepXhr(this, about);
        return undefined;
      }
      const really = () => {
        begin();
        listen.call(this, "loadend", () => {
          if (about.key) keepXhr(this, about);
          end();
        }, { once: true });
        try {
          send.call(this, body);
        } catch (error) {
          end();
          throw error;
        }
      };
      if (!about.key) return really();
      counted(keptAnswer(about.key).then((kept) => {
        if (about.aborted) return;
        if (!kept) return void really();
        calling.isCached = true;
        give(this, about, kept);
      }));
      return undefined;
    },
  }).send);
  const fromAnswer = (name, read) => replaceAccessor(prototype, name, "get", (get) => function () {
    const about = sent.get(this);
    return about?.answer ? read(about) : get.call(this);
  });
  fromAnswer("readyState", (about) => about.readyState ?? 1);
  fromAnswer("status", (about) => about.answer.status);
  fromAnswer("statusText", (about) => about.answer.statusText);
  fromAnswer("responseURL", (about) => about.answer.url);
  fromAnswer("response", (about) => about.response ?? "");
  fromAnswer("responseText", (about) => about.response ?? "");
  fromAnswer("responseXML", (about) => about.response instanceof win.Document ? about.response
    : new win.DOMParser().parseFromString(about.answer.body, "text/xml"));
  replace(prototype, "getAllResponseHeaders", (get) => ({
    getAllResponseHeaders() {
      const answer = sent.get(this)?.answer;
      if (!answer) return get.call(this);
      return answer.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    },
  }).getAllResponseHeaders);
  replace(prototype, "getResponseHeader", (get) => ({
    getResponseHeader(wanted) {
      const answer = sent.get(this)?.answer;
      if (!answer) return get.call(this, wanted);
      const found = answer.headers.filter(([name]) => name.toLowerCase() === String(wanted).toLowerCase());
      return found.length ? found.map(([, value]) => value).join(", ") : null;
    },
  }).getResponseHeader);
}

/** Count elements that load something as outstanding, from when they are put in. */
function watchLoads(win) {
  const waiting = new WeakSet();
  const done = (event) => {
    if (!waiting.delete(event.target)) return;
    end();
  };
  for (const kind of ["load", "error"]) realm.listen.call(win.document, kind, done, true);
  return (node) => {
    if (node.nodeType !== 1) return;
    const found = node.matches(LOADING) ? [node] : [];
    if (node.firstElementChild) found.push(...node.querySelectorAll(LOADING));
    for (const element of found) {
      if (waiting.has(element) || win.document.readyState !== "complete") continue;
      if (element.localName === "script" && element.type && !/javascript|module/i.test(element.type)) continue;
      waiting.add(element);
      begin();
      realm.setTimeout(() => waiting.delete(element) && end(), SETTINGS.loadMs);
    }
  };
}

const LOADING = "script[src], link[rel~=stylesheet][href]";
