// What a user can do on the page: each control with an identity that outlives small changes.

const LANDMARKS = new Set(["nav", "main", "header", "footer", "aside", "section", "form", "dialog", "table", "fieldset"]);
const LANDMARK_ROLES = new Set(["navigation", "main", "banner", "contentinfo", "complementary", "search", "form",
  "dialog", "alertdialog", "menu", "menubar", "tablist", "toolbar", "tree", "grid", "listbox", "region", "tabpanel"]);
const ROWS = new Set(["li", "tr", "article", "dt", "dd", "option"]);
const ROW_ROLES = new Set(["row", "listitem", "option", "treeitem", "article"]);
const CONTROL_ROLES = new Set(["button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "option",
  "checkbox", "radio", "switch", "treeitem", "combobox"]);
const CLICKED_INPUTS = new Set(["button", "submit", "reset", "image", "checkbox", "radio"]);
const NOT_TYPED = new Set([...CLICKED_INPUTS, "hidden", "file", "range", "color"]);
const CONTROL_CLASS = /(^|[\s_-])(btn|button|link|tab|toggle|clickable|control|menu-?item|action)([\s_-]|$)/i;
const NO_CONTROL_DATA = /^data-(v-|react|testid$|test$|n-|turbo)/;
const KEYS = ["Enter", "Escape", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Tab", "Delete", "Backspace",
  "Home", "End", "PageUp", "PageDown"];
const KEY_CODES = { 13: "Enter", 27: "Escape", 40: "ArrowDown", 38: "ArrowUp", 37: "ArrowLeft", 39: "ArrowRight" };
const TYPED = { email: "user@example.org", number: "1", tel: "5550100", url: "http://example.org/", date: "2024-01-15",
  time: "12:00", month: "2024-01", week: "2024-W03", "datetime-local": "2024-01-15T12:00", password: "secret-1" };
const wanted = new Set(SETTINGS.events);

/** Collect every event that the page offers, in the order of the page. */
function offered() {
  const found = [];
  const context = { landmark: "", row: null, delegated: globalKinds(window), pointer: false };
  collect(document.documentElement, context, found, 0);
  if (wanted.has("timeout")) {
    for (const timer of clock.longOnes()) {
      found.push({ kind: "timeout", element: null, timer, value: `${timer.wait} ms`, landmark: "", row: null });
    }
  }
  if (wanted.has("back") && history.length > 1) {
    found.push({ kind: "back", element: null, value: "", landmark: "", row: null });
  }
  return named(found.filter(({ kind, element }) => wanted.has(kind) && !(SKIP && element?.closest(SKIP))));
}

/** What window and document listen for, with jQuery's selectors where there are any. */
function globalKinds(win) {
  return extended(extended({}, win, win), win.document, win);
}

/** What is listened for above an element: kind -> list of selectors, or true for "anything". */
function extended(above, target, win) {
  const kinds = listening.get(target);
  if (!kinds || isReactRoot(target)) return above;
  const selectors = delegatedSelectors(win, target);
  const all = { ...above };
  for (const kind of kinds.keys()) {
    const given = selectors?.[kind];
    if (given && !selectors.direct?.has(kind)) all[kind] = all[kind] === true ? true : [...(all[kind] ?? []), ...given];
    else all[kind] = true;
  }
  return all;
}

function collect(element, context, found, depth) {
  const tag = element.localName;
  if (LEFT_OUT.has(tag) || depth > MAX_DEPTH) return;
  if (tag === "iframe") {
    const inner = documentOf(element);
    if (inner?.documentElement && isVisible(element)) {
      const delegated = globalKinds(inner.defaultView);
      collect(inner.documentElement, { ...context, landmark: `${context.landmark}/frame`, delegated }, found, depth + 1);
    }
    return;
  }
  const role = element.getAttribute("role");
  const place = found.length;
  let inner = context;
  const isRow = ROWS.has(tag) || ROW_ROLES.has(role);
  if (isRow) inner = { ...inner, row: element };
  if (LANDMARKS.has(tag) || LANDMARK_ROLES.has(role)) inner = { ...inner, landmark: landmarkName(element, role) };
  const own = ownKinds(element);
  if (listening.has(element)) {
    const delegated = extended(inner.delegated, element, element.ownerDocument.defaultView);
    if (delegated !== inner.delegated) inner = { ...inner, delegated };
  }
  for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
    collect(child, inner, found, depth + 1);
  }
  if (element.shadowRoot) {
    for (let child = element.shadowRoot.firstElementChild; child; child = child.nextElementSibling) {
      collect(child, inner, found, depth + 1);
    }
  }
  const ours = eventsOf(element, tag, role, own, context, found, place);
  if (ours.length) found.splice(place, 0, ...ours);
}

