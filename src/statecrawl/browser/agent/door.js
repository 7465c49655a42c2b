// The login form: fields and controls found by what people call them, filled and clicked.

const FIELDS = "input, textarea, select, [contenteditable=''], [contenteditable=true]";
const CONTROLS = "button, a[href], summary, input, [role=button], [role=link], [role=menuitem], [role=tab], [role=checkbox]";
const BY_SELECTOR = "css=";

/** What an element is called, the best names first. */
const NAMES = [
  (element) => collapse([...(element.labels ?? [])].map((label) => label.textContent)[0] ?? ""),
  (element) => nameOf(element),
  (element) => element.getAttribute("name"),
  (element) => element.getAttribute("placeholder"),
  (element) => element.id,
  (element) => element.getAttribute("title"),
];

const simple = (name) => collapse(name ?? "").replace(/[\s:*]+$/, "").toLowerCase();

/** The elements in a document, its open shadow roots and the frames of the same origin. */
function all(root, selector) {
  const found = [];
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) found.push(element);
    if (element.shadowRoot) found.push(...all(element.shadowRoot, selector));
    const inner = element.localName === "iframe" && documentOf(element);
    if (inner) found.push(...all(inner, selector));
  }
  return found;
}

function isField(element) {
  return element.matches(FIELDS) && !(element.localName === "input" && NOT_TYPED.has(element.type));
}

function isControl(element) {
  return element.matches(CONTROLS) && !isField(element);
}

/** The first of some elements that has a name; those that nobody sees have none. */
function called(name, candidates) {
  const wantedName = simple(name);
  const seen = candidates.filter(isVisible);
  for (const nameIn of NAMES) {
    const found = seen.find((element) => simple(nameIn(element)) === wantedName);
    if (found) return found;
  }
  return null;
}

function selected(name, isWanted) {
  try {
    return all(document, name.slice(BY_SELECTOR.length)).find((element) => isWanted(element) && isVisible(element)) ?? null;
  } catch {
    return null; // it is no selector
  }
}

function fieldCalled(name) {
  if (name.startsWith(BY_SELECTOR)) return selected(name, isField);
  return called(name, all(document, FIELDS).filter(isField));
}

/** A control, or whatever else shows just this text. */
function controlCalled(name) {
  if (name.startsWith(BY_SELECTOR)) return selected(name, () => true);
  return called(name, all(document, CONTROLS).filter(isControl))
    ?? called(name, all(document, "body *").filter((element) => !element.firstElementChild && !isField(element)));
}

/** A name that leads to this element and no other. */
function nameFor(element, find) {
  for (const nameIn of NAMES) {
    const name = collapse(nameIn(element) ?? "");
    if (name && !name.startsWith(BY_SELECTOR) && name.length <= 80 && find(name) === element) return name;
  }
  return `${BY_SELECTOR}${locatorOf(element)}`;
}

/** The type of a field; null when there is none of this name. */
function fieldType(name) {
  const field = fieldCalled(name);
  return field && (field.type ?? "text");
}

/** Tell whether the page shows the form that is the way in. */
function isAtDoor() {
  return SETTINGS.door.length > 0 && SETTINGS.door.every((name) => fieldCalled(name));
}

function shows(text) {
  return collapse(document.body?.innerText ?? "").toLowerCase().includes(collapse(text).toLowerCase());
}

/** Fill a field (a value is given) or click a control, and wait until the page has settled. */
async function pass(id, name, value) {
  const element = value === null ? controlCalled(name) : fieldCalled(name);
  if (!element) {
    report({ id, missing: true });
    return;
  }
  const seen = [];
  running = { id, seen };
  beginStep(false);
  report({ id, seen, mayLeave: true });
  try {
    if (value === null) click(element);
    else if (element.localName === "select") choose(element, value);
    else type(element, value);
  } catch (error) {
    window.reportError(error);
  }
  await settle();
  if (leaving) return;
  running = null;
  endStep();
  look();
  report({ id, seen });
}

/** What the origin keeps in the browser, to be put back later. */
function stored() {
  try {
    return { origin: location.origin, local: Object.entries(localStorage), session: Object.entries(sessionStorage) };
  } catch {
    return { origin: location.origin, local: [], session: [] }; // it may keep nothing
  }
}
