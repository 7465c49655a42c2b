// Who listens for what: recorded as it is attached, because afterwards nobody can tell.

const KIND_OF = {
  click: "click", mousedown: "click", mouseup: "click", pointerdown: "click", pointerup: "click",
  touchstart: "click", touchend: "click",
  dblclick: "dblclick", contextmenu: "contextmenu",
  mouseover: "hover", mouseenter: "hover", pointerover: "hover", pointerenter: "hover", mousemove: "hover",
  keydown: "key", keyup: "key", keypress: "key",
  input: "input", beforeinput: "input", change: "change", submit: "submit", scroll: "scroll",
};

const listening = new WeakMap(); // target -> Map of kind -> Set of listeners

let focusMatters = false; // somebody listens for focus

function noteListener(target, type, listener) {
  if (/^(focus|blur)/.test(type)) focusMatters = true;
  const kind = KIND_OF[type];
  if (!kind || !listener) return;
  let kinds = listening.get(target);
  if (!kinds) listening.set(target, (kinds = new Map()));
  let listeners = kinds.get(kind);
  if (!listeners) kinds.set(kind, (listeners = new Map()));
  const types = listeners.get(listener) ?? new Set();
  listeners.set(listener, types.add(type));
}

function forgetListener(target, type, listener) {
  const kinds = listening.get(target);
  const types = kinds?.get(KIND_OF[type])?.get(listener);
  if (!types?.delete(type) || types.size) return;
  const listeners = kinds.get(KIND_OF[type]);
  listeners.delete(listener);
  if (!listeners.size) kinds.delete(KIND_OF[type]);
}

function patchListeners(win) {
  const prototype = win.EventTarget.prototype;
  replace(prototype, "addEventListener", (original) => ({
    addEventListener(type, listener, options) {
      noteListener(this ?? win, type, listener);
      return original.call(this ?? win, type, listener, options);
    },
  }).addEventListener);
  replace(prototype, "removeEventListener", (original) => ({
    removeEventListener(type, listener, options) {
      forgetListener(this ?? win, type, listener);
      return original.call(this ?? win, type, listener, options);
    },
  }).removeEventListener);
  const set = new WeakMap(); // target -> Map of type -> handler, for el.onclick = ...
  const owners = [win.HTMLElement.prototype, win.SVGElement.prototype, win.Document.prototype, win];
  for (const type of Object.keys(KIND_OF)) {
    for (const owner of owners) {
      replaceAccessor(owner, `on${type}`, "set", (original) => function (handler) {
        const target = this ?? win;
        const handlers = set.get(target) ?? new Map();
        set.set(target, handlers);
        forgetListener(target, type, handlers.get(type));
        handlers.set(type, handler);
        if (typeof handler === "function") noteListener(target, type, handler);
        return original.call(target, handler);
      });
    }
  }
}

/** The kinds that an element's own attributes listen for, as a React root or an on-attribute does. */
function declaredKinds(element) {
  const kinds = new Set();
  for (const { name } of element.attributes) {
    if (name.startsWith("on")) {
      const kind = KIND_OF[name.slice(2)];
      if (kind) kinds.add(kind);
    } else if (/^(@|v-on:|x-on:|hx-(get|post|put|delete|patch)$|data-action$)/.test(name)) {
      if (name.startsWith("hx-") || name === "data-action") kinds.add("click");
      else kinds.add(KIND_OF[name.replace(/^(@|v-on:|x-on:)/, "").split(".")[0]]);
    }
  }
  kinds.delete(undefined);
  return kinds;
}

const REACT_PROPS = {
  onClick: "click", onMouseDown: "click", onMouseUp: "click", onPointerDown: "click",
  onPointerUp: "click", onDoubleClick: "dblclick", onContextMenu: "contextmenu",
  onMouseEnter: "hover", onMouseOver: "hover", onPointerEnter: "hover",
  onKeyDown: "key", onKeyUp: "key", onKeyPress: "key",
  onInput: "input", onChange: "change", onSubmit: "submit", onScroll: "scroll",
};

const reactKeys = new Set(); // where each React on the page keeps the properties of an element

/** React listens at its root; what an element listens for is in its properties. */
function reactKinds(element) {
  const key = reactKeys.values().find((each) => element[each]);
  if (!key) return null;
  const props = element[key]._currentElement?.props ?? element[key]; // the first: before version 16
  const kinds = new Map();
  for (const name in REACT_PROPS) {
    if (typeof props[name] === "function") kinds.set(REACT_PROPS[name], new Map([[props[name], null]]));
  }
  return kinds;
}

const reactRoots = new WeakSet();

/** Tell whether a target is where React listens; learn where it keeps its properties. */
function isReactRoot(target) {
  if (target === window || reactRoots.has(target)) return target !== window;
  const isRoot = hasReactMark(target) || (target.nodeType === 9 && hasOldReact(target));
  if (isRoot) reactRoots.add(target);
  return isRoot;
}

function hasReactMark(target) {
  for (const name of Object.keys(target)) {
    if (name.startsWith("__reactContainer$")) {
      reactKeys.add(name.replace("__reactContainer$", "__reactProps$"));
      return true;
    }
    if (name.startsWith("_reactListening")) return true;
  }
  return false;
}

const LOOKED_AT = 50; // elements at the top of the page, where a React begins

/** Before version 17 React listened at the document, which has no mark: its elements have. */
function hasOldReact(doc) {
  const waiting = [doc.body];
  for (const element of waiting) {
    const names = element ? Object.keys(element) : [];
    const key = names.find((name) => name.startsWith("__reactEventHandlers$"))
      ?? names.find((name) => name.startsWith("__reactInternalInstance$") && element[name]._currentElement);
    if (key) {
      reactKeys.add(key);
      return true;
    }
    if (waiting.length < LOOKED_AT) waiting.push(...(element?.children ?? []));
  }
  return false;
}

/** The selectors of jQuery's delegated listeners on a target. */
function delegatedSelectors(win, target) {
  const stored = win.jQuery?._data?.(target, "events");
  if (!stored) return null;
  const selectors = {};
  for (const [type, handlers] of Object.entries(stored)) {
    const kind = KIND_OF[type];
    for (const { selector } of kind ? handlers : []) {
      if (selector) (selectors[kind] ??= []).push(selector);
      else (selectors.direct ??= new Set()).add(kind);
    }
  }
  return selectors;
}
