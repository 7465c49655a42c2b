// The canonical DOM and its hash: the same page gives the same text, however it came about.

const LEFT_OUT = new Set(["script", "style", "link", "meta", "noscript", "base", "head", "title"]);
const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
  "param", "source", "track", "wbr"]);
const VOLATILE = new Set(["nonce", "integrity", "data-reactid", "data-reactroot", "data-react-checksum",
  "data-turbo-track", "data-csrf", "data-n-head", "widgetid"]);
const REFERENCES = new Set(["id", "for", "headers", "list", "form", "aria-activedescendant", "aria-controls",
  "aria-describedby", "aria-details", "aria-flowto", "aria-labelledby", "aria-owns"]);
const EMPTY_IS_NONE = new Set(["class", "style"]); // scripts leave them behind when they take something back
const MAX_DEPTH = 300;

const GENERATED = /^(ember|ext-gen|yui|radix|react-|mui-|headlessui|__BVID|gwt-uid|ui-id-|jquery|select2-|cdk-|mat-|dijit_|dojox?_|uniqName_)/i;

const UNSPEAKABLE = /[bcdfghjklmnpqrstvwxz]{6}/i;

/** Tell whether a person has written an id, rather than a program. */
function isWritten(id) {
  if (!id || id.length > 40 || GENERATED.test(id) || UNSPEAKABLE.test(id)) return false;
  return id.split(/[-_.]/).every((part) => /^[A-Za-z]{1,24}\d{0,2}$|^\d{1,2}$/.test(part));
}

function writtenReference(name, value) {
  if (name === "id") return isWritten(value);
  return value.split(/\s+/).every(isWritten);
}

/** Tell whether a data attribute holds a number that a framework has counted up, however the page came about. */
function isCounter(name, value) {
  return name.startsWith("data-") && /^\d+$/.test(value) && (name.endsWith(`-${value}`) || GENERATED.test(name.slice(5)));
}

