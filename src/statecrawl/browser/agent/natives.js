// The functions as the browser made them, and replacements that nobody tells apart from them.

const realm = {
  turnChannel: new MessageChannel(),
  now: performance.now.bind(performance),
  setTimeout: setTimeout.bind(window),
  clearTimeout: clearTimeout.bind(window),
  requestAnimationFrame: requestAnimationFrame.bind(window),
  post: MessagePort.prototype.postMessage,
  toString: Function.prototype.toString,
  stringify: JSON.stringify,
  listen: EventTarget.prototype.addEventListener,
  root: Object.getOwnPropertyDescriptor(Document.prototype, "documentElement").get, // names in the page may hide it
};

const originals = new WeakMap();

/** Make a replacement look like the function it stands for. */
function disguise(replacement, original) {
  originals.set(replacement, original);
  for (const part of ["name", "length"]) {
    Object.defineProperty(replacement, part, { value: original[part], configurable: true });
  }
  return replacement;
}

/** Replace a method by what `make(original)` gives; where there is none, do nothing. */
function replace(owner, name, make) {
  const described = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!described || typeof described.value !== "function" || !described.configurable) return;
  const original = described.value;
  Object.defineProperty(owner, name, { ...described, value: disguise(make(original), original) });
}

/** Replace the getter or the setter of a property. */
function replaceAccessor(owner, name, which, make) {
  const described = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!described || !described[which] || !described.configurable) return;
  const original = described[which];
  Object.defineProperty(owner, name, {
    ...described,
    [which]: disguise(make(original), original),
  });
}

function hideReplacements(win) {
  replace(win.Function.prototype, "toString", (original) => ({
    toString() {
      return original.call(originals.get(this) ?? this);
    },
  }).toString);
}
