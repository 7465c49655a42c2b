// Knowing when a page has settled: nothing outstanding, nothing due, nothing moving.

let activity = 0;
let leaving = false; // the document is about to be replaced
let isLoaded = document.readyState === "complete";
let needsFrames = false; // somebody observes layout, which needs a rendered frame
let unsettled = false;

const turns = [];
realm.turnChannel.port1.onmessage = () => turns.shift()?.();

/** Let microtasks and one task run. */
function turn() {
  return new Promise((resolve) => {
    turns.push(resolve);
    realm.post.call(realm.turnChannel.port2, 0);
  });
}

/** Wait until something outstanding has ended, or until a real time. */
function progress(deadline) {
  return new Promise((resolve) => {
    const timer = realm.setTimeout(done, Math.max(0, deadline - realm.now()));
    function done() {
      realm.clearTimeout(timer);
      wake = null;
      resolve();
    }
    wake = done;
  });
}

const DRAWN_MS = 1000; // so long a frame is waited for

/** Wait for a frame to be drawn; a page that is not drawn asks for it first. */
function frame() {
  if (isHidden()) report({ frames: true });
  return new Promise((resolve) => {
    const timer = realm.setTimeout(resolve, DRAWN_MS);
    realm.requestAnimationFrame(() => {
      realm.clearTimeout(timer);
      resolve();
    });
  });
}

const Weak = WeakRef;
const scopes = []; // documents and shadow roots: each knows only of what moves in itself
let stylesChanged = true; // since it was last looked whether anything moves by style
let mayAnimate = false;
let isAnimated = false; // by a script

function noteStyles({ addedNodes, removedNodes, target }) {
  if (target.localName === "style") stylesChanged = true;
  for (const node of [...addedNodes, ...removedNodes]) {
    if (node.localName === "style" || node.localName === "link") stylesChanged = true;
  }
}

/** Every rule of the page's style sheets that can be read, and null for a sheet that can't. */
function* styleRules() {
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    try {
      yield* sheet.cssRules;
    } catch {
      yield null; // it is from elsewhere
    }
  }
}

/** Tell whether any style sheet speaks of transitions or animations: asking for them costs a style pass. */
function hasMovingStyles() {
  for (const rule of styleRules()) if (!rule || /transition|animation/.test(rule.cssText)) return true;
  return document.querySelector("[style*=transition], [style*=animation]") !== null;
}

let shownBy = ""; // the selectors of what style sheets show when the pointer is over something

/** A selector for what is shown as soon as the pointer is over something, or nothing. */
function shownOnHover() {
  lookAtStyles();
  return shownBy;
}

function findShownOnHover() {
  const found = [];
  for (const rule of styleRules()) {
    const { selectorText, style } = rule ?? {};
    if (!selectorText?.includes(":hover")) continue;
    if ((style.display || "none") === "none" && style.visibility !== "visible") continue;
    for (const selector of selectorText.split(",")) {
      if (!/:hover[^\s>+~]*[\s>+~]/.test(selector)) continue; // what is hidden can't be hovered itself
      const always = selector.replaceAll(":hover", ":nth-child(n)"); // which every element is
      if (CSS.supports(`selector(${always})`)) found.push(always);
    }
  }
  return found.join(",");
}

function lookAtStyles() {
  if (!stylesChanged) return;
  stylesChanged = false;
  mayAnimate = scopes.length > 1 || hasMovingStyles();
  shownBy = findShownOnHover();
}

function watchAnimations(win) {
  replace(win.Element.prototype, "animate", (original) => ({
    animate(...args) {
      isAnimated = true;
      return original.apply(this, args);
    },
  }).animate);
}

/** Look for what moves in a document or a shadow root, too, as long as there is one. */
function enterScope(root) {
  scopes.push(new Weak(root));
  stylesChanged = true;
}

function* animations() {
  const roots = scopes.splice(0).filter((scope) => scope.deref());
  scopes.push(...roots);
  for (const scope of roots) yield* scope.deref().getAnimations();
}

/** Bring transitions and animations to their end; tell whether there were any. */
function finishAnimations() {
  let any = false;
  lookAtStyles();
  if (!mayAnimate && !isAnimated) return false;
  for (const animation of animations()) {
    const end = animation.effect?.getComputedTiming().endTime;
    if (animation.playState !== "running" || !Number.isFinite(Number(end))) continue;
    try {
      animation.finish();
      any = true;
    } catch {
      animation.cancel();
    }
  }
  return any;
}

const SCROLL_FRAMES = 20; // so often a page may scroll for having heard of scrolling

