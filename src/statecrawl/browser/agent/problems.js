// What goes wrong in the page: errors nobody caught, complaints, requests that fail.

const PROBLEMS_TOLD = 20;
const PROBLEM_CHARACTERS = 300;
const problems = new Map(); // since they were last told: kind and text -> [kind, text, where]

function noteProblem(kind, text, where = "") {
  const short = String(text).replace(/\s+/g, " ").trim().slice(0, PROBLEM_CHARACTERS);
  const name = `${kind}\n${short}`;
  if (problems.size < PROBLEMS_TOLD && !problems.has(name)) {
    problems.set(name, [kind, short, String(where).slice(0, PROBLEM_CHARACTERS)]);
  }
}

function takeProblems() {
  if (!problems.size) return [];
  const told = [...problems.values()];
  problems.clear();
  return told;
}

/** The frames of an error's stack, ours left out; null when it has no stack. */
function framesOf(error) {
  try {
    const { stack } = error;
    if (typeof stack !== "string") return null;
    const frames = stack.slice(0, 5000).split("\n").filter((line) => /^\s*at /.test(line));
    return frames.filter((line) => !line.includes(AGENT_URL));
  } catch {
    return null;
  }
}

/** A place in the code, without the origin. */
function placeOf(file, line) {
  return file ? `${file.replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "")}:${line}` : "";
}

function placeOfFrame(frame) {
  const match = /\(?([^\s(]+):(\d+):\d+\)?$/.exec(frame ?? "");
  return match ? placeOf(match[1], match[2]) : "";
}

/** What somebody threw or complained of, in a few words. */
function inWords(value) {
  try {
    if (value instanceof Object && "message" in value) return `${value.name}: ${value.message}`;
    return typeof value === "object" && value ? Object.prototype.toString.call(value) : String(value);
  } catch {
    return "something that can't be put into words";
  }
}

/** What console.error would write. */
function complaint([first, ...rest]) {
  if (typeof first !== "string") return [first, ...rest].map(inWords).join(" ");
  const text = first.replace(/%([sdifoOc%])/g, (whole, how) => {
    if (how === "%") return "%";
    if (!rest.length) return whole;
    const value = rest.shift();
    return how === "c" ? "" : inWords(value);
  });
  return [text, ...rest.map(inWords)].join(" ");
}

function noteAnswer(method, url, status) {
  if (status >= 400) noteProblem("http", `${method} ${url} answers ${status}`);
}

function noteFailure(method, url, error) {
  if (error?.name !== "AbortError") noteProblem("request", `${method} ${url} fails`);
}

/** An element could not load what it shows or runs. */
function noteBroken(element) {
  const isImage = ["img", "image", "input"].includes(element.localName);
  const url = element.currentSrc || element.src || element.href?.baseVal || element.href || element.data;
  if (url) noteProblem(isImage ? "image" : "request", `${element.localName} ${url} can't be loaded`);
}

function watchProblems(win) {
  realm.listen.call(win, "error", (event) => {
    if (event.target !== win) return; // an element's
    const frames = framesOf(event.error);
    if (frames && !frames.length && event.filename.includes(AGENT_URL)) return; // our own
    const isOurs = event.filename.includes(AGENT_URL); // told by us for somebody else
    noteProblem("exception", event.message, isOurs ? placeOfFrame(frames?.[0]) : placeOf(event.filename, event.lineno));
  }, true);
  realm.listen.call(win, "unhandledrejection", ({ reason }) => {
    noteProblem("rejection", inWords(reason), placeOfFrame(framesOf(reason)?.[0]));
  }, true);
  replace(win.console, "error", (original) => ({
    error(...args) {
      noteProblem("console", complaint(args), placeOfFrame(framesOf(new Error())?.[0]));
      return original.apply(this, args);
    },
  }).error);
}
