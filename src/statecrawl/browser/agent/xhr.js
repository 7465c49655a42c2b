// XMLHttpRequest, counted and answered from what was kept.

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
    noteAnswer(about.method, about.url, answer.status);
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

  function noteEnd(xhr, { method, url, aborted }) {
    const status = original.status.call(xhr);
    if (!status && !aborted) noteFailure(method, url);
    else noteAnswer(method, url, status);
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
      const done = about.isAsync ? requested(method, url) : null;
      if (done && isEndless(method, url)) return send.call(this, body);
      noteCall(method, url, about.key, calling);
      if (!about.isAsync) {
        const kept = about.key && answers.get(about.key);
        if (kept) {
          calling.isCached = true;
          Object.assign(about, { answer: kept, readyState: 4, response: parsed(this, kept) });
          return undefined;
        }
        try {
          send.call(this, body);
        } finally {
          noteEnd(this, about);
        }
        if (about.key) keepXhr(this, about);
        return undefined;
      }
      const really = () => {
        listen.call(this, "loadend", () => {
          noteEnd(this, about);
          if (about.key) keepXhr(this, about);
          done();
        }, { once: true });
        try {
          send.call(this, body);
        } catch (error) {
          done();
          throw error;
        }
      };
      if (!about.key) return really();
      keptAnswer(about.key).then((kept) => {
        if (about.aborted) return done();
        if (!kept) return really();
        calling.isCached = true;
        give(this, about, kept);
        return done();
      }).then(null, done);
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
      if (!answer) return get.call(this)?.replace(/^date: (.*)$/im, (_, value) => `date: ${headerValue("date", value)}`);
      return answer.headers.map(([name, value]) => `${name}: ${headerValue(name, value)}\r\n`).join("");
    },
  }).getAllResponseHeaders);
  replace(prototype, "getResponseHeader", (get) => ({
    getResponseHeader(wanted) {
      const answer = sent.get(this)?.answer;
      if (!answer) return headerValue(wanted, get.call(this, wanted));
      const found = answer.headers.filter(([name]) => name.toLowerCase() === String(wanted).toLowerCase());
      return found.length ? headerValue(wanted, found.map(([, value]) => value).join(", ")) : null;
    },
  }).getResponseHeader);
}