async function settle(limitMs = SETTINGS.settleMs) {
  let deadline = realm.now() + limitMs;
  clock.begin();
  let quiet = 0;
  let framed = !needsFrames;
  let scrolls = SCROLL_FRAMES;
  unsettled = false;
  while (quiet < 2 && !leaving) {
    const before = activity;
    await turn();
    if (!isLoaded) deadline = realm.now() + limitMs; // loading has a bound of its own
    if (realm.now() > deadline) {
      unsettled = true;
      dropHeldRequests();
      return;
    }
    if (clock.runNext(clock.now)) quiet = 0;
    else if (outstanding > 0 || !isLoaded) {
      await progress(deadline);
      quiet = 0;
    } else if (activity !== before) quiet = 0;
    else if (!framed) {
      await frame();
      framed = true;
      quiet = 0;
    } else if (clock.runNext(Infinity)) quiet = 0;
    else if (quiet === 1 && scrolls > 0 && isScrollOwed()) {
      scrolls -= 1;
      await frame();
      quiet = 0;
    } else if (quiet === 1 && finishAnimations()) {
      await frame();
      quiet = 0;
    } else quiet += 1;
  }
}

const intercepted = new WeakSet();
let isSilenced = false;

/** From now on the document may not act on being left: everything is being cleaned for the next. */
function silence() {
  isSilenced = true;
}

function watchUnloading(win) {
  for (const kind of ["beforeunload", "pagehide", "unload"]) {
    realm.listen.call(win, kind, (event) => isSilenced && event.stopImmediatePropagation(), true);
  }
}

let isHidden = () => false;

/** The window may not be drawn, but for the application it is in front of its user's eyes. */
function patchVisibility(win) {
  const { prototype } = win.Document;
  const hidden = Object.getOwnPropertyDescriptor(prototype, "hidden").get;
  if (win === window) isHidden = () => hidden.call(document);
  replaceAccessor(prototype, "hidden", "get", () => () => false);
  replaceAccessor(prototype, "visibilityState", "get", () => () => "visible");
  if (win === window) hasFocus = prototype.hasFocus.bind(document);
  replace(prototype, "hasFocus", () => ({ hasFocus: () => true }).hasFocus);
  realm.listen.call(win, "visibilitychange", (event) => event.stopImmediatePropagation(), true);
  hideWindowFocus(win);
}

let hasFocus = () => true; // the page, whichever of its frames

/** A window that is shown for a picture loses focus and gets it back, and with it the element that has it: nobody hears that. */
function hideWindowFocus(win) {
  const waiting = new WeakSet(); // what gets focus back with the page
  for (const type of ["blur", "focusout", "focus", "focusin"]) {
    realm.listen.call(win, type, (event) => {
      if (!event.isTrusted) return;
      if (/^blur|out$/.test(type)) {
        if (hasFocus()) waiting.delete(event.target);
        else waiting.add(event.target);
      }
      if (waiting.has(event.target)) event.stopImmediatePropagation();
    }, true);
  }
}

function watchLoading(win) {
  replace(win.NavigateEvent?.prototype, "intercept", (original) => ({
    intercept(options) {
      intercepted.add(this);
      return original.call(this, options);
    },
  }).intercept);
  realm.listen.call(win, "load", () => {
    activity += 1;
    stopped();
  });
  // Once its scripts have run, a document is believed in when no more of its parts arrive. One
  // that does not even come so far is cut off by the host.
  let believing = 0;
  const believeSoon = () => {
    realm.clearTimeout(believing);
    if (!isLoaded) believing = realm.setTimeout(stopped, SETTINGS.loadMs);
  };
  realm.listen.call(win.document, "DOMContentLoaded", () => {
    noteRefresh();
    believeSoon();
    for (const kind of ["load", "error"]) realm.listen.call(win.document, kind, believeSoon, true);
  });
  win.navigation?.addEventListener("navigate", (event) => {
    activity += 1;
    if (event.destination.sameDocument || event.hashChange || event.downloadRequest !== null) return;
    if (event.formData) noteWrite();
    // Whoever is asked after us may still prevent it, or do it without a new document.
    queueMicrotask(() => {
      if (event.defaultPrevented || intercepted.has(event)) return;
      leaving = true;
      leave();
      wake?.();
    });
  });
  realm.listen.call(win, "pagehide", () => {
    leaving = true;
    leave();
  });
  win.navigation?.addEventListener("navigateerror", () => {
    leaving = false;
    report({ stayed: true });
  });
}

/** The document is loaded, or as much of it as there will be. */
function stopped() {
  isLoaded = true;
  wake?.();
}

function watchTasks(win) {
  const ours = new Set([realm.turnChannel.port1, realm.turnChannel.port2]);
  replace(win.MessagePort.prototype, "postMessage", (original) => ({
    postMessage(...args) {
      if (!ours.has(this)) activity += 1;
      return original.apply(this, args);
    },
  }).postMessage);
}