/** What an element itself listens for, however that was attached. */
function ownKinds(element) {
  const recorded = listening.get(element);
  const react = reactKey && reactKinds(element);
  const declared = element.attributes.length ? declaredKinds(element) : null;
  if (!recorded && !react && !declared?.size) return null;
  const kinds = new Map(recorded && !isReactRoot(element) ? recorded : []);
  const selectors = recorded && delegatedSelectors(element.ownerDocument.defaultView, element);
  for (const kind in selectors) if (!selectors.direct?.has(kind)) kinds.delete(kind);
  for (const [kind, listeners] of react ?? []) kinds.set(kind, listeners);
  for (const kind of declared ?? []) if (!kinds.has(kind)) kinds.set(kind, null);
  return kinds.size ? kinds : null;
}

function eventsOf(element, tag, role, own, context, found, place) {
  const ours = [];
  const offer = (kind, value = "") => ours.push({
    kind, element, value, landmark: context.landmark, row: context.row,
  });
  const { delegated } = context;
  const isField = tag === "input" || tag === "textarea" || tag === "select" || element.isContentEditable;
  const maybe = own || isField || isNative(element, tag) || delegated.click || delegated.dblclick || tag === "body";
  if (!maybe || isDisabled(element)) return ours;
  let visible = null;
  const seen = () => (visible ??= isVisible(element));

  if (isClickable(element, tag, role, own, delegated, found, place) && seen()) offer("click");
  for (const kind of ["dblclick", "hover", "contextmenu"]) {
    if (listens(element, kind, own, delegated, false) && seen()) offer(kind);
  }
  const hears = (kind) => own?.has(kind) || (isField && delegated[kind] === true)
    || (Array.isArray(delegated[kind]) && delegated[kind].some((selector) => element.matches(selector)));
  const listensForKeys = own?.has("key") || (Array.isArray(delegated.key) && hears("key"));
  if (listensForKeys && seen()) {
    for (const key of keysOf(own?.get("key"), isField)) offer("key", key);
  }
  if (tag === "body") {
    const above = [window, document].flatMap((target) => [...(listening.get(target)?.get("key")?.keys() ?? [])]);
    if (above.length) for (const key of keysOf(new Map(above.map((each) => [each, null])), false)) offer("key", key);
    if ([window, document].some((target) => listening.get(target)?.has("scroll")) && canScroll(document.scrollingElement)) {
      offer("scroll");
    }
  }
  if (isField && !element.readOnly) {
    if (tag === "select") {
      if ((hears("change") || hears("input")) && seen()) {
        [...element.options].forEach((option) => {
          if (!option.disabled && !option.selected) offer("change", option.label || option.value);
        });
      }
    } else if (!NOT_TYPED.has(element.type) && (hears("input") || hears("change") || listensForKeys) && seen()) {
      const value = TYPED[element.type] ?? "test";
      if (element.value !== value) offer(hears("input") || listensForKeys ? "input" : "change", value);
    }
  }
  if (tag === "form" && (own?.has("submit") || delegated.submit) && !hasSubmit(element) && seen()) offer("submit");
  if (tag !== "body" && own?.has("scroll") && canScroll(element) && seen()) offer("scroll");
  return ours;
}

function canScroll(element) {
  return element && element.scrollHeight > element.clientHeight + element.scrollTop + 1;
}

function hasSubmit(form) {
  return [...form.elements].some((each) => each.type === "submit" || each.type === "image");
}

function isDisabled(element) {
  return element.disabled === true || element.getAttribute("aria-disabled") === "true" || element.inert === true
    || (element.closest && element.closest("fieldset[disabled], [inert]") !== null);
}

/** Tell whether the browser itself does something when this element is clicked. */
function isNative(element, tag) {
  switch (tag) {
    case "a": case "area": return isFollowed(element);
    case "button": case "summary": return true;
    case "input": return CLICKED_INPUTS.has(element.type);
    default: return false;
  }
}

/** Tell whether a link leads to a document in scope; one to nowhere is clicked for its listeners. */
function isFollowed(link) {
  const href = link.getAttribute("href");
  if (href === null || link.hasAttribute("download")) return false;
  if (href === "" || href[0] === "#" || /^javascript:/i.test(href)) return true;
  return link.origin === location.origin;
}

function leavesScope(element, tag) {
  if (tag !== "a" && tag !== "area") return false;
  const href = element.getAttribute("href");
  return href !== null && !isFollowed(element) ;
}

