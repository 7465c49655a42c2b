// What a user can do on the page: the controls, and the kinds of events that each offers.

const LANDMARKS = new Set(["nav", "main", "header", "footer", "aside", "section", "form", "dialog", "table", "fieldset"]);
const LANDMARK_ROLES = new Set(["navigation", "main", "banner", "contentinfo", "complementary", "search", "form",
  "dialog", "alertdialog", "menu", "menubar", "tablist", "toolbar", "tree", "grid", "listbox", "region", "tabpanel"]);
const ROWS = new Set(["li", "tr", "article", "dt", "dd", "option"]);
const ROW_ROLES = new Set(["row", "listitem", "option", "treeitem", "article"]);
const ROW_SELECTOR = [...ROWS, ...[...ROW_ROLES].map((role) => `[role=${role}]`)].join();
const CONTROL_ROLES = new Set(["button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "option",
  "checkbox", "radio", "switch", "treeitem", "combobox"]);
const CLICKED_INPUTS = new Set(["button", "submit", "reset", "image", "checkbox", "radio"]);
const NOT_TYPED = new Set([...CLICKED_INPUTS, "hidden", "file"]);
const CONTROL_CLASS = /(^|[\s_-])(btn|button|link|tab|toggle|clickable|control|menu-?item|action)([\s_-]|$)/i;
const NO_CONTROL_DATA = /^data-(v-|react|testid$|test$|n-|turbo)/;
const KEYS = ["Enter", "Escape", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Tab", "Delete", "Backspace",
  "Home", "End", "PageUp", "PageDown"];
const KEY_CODES = { 13: "Enter", 27: "Escape", 40: "ArrowDown", 38: "ArrowUp", 37: "ArrowLeft", 39: "ArrowRight",
  9: "Tab", 46: "Delete", 8: "Backspace", 36: "Home", 35: "End", 33: "PageUp", 34: "PageDown" };
const KEY_CONSTANTS = { ENTER: "Enter", RETURN: "Enter", ESC: "Escape", ESCAPE: "Escape" };
const wanted = new Set(SETTINGS.events);

/** Collect every event that the page offers, in the order of the page. */
function offered() {
  const found = [];
  const context = { landmark: "", row: null, delegated: globalKinds(window) };
  const root = realm.root.call(document);
  if (root) collect(root, context, found, 0);
  if (wanted.has("timeout")) {
    for (const timer of clock.longOnes()) {
      found.push({ kind: "timeout", element: null, timer, value: `${aboutHowLong(timer)} ms`, landmark: "", row: null });
    }
  }
  if (wanted.has("back") && history.length > 1) {
    found.push({ kind: "back", element: null, value: "", landmark: "", row: null });
  }
  leftAlone = [];
  return named(found.filter((event) => wanted.has(event.kind) && mayFire(event)));
}

/** What window and document listen for, with jQuery's selectors where there are any. */
function globalKinds(win) {
  const all = extended(extended({}, win, win), win.document, win);
  const heard = all.key === true ? [win, win.document].flatMap((target) => listenersOf(target, "key")) : [];
  return heard.some((listener) => !keysOf([listener], false).size) ? { ...all, anyKey: true } : all;
}

