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

const HELD_MS = 1000; // so long an answer is waited for that a server holds back until there is news
const MAX_IN_A_ROW = 100; // so often a step may ask for one thing, one time after the other
const held = new Map(SETTINGS.held); // what is held back, or asked for without end, and how long it is waited for
const requests = new Set(); // those outstanding
const inARow = new Map(); // how often this step asked for what

/** Count a request as outstanding; what is returned has to be called when it is answered. */
function requested(method, url) {
  if (isEndless(method, url)) return () => {};
  const name = requestName(method, url);
  const atOnce = [...requests].filter((each) => each.name === name).length;
  if (atOnce < 2) { // the one before may be telling of its answer
    const times = (inARow.get(name) ?? 0) + 1;
    inARow.set(name, times);
    if (times > MAX_IN_A_ROW) {
      hold(name, 0);
      return () => {};
    }
  }
  const request = { name, since: realm.now() };
  const done = () => requests.delete(request) && end();
  begin();
  requests.add(request);
  if (held.has(name)) realm.setTimeout(done, held.get(name));
  return done;
}

function requestName(method, url) {
  return `${method} ${url.replace(/[?#].*$/, "")}`;
}

/** Tell whether something is asked for again and again: nobody waits for it, and no answer is kept. */
function isEndless(method, url) {
  return held.get(requestName(method, url)) === 0;
}

function hold(name, waitMs) {
  held.set(name, waitMs);
  report({ held: [name, waitMs] });
}

/** Wait no more for what was not answered in all this time, nor as long again for its like. */
function dropHeldRequests() {
  for (const request of requests) {
    if (realm.now() - request.since < LONGEST_WAIT_MS) continue;
    hold(request.name, HELD_MS);
    requests.delete(request);
    end();
  }
}

const MAX_KEPT_CHARACTERS = 2_000_000;
const MAX_CHARACTERS_HERE = 4_000_000;
const answers = new Map(); // kept in this document, by key; the host keeps more
let charactersHere = 0;
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
  if (SETTINGS.cache !== "all") forgetAnswers();
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
  if (answer) keepHere(key, answer);
  asked.get(question)?.(answer);
  asked.delete(question);
}

/** Tell whether an answer says something of what was asked for, and not of who asked or when. */
function isLasting(status) {
  return status < 400 || status === 404 || status === 410;
}

/** Keep an answer so that the host need not be asked; a document that lives long may get any number. */
function keepHere(key, answer) {
  if (charactersHere + answer.body.length > MAX_CHARACTERS_HERE) forgetAnswers();
  charactersHere += answer.body.length;
  answers.set(key, answer);
}

function forgetAnswers() {
  answers.clear();
  charactersHere = 0;
}

function keep(key, answer, wroteBefore) {
  if (!isLasting(answer.status)) return;
  if ((wroteBefore !== wroteCount && SETTINGS.cache !== "all") || answer.body.length > MAX_KEPT_CHARACTERS) return;
  keepHere(key, answer);
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

const answeredAt = SETTINGS.clock === null ? null : new Date(SETTINGS.clock).toUTCString();

/** The value of an answer's header: the server's clock shows the time that the page's began with. */
function headerValue(name, value) {
  return answeredAt && value && /^date$/i.test(name) ? answeredAt : value;
}

const loading = new Set(); // the elements that something is outstanding for, of all documents

/** Count elements that load something as outstanding, from when they are put in. */
function watchLoads(win) {
  const done = (event) => {
    const wasWaitedFor = loading.has(event.target);
    if (event.type === "error" && (wasWaitedFor || win.document.readyState !== "complete")) noteBroken(event.target);
    loaded(event.target);
  };
  const listen = (target) => ["load", "error"].forEach((kind) => realm.listen.call(target, kind, done, true));
  listen(win.document);
  return (node) => {
    if (node.nodeType !== 1) return;
    const wanted = step?.changes ? LOADING_AND_SHOWN : LOADING;
    const found = node.matches(wanted) ? [node] : [];
    if (node.firstElementChild) found.push(...node.querySelectorAll(wanted));
    for (const element of found) {
      if (loading.has(element) || (element.localName === "img" && element.complete)) continue;
      if (win.document.readyState !== "complete" || willNeverLoad(element)) continue;
      if (element.localName === "script" && element.type && !/javascript|module/i.test(element.type)) continue;
      if (element.localName === "iframe" && !isOnItsWay(element)) continue;
      loading.add(element);
      listen(element); // it may be taken out before it is there
      begin();
      realm.setTimeout(() => loaded(element), SETTINGS.loadMs);
    }
  };
}

function loaded(element) {
  if (loading.delete(element)) end();
}

/** Tell whether an element was taken out, or its document has gone, so that nobody will say that it is there. */
function willNeverLoad(element) {
  const isOut = !element.isConnected && ["link", "iframe"].includes(element.localName);
  return isOut || !element.ownerDocument.defaultView;
}

function dropGoneLoads() {
  for (const element of loading) if (willNeverLoad(element)) loaded(element);
}

const LOADING = "script[src], link[rel~=stylesheet][href], iframe[src], iframe[srcdoc]";
const LOADING_AND_SHOWN = `${LOADING}, img[src]:not([loading=lazy])`; // pictures only when a step is explored

/** Tell whether the document of a frame is still to come, or loading. */
function isOnItsWay(frame) {
  const inner = documentOf(frame);
  if (!inner) return false; // it is from elsewhere, and there
  if (inner.readyState !== "complete") return true;
  return inner.URL === "about:blank" && (frame.hasAttribute("srcdoc") || hasSource(frame));
}

/** Tell whether a frame has the URL of a document: there are programs behind others, and nothing comes. */
function hasSource(frame) {
  return !/^\s*(#|$)/.test(frame.getAttribute("src") ?? "") && /^(https?|blob|data|filesystem):/i.test(frame.src);
}