function isClickable(element, tag, role, own, delegated, found, place) {
  if (leavesScope(element, tag)) return false;
  if (isNative(element, tag)) return true;
  if (tag === "option" || tag === "label" || tag === "html") return false;
  if (own?.has("click")) {
    const hasInner = found.slice(place).some(({ kind }) => kind === "click");
    if (tag !== "body" && !hasInner && !asksForTarget(own.get("click"))) return true;
    return tag !== "body" && looksLikeControl(element, role, false);
  }
  const above = delegated.click;
  if (!above || tag === "body") return false;
  if (above !== true) return above.some((selector) => element.matches(selector));
  const hasInner = found.slice(place).some(({ kind }) => kind === "click");
  return looksLikeControl(element, role, !hasInner);
}

/** Tell whether listeners ask what was clicked: then they listen for others, inside their element. */
function asksForTarget(listeners) {
  if (!listeners?.size) return false;
  for (const listener of listeners.keys()) {
    const code = realm.toString.call(typeof listener === "function" ? listener : listener.handleEvent ?? Object);
    if (!/\btarget\b|\bclosest\(|\bcomposedPath\b/.test(code)) return false;
  }
  return true;
}

/** Tell whether an element shows itself as a control; data attributes only count on a leaf. */
function looksLikeControl(element, role, isLeaf) {
  if (CONTROL_ROLES.has(role)) return true;
  const tabindex = element.getAttribute("tabindex");
  if (tabindex !== null && Number(tabindex) >= 0) return true;
  if (isLeaf) {
    for (const { name } of element.attributes) {
      if (name.startsWith("data-") && !NO_CONTROL_DATA.test(name)) return true;
    }
    if (element.className && CONTROL_CLASS.test(element.getAttribute("class"))) return true;
  }
  const parent = element.parentElement;
  return hasPointer(element) && !(parent && hasPointer(parent));
}

function hasPointer(element) {
  return getComputedStyle(element).cursor === "pointer";
}

function listens(element, kind, own, delegated) {
  if (own?.has(kind)) return element.localName !== "body" && element.localName !== "html";
  const above = delegated[kind];
  return Array.isArray(above) && above.some((selector) => element.matches(selector));
}

/** The keys that a listener's code speaks of. */
function keysOf(listeners, isField) {
  const found = new Set();
  for (const listener of listeners?.keys() ?? []) {
    const code = realm.toString.call(typeof listener === "function" ? listener : listener.handleEvent ?? Object);
    for (const key of KEYS) if (code.includes(`"${key}"`) || code.includes(`'${key}'`)) found.add(key);
    for (const match of code.matchAll(/(?:keyCode|which|charCode)\s*={2,3}\s*(\d+)/g)) {
      if (KEY_CODES[match[1]]) found.add(KEY_CODES[match[1]]);
    }
  }
  if (!found.size && isField) found.add("Enter");
  return found;
}

// Identity

const counts = (text) => text.replace(/[([{]\s*[\d.,:/ ]+\s*[)\]}]/g, "(#)");
const numbers = (text) => text.replace(/\d+([.,:/]\d+)*/g, "#");
const shortened = (text) => (text.length > 60 ? `${text.slice(0, 40)}…${hash53(text, 3)}` : text);

function landmarkName(element, role) {
  const id = element.id;
  const label = element.getAttribute("aria-label");
  return `${role ?? element.localName}${id && isWritten(id) && !isMasked(element, "id") ? `#${id}` : label ? ` ${numbers(label)}` : ""}`;
}

function isMasked(element, part) {
  if (!MASKS) return false;
  let branch = MASKS;
  const steps = pathOf(element)?.split("/").slice(1) ?? [];
  for (const step of steps) {
    branch = both(branch[step], branch[step.replace(/\d+/, "*")]);
    if (!branch) return false;
  }
  return branch[""]?.includes(part) ?? false;
}

function nameOf(element) {
  const label = element.getAttribute("aria-label");
  if (label) return collapse(label);
  const by = element.getAttribute("aria-labelledby");
  if (by) {
    const text = by.split(/\s+/).map((id) => element.ownerDocument.getElementById(id)?.textContent ?? "").join(" ");
    if (text.trim()) return collapse(text);
  }
  switch (element.localName) {
    case "input":
      if (["button", "submit", "reset"].includes(element.type)) return collapse(element.value || element.type);
      return collapse(element.labels?.[0]?.textContent || element.placeholder || element.alt || element.title || "");
    case "select": case "textarea":
      return collapse(element.labels?.[0]?.textContent || element.placeholder || element.title || "");
    case "form": case "body": return "";
    case "img": case "area": return collapse(element.alt || element.title || "");
  }
  const text = ownPart(element, "");
  if (text) return text;
  const image = element.querySelector("img[alt], svg title, [aria-label]");
  const described = image && (image.getAttribute("alt") ?? image.getAttribute("aria-label") ?? image.textContent);
  return collapse(described || element.getAttribute("title") || element.getAttribute("data-tooltip") || "");
}

/** The text of an element without lists and rows inside it, and without a control given. */
function ownPart(element, without, depth = 0) {
  let text = "";
  for (let child = element.firstChild; child && text.length < 200; child = child.nextSibling) {
    if (child.nodeType === 3) text += child.data;
    else if (child.nodeType === 1 && child !== without && depth < 20) {
      const tag = child.localName;
      if (tag === "ul" || tag === "ol" || tag === "table" || tag === "select" || LEFT_OUT.has(tag) || ROWS.has(tag)) continue;
      text += ` ${ownPart(child, without, depth + 1)} `;
    }
  }
  return depth ? text : collapse(text);
}

/**
 * What an event is known by. An id only counts where nothing else tells: it is the part of a
 * control that programs make up most often, and it may prove volatile when it is too late.
 */
function signature(event, { exactNumbers, exactRow }) {
  const { element, kind, value, landmark, row } = event;
  if (!element) return event.timer ? `timeout ${value} ${hash53(keyOf(event.timer), 4)}` : kind;
  const facts = (event.facts ??= factsOf(element, row));
  const simplify = exactNumbers ? (text) => text : facts.isInRow ? counts : (text) => numbers(counts(text));
  const parts = [kind, value && JSON.stringify(value), facts.role ?? facts.tag, facts.type,
    facts.name && `"${shortened(simplify(facts.name))}"`, facts.id && (exactNumbers || !facts.name) && `#${facts.id}`,
    facts.given && `name=${facts.given}`, facts.href && shortened(facts.href),
    facts.handler && shortened(simplify(facts.handler)), facts.data && shortened(simplify(facts.data)),
    facts.rowText && `of "${shortened((exactRow ? (text) => text : numbers)(facts.rowText))}"`,
    landmark && `in ${landmark}`];
  return parts.filter(Boolean).join(" ");
}

function factsOf(element, row) {
  const tag = element.localName;
  const id = element.id;
  const name = nameOf(element);
  const data = [];
  let handler = "";
  for (const { name: attribute, value } of element.attributes) {
    if (attribute.startsWith("data-") && value && !NO_CONTROL_DATA.test(attribute) && !isMasked(element, attribute)) {
      data.push(`${attribute}=${value}`);
    } else if (attribute.startsWith("on")) handler += value;
  }
  let rowText = "";
  if (row && row !== element) {
    rowText = ownPart(row, element).slice(0, 80);
    if (rowText === name) rowText = "";
  }
  return {
    tag, role: element.getAttribute("role"), type: tag === "input" ? element.type : "", name,
    id: id && isWritten(id) && !isMasked(element, "id") ? id : "",
    given: element.getAttribute("name"), isInRow: row !== null, rowText,
    href: tag === "a" && !isMasked(element, "href") ? element.getAttribute("href") : "",
    handler, data: data.sort().join(" "),
  };
}

/** Give every event its identity; equals get more of what tells them apart, at last a number. */
function named(found) {
  const levels = [{}, { exactNumbers: true }, { exactNumbers: true, exactRow: true }];
  let unnamed = found;
  for (const level of levels) {
    const alike = new Map();
    for (const event of unnamed) {
      event.identity = signature(event, level);
      const others = alike.get(event.identity);
      if (others) others.push(event);
      else alike.set(event.identity, [event]);
    }
    unnamed = [...alike.values()].filter((group) => group.length > 1).flat();
    if (!unnamed.length) break;
  }
  const ordinals = new Map();
  const used = new Set();
  for (const event of found) {
    const number = (ordinals.get(event.identity) ?? 0) + 1;
    ordinals.set(event.identity, number);
    if (number > 1) event.identity += ` ~${number}`;
    used.add(event.identity);
  }
  return found;
}

/** The kind of place where a control stands: the tags from its landmark down. */
function groupOf(event) {
  const tags = [];
  for (let each = event.element; each && each.localName !== "html"; each = each.parentElement) {
    tags.push(each.localName);
    const role = each.getAttribute("role");
    if (LANDMARKS.has(each.localName) || LANDMARK_ROLES.has(role)) break;
  }
  return `${event.kind} ${event.landmark} ${tags.reverse().join(">")}`.trim();
}

/** Where to find a control, as a CSS selector. */
function locatorOf(element) {
  const steps = [];
  for (let each = element; each; each = each.parentElement) {
    if (each.id && isWritten(each.id)) {
      steps.push(`#${each.id}`);
      break;
    }
    let number = 1;
    for (let sibling = each.previousElementSibling; sibling; sibling = sibling.previousElementSibling) {
      if (sibling.localName === each.localName) number += 1;
    }
    steps.push(each.localName === "html" || each.localName === "body" ? each.localName : `${each.localName}:nth-of-type(${number})`);
  }
  return steps.reverse().join(" > ");
}