const escapeText = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const escapeValue = (text) => escapeText(text).replace(/"/g, "&quot;");
const collapse = (text) => text.replace(/\s+/g, " ").trim();

/** The current state of a form control, which its attributes don't show. */
function controlState(element, attributes) {
  switch (element.localName) {
    case "input":
      if (element.type === "checkbox" || element.type === "radio") {
        attributes.delete("checked");
        if (element.checked) attributes.set("checked", "");
      } else if (element.type === "password") attributes.delete("value");
      else if (element.type !== "file" && element.value) attributes.set("value", element.value);
      else attributes.delete("value");
      break;
    case "option":
      attributes.delete("selected");
      if (element.selected) attributes.set("selected", "");
      break;
    case "dialog":
      if (element.open) attributes.set("open", "");
  }
  if (attributes.has("popover") && element.matches(":popover-open")) attributes.set("open", "");
}

/** Classes by which AngularJS notes what was done to a field and that nothing is wrong with it, and those that it finds its own elements by. */
const BOOKKEEPING = /^ng-(pristine|dirty|touched|untouched|submitted|empty|not-empty|valid(-.+)?|scope|isolate-scope|binding)$/;

/** The names of an element's classes in one order: that in which a program set them says nothing. */
function classes(value) {
  if (!/\s|^ng-/.test(value)) return value;
  return [...new Set(value.split(/\s+/))].filter((name) => name && !BOOKKEEPING.test(name)).sort().join(" ");
}

const DECLARATION = /(?:[^;"'(]|"[^"]*"|'[^']*'|\([^)]*\)|["'(])+/g;

/** What a property may overlap with: `margin` and `margin-left` do, custom properties never. */
const family = (declaration) => /^(--[^:\s]+|-?[a-z]+)/i.exec(declaration)?.[0] ?? declaration;

/** The declarations of a style in one order: that in which a program made them says nothing, but where one may undo another. */
function declarations(value) {
  if (!/;[\s;]*[^\s;]/.test(value)) return value;
  const all = value.match(DECLARATION).map((each) => each.trim()).filter(Boolean).map((each) => [family(each), each]);
  all.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `${all.map(([, each]) => each).join("; ")};`;
}

const REWRITTEN = new Map([["class", classes], ["style", declarations]]);

function canonicalAttributes(element, masked) {
  const attributes = new Map();
  for (const { name, value } of element.attributes) {
    if (VOLATILE.has(name) || /[\s<>"=]/.test(name) || masked?.includes(name) || isCounter(name, value)) continue;
    if (REFERENCES.has(name) && !writtenReference(name, value)) continue;
    if (name === "href" && value[0] === "#" && value.length > 1 && !isWritten(value.slice(1)) && /\d/.test(value)
      && !/[/=!?]/.test(value)) continue;
    const written = REWRITTEN.get(name)?.(value) ?? value;
    if (written || !EMPTY_IS_NONE.has(name)) attributes.set(name, written);
  }
  controlState(element, attributes);
  if (masked) for (const name of masked) attributes.delete(name);
  if (attributes.size === 0) return "";
  const names = [...attributes.keys()].sort();
  let text = "";
  for (const name of names) text += ` ${name}="${escapeValue(attributes.get(name))}"`;
  return text;
}

function both(one, two) {
  if (!one || !two) return one ?? two;
  const merged = {};
  for (const step of new Set([...Object.keys(one), ...Object.keys(two)])) {
    merged[step] = step === "" ? [...(one[""] ?? []), ...(two[""] ?? [])] : both(one[step], two[step]);
  }
  return merged;
}

/**
 * Write an element. `masks` is the branch of the mask tree for it; `details` asks for the whole
 * text, masked parts included, with our marks: that is what is stored. Without, it is what is hashed.
 */
function write(element, masks, details, depth) {
  const tag = element.localName;
  if (LEFT_OUT.has(tag)) return "";
  const isKept = KEEP && element.matches(KEEP);
  if (isKept) masks = null;
  const parts = details ? null : masks?.[""];
  let text = `<${tag}${canonicalAttributes(element, parts)}`;
  if (IGNORE && element.matches(IGNORE)) return `${text.split(" ")[0]} statecrawl-ignored="">${VOID.has(tag) ? "" : `</${tag}>`}`;
  if (isKept && details) text += ' statecrawl-kept=""';
  if (details && !isVisible(element)) text += ' statecrawl-hidden=""';
  text += ">";
  if (VOID.has(tag)) return text;
  if (depth > MAX_DEPTH) return `${text}</${tag}>`;
  const numbers = masks ? {} : null;
  const below = (child) => {
    if (!numbers) return null;
    const name = child.localName;
    const number = (numbers[name] = (numbers[name] ?? 0) + 1);
    return both(masks[`${name}[${number}]`], masks[`${name}[*]`]);
  };
  if (element.shadowRoot) {
    const shadow = masks ? both(masks["template[1]"], masks["template[*]"]) : null;
    if (numbers) numbers.template = 1;
    text += '<template shadowrootmode="open">';
    text += writeChildren(element.shadowRoot, shadow, (child) => null, parts, details, depth + 1);
    text += "</template>";
  }
  if (tag === "iframe") {
    const inner = documentOf(element)?.documentElement;
    if (inner) text += write(inner, null, details, depth + 1);
  } else if (tag === "textarea") {
    text += parts?.includes("text") ? "" : escapeText(collapse(element.value));
  } else {
    text += writeChildren(element, masks, below, parts, details, depth);
  }
  return `${text}</${tag}>`;
}

/** Write the document; one that threw its root away, or never got one, is empty. */
function writeDocument(masks, details) {
  const root = realm.root.call(document);
  return root ? write(root, masks, details, 0) : "<html></html>";
}

function writeChildren(parent, masks, below, parts, details, depth) {
  const hidesText = parts?.includes("text");
  let text = "";
  let run = "";
  const flush = () => {
    const shown = collapse(run);
    if (shown && !hidesText) text += escapeText(shown);
    run = "";
  };
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) run += child.data;
    else if (child.nodeType === 1) {
      if (LEFT_OUT.has(child.localName)) continue;
      flush();
      text += write(child, masks ? below(child) : null, details, depth + 1);
    }
  }
  flush();
  return text;
}

/** The document in a frame of our own origin, or null. */
function documentOf(frame) {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}

function isVisible(element) {
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
}

/** A hash of 106 bits: two runs of a 53-bit one. */
function hash(text) {
  return hash53(text, 1) + hash53(text, 2);
}

function hash53(text, seed) {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36);
}

/** The element that a shadow root belongs to, or null: links have a `host`, too, a part of their URL. */
function hostOf(node) {
  return node.nodeType === 11 ? node.host ?? null : null;
}

/** Where an element is, as masks say it: tags numbered among their like. */
function pathOf(element) {
  const steps = [];
  while (element && element.localName !== "html") {
    const parent = element.parentNode;
    if (!parent) return null;
    const host = hostOf(parent);
    let number = host || !element.parentElement?.shadowRoot || element.localName !== "template" ? 1 : 2;
    for (let sibling = element.previousElementSibling; sibling; sibling = sibling.previousElementSibling) {
      if (sibling.localName === element.localName) number += 1;
    }
    steps.push(`${element.localName}[${number}]`);
    if (host) steps.push("template[1]");
    element = host ?? parent;
  }
  return element ? ["html", ...steps.reverse()].join("/") : null;
}