function listenersOf(target, kind) {
  return [...(listening.get(target)?.get(kind)?.keys() ?? [])];
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
  if (isRow(element)) inner = { ...inner, row: element };
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

function isRow(element) {
  return ROWS.has(element.localName) || ROW_ROLES.has(element.getAttribute("role"));
}

/** What an element itself listens for, however that was attached. */
function ownKinds(element) {
  const recorded = listening.get(element);
  const react = reactKeys.size ? reactKinds(element) : null;
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
  const isField = tag === "input" || tag === "textarea" || tag === "select" || (element.hasAttribute("contenteditable") && element.isContentEditable);
  const maybe = own || isField || tag === "form" || isNative(element, tag) || delegated.click || delegated.dblclick || tag === "body";
  if (!maybe || isDisabled(element)) return ours;
  let visible = null;
  const seen = () => (visible ??= isVisible(element) || isShownOnHover(element));

  if (isClickable(element, tag, role, own, delegated, found, place) && seen()) offer("click");
  for (const kind of ["dblclick", "hover", "contextmenu"]) {
    if (listens(element, kind, own, delegated, context.row) && seen()) offer(kind);
  }
  const hears = (kind) => own?.has(kind) || (isField && delegated[kind] === true)
    || (Array.isArray(delegated[kind]) && delegated[kind].some((selector) => element.matches(selector)));
  const isTyped = isField && tag !== "select" && !NOT_TYPED.has(element.type);
  const listensForKeys = own?.has("key") || (Array.isArray(delegated.key) ? hears("key") : isTyped && delegated.anyKey);
  if (listensForKeys && seen()) {
    for (const key of keysOf(keyListeners(element, own), isField)) offer("key", key);
  }
  if (tag === "body") {
    const above = [window, document].flatMap((target) => listenersOf(target, "key"));
    for (const key of keysOf(above, false)) offer("key", key);
    if ([window, document].some((target) => listening.get(target)?.has("scroll")) && canScroll(document.scrollingElement)) {
      offer("scroll");
    }
  }
  if (isField && !element.readOnly) {
    if (tag === "select") {
      if ((hears("change") || hears("input")) && seen()) {
        for (const option of optionsOf(element)) if (!option.selected) offer("change", option.label || option.value);
      }
    } else if (isTyped && (hears("input") || hears("change") || listensForKeys) && seen()) {
      const kind = hears("input") || listensForKeys ? "input" : "change";
      for (const value of valuesFor(element)) if (typedIn(element) !== value) offer(kind, value);
    }
  }
  if (tag === "form" && wanted.has("submit") && seen()) {
    const isHeard = Boolean(own?.has("submit") || delegated.submit);
    if (isHeard && !submitButtons(element).length && hasField(element)) offer("submit");
    for (const way of fillings(element, isHeard)) offer("submit", way);
  }
  if (tag !== "body" && own?.has("scroll") && canScroll(element) && seen()) offer("scroll");
  return ours;
}

/** Tell whether an element is shown as soon as the pointer comes near: a user can reach it. */
function isShownOnHover(element) {
  const shown = shownOnHover();
  if (!shown) return false;
  let isUncovered = getComputedStyle(element).visibility === "visible";
  for (let each = element; each; each = each.parentElement) {
    const isShown = each.matches(shown);
    isUncovered ||= isShown;
    if (!isShown && getComputedStyle(each).display === "none") return false;
  }
  return isUncovered;
}

function canScroll(element) {
  return element && element.scrollHeight > element.clientHeight + element.scrollTop + 1;
}

/** Tell whether a form has a field in which a user could press Enter. */
function hasField(form) {
  return partsOf(form).some((each) => !NOT_TYPED.has(each.type) && isVisible(each));
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

/** Tell whether a check box or radio button only matters when its form is sent: then it is filled with it. */
function isQuietChoice(element, tag, own, delegated) {
  if (tag !== "input" || (element.type !== "checkbox" && element.type !== "radio") || !element.form) return false;
  return !["click", "change", "input"].some((kind) => own?.has(kind) || delegated[kind]);
}

/** Tell whether a link leads to a document in scope; one to nowhere is clicked for its listeners. */
function isFollowed(link) {
  const href = link.getAttribute("href");
  if (href === null || link.hasAttribute("download")) return false;
  if (href === "" || href[0] === "#" || /^javascript:/i.test(href)) return true;
  return isInScope(link.href);
}

const INSIDE = SETTINGS.inside.map((pattern) => new RegExp(pattern));
const OUTSIDE = SETTINGS.outside.map((pattern) => new RegExp(pattern));

/** Tell whether a URL belongs to the application. */
function isInScope(url) {
  if (!INSIDE.length) return url.startsWith(`${location.origin}/`);
  return INSIDE.some((pattern) => pattern.test(url)) && !OUTSIDE.some((pattern) => pattern.test(url));
}

/** The document in scope that a link leads to, or nothing. */
function linkOf({ element, kind }) {
  const tag = element?.localName;
  if (kind !== "click" || (tag !== "a" && tag !== "area") || typeof element.href !== "string") return "";
  const url = element.href;
  if (!/^https?:/.test(url) || !isFollowed(element)) return "";
  const isHere = url.split("#")[0] === location.href.split("#")[0];
  return isHere && url.includes("#") ? "" : url;
}

function leavesScope(element, tag) {
  if (tag !== "a" && tag !== "area") return false;
  const href = element.getAttribute("href");
  return href !== null && !isFollowed(element);
}

function isClickable(element, tag, role, own, delegated, found, place) {
  if (leavesScope(element, tag)) return false;
  if (isQuietChoice(element, tag, own, delegated)) return false;
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
  const inner = found.slice(place).filter(({ kind }) => kind === "click").map((event) => event.element);
  return looksLikeControl(element, role, !inner.length) && (!inner.length || hasTextBeside(element, inner));
}

/** Tell whether an element shows a text that is in none of the controls inside it: else it only wraps them. */
function hasTextBeside(element, inner) {
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3 ? child.data.trim() : child.nodeType === 1 && !inner.includes(child) && hasTextBeside(child, inner)) {
      return true;
    }
  }
  return false;
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

function listens(element, kind, own, delegated, row) {
  if (own?.has(kind)) {
    const isForRows = kind === "dblclick" && !isRow(element) && element.querySelector(ROW_SELECTOR) !== null;
    return element.localName !== "body" && element.localName !== "html" && !isForRows;
  }
  const above = delegated[kind];
  if (Array.isArray(above)) return above.some((selector) => element.matches(selector));
  return kind === "dblclick" && above === true && isTextOfRow(element, row);
}

/** Tell whether an element is a text in a row, and neither it nor the row listens for double clicks itself. */
function isTextOfRow(element, row) {
  const last = isRow(element) ? element : row;
  if (!last || element.firstElementChild || !element.textContent.trim()) return false;
  for (let each = element; each !== last; each = each.parentElement) {
    if (listening.get(each)?.has("dblclick")) return false;
  }
  return !listening.get(last)?.has("dblclick");
}

/** The keys that a listener's code speaks of. */
function keysOf(listeners, isField) {
  const found = new Set();
  for (const listener of listeners) {
    const code = realm.toString.call(typeof listener === "function" ? listener : listener.handleEvent ?? Object);
    for (const key of KEYS) if (code.includes(`"${key}"`) || code.includes(`'${key}'`)) found.add(key);
    for (const [, after, before] of code.matchAll(/(?:keyCode|which|charCode)\s*={2,3}\s*(\d+)|\b(\d+)\s*={2,3}\s*[\w.]+\.(?:keyCode|which|charCode)/g)) {
      if (KEY_CODES[after ?? before]) found.add(KEY_CODES[after ?? before]);
    }
    for (const [, constant] of code.matchAll(/\b(ENTER|RETURN|ESC|ESCAPE)(?:_KEY)?\b/g)) found.add(KEY_CONSTANTS[constant]);
  }
  if (!found.size && isField) found.add("Enter");
  return found;
}

/** Who hears the keys of an element; behind jQuery's own listeners are those of the application. */
function keyListeners(element, own) {
  const found = [...(own?.get("key")?.keys() ?? [])];
  const jQuery = element.ownerDocument.defaultView.jQuery;
  for (let each = jQuery?._data && element; each; each = each.parentElement) {
    const stored = listening.get(each)?.has("key") ? jQuery._data(each, "events") : null;
    for (const type of ["keydown", "keypress", "keyup"]) {
      for (const { handler, selector } of stored?.[type] ?? []) {
        if (selector ? element.matches(selector) : each === element) found.push(handler);
      }
    }
  }
  return found;
}
