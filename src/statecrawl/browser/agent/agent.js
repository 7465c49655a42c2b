// The agent itself: executes plans, tells what it saw, answers the host.

const CHANGES_TOLD = 12;

function report(message) {
  send(realm.stringify(message));
}

let MASKS = SETTINGS.masks;
const IGNORE = usable(SETTINGS.ignore);
const KEEP = usable(SETTINGS.keep);
const SKIP = usable(SETTINGS.skip);
let events = new Map(); // what the page offers, by identity
let observer = null;
const ticking = new Map(); // what repeating timers change: node -> parts

function look() {
  const found = offered();
  events = new Map(found.map((event) => [event.identity, event]));
  const text = writeDocument(MASKS, false);
  return hash(`${text}\n${[...events.keys()].join("\n")}`);
}

/** Look at the page; fields seen for the first time get their values before it has a name. */
async function see() {
  let page = look();
  while (await learn()) page = look();
  return page;
}

function content() {
  return {
    dom: writeDocument(null, true),
    url: location.href,
    title: collapse(document.title),
    events: [...events.values()].map((event) => [
      event.identity, event.kind, event.element ? groupOf(event) : event.kind,
      event.element ? nameOf(event.element).slice(0, 200) : event.value,
      event.element ? locatorOf(event.element) : "", linkOf(event), fillingsOf(event),
    ]),
    ticking: tickingPlaces(),
    madeUp: madeUp(),
    leftAlone: leftAloneHere(),
    isAtDoor: isAtDoor(),
  };
}

// What a step changes

function target(node) {
  const element = node.nodeType === 1 ? node : node.parentElement ?? node.host ?? realm.root.call(document);
  if (!element) return "document";
  const id = element.getAttribute("id"); // a field of this name may hide the property of a form
  if (isWritten(id)) return `${element.localName}#${id}`;
  const named = element.closest?.("[id]");
  const own = element.localName + (element.classList?.length ? `.${element.classList[0]}` : "");
  return named && isWritten(named.getAttribute("id")) ? `#${named.getAttribute("id")} ${own}` : own;
}

function action(record) {
  if (record.type === "attributes") return `set ${record.attributeName}`;
  if (record.type === "characterData") return "text";
  const { addedNodes, removedNodes } = record;
  if (addedNodes.length && removedNodes.length) return "innerHTML";
  return addedNodes.length ? "insert" : "remove";
}

let mutations = 0;

function mutated(records) {
  activity += 1;
  mutations += 1;
  for (const record of records) {
    for (const node of record.addedNodes) {
      watchNode(node);
      if (node.shadowRoot) watchRoot(node.shadowRoot);
    }
    const { attributeName, target: changed } = record;
    if (attributeName === "src" && ["img", "iframe"].includes(changed.localName)) watchNode(changed);
    if (record.type === "childList") noteStyles(record);
    if (step?.changes && step.changes.size < CHANGES_TOLD) step.changes.add(`${target(record.target)}\n${action(record)}`);
  }
  dropGoneLoads();
}

const suspected = new Map(); // what each repeating timer changed in this settling, by its key

function beforeRepeat() {
  const records = observer.takeRecords();
  if (records.length) mutated(records);
}

/** Note what a repeating timer changes, if it is only a text or an attribute. */
function afterRepeat(key) {
  const records = observer.takeRecords();
  if (!records.length) return;
  mutated(records);
  const places = suspected.get(key) ?? new Map();
  suspected.set(key, places);
  for (const record of records) {
    if (record.type === "attributes") noteTicking(places, record.target, record.attributeName);
    else if (record.type === "characterData") noteTicking(places, record.target.parentElement, "text");
    else if ([...record.addedNodes, ...record.removedNodes].every((node) => node.nodeType === 3)) {
      noteTicking(places, record.target, "text");
    }
  }
}

function noteTicking(places, element, part) {
  if (!element) return;
  const parts = places.get(element) ?? new Set();
  places.set(element, parts.add(part));
}

/** A timer never ends: what it changes is a clock and the like, not content. */
function frozen(key) {
  for (const [element, parts] of suspected.get(key) ?? []) {
    for (const part of parts) noteTicking(ticking, element, part);
  }
  suspected.delete(key);
}

/** The references that don't look as if a person had written them, and are not in the DOM told. */
function madeUp() {
  const found = [];
  for (const element of document.querySelectorAll("[id], [for]")) {
    for (const part of ["id", "for"]) {
      const value = element.getAttribute(part);
      if (!value || writtenReference(part, value)) continue;
      const path = pathOf(element); // nowhere in a document that is not HTML
      if (path) found.push([path, part, value]);
    }
  }
  return found.slice(0, 500);
}

function tickingPlaces() {
  const found = [];
  for (const [element, parts] of ticking) {
    const path = element.isConnected ? pathOf(element) : null;
    if (!path) ticking.delete(element);
    else for (const part of parts) found.push([path, part]);
  }
  return found;
}

// Plans

function beginStep(isExplored) {
  observer.takeRecords();
  suspected.clear();
  inARow.clear();
  step = { calls: [], changes: isExplored ? new Set() : null, mutations };
}

function endStep() {
  const records = observer.takeRecords();
  if (records.length) mutated(records);
  const { calls, changes } = step;
  scrollBack(mutations !== step.mutations);
  step = null;
  return [
    calls.map(([method, url, key, stack, calling]) => [method, url, key, stack, calling.isCached]),
    changes ? [...changes].map((each) => each.split("\n")) : [],
    takeProblems(),
  ];
}

let running = null; // the plan under way: its number and what was seen so far

/** The document is about to go: tell at once how far the plan came, there is no later. */
function leave() {
  if (!running || !step) return;
  const { id, seen } = running;
  running = null;
  report({ id, seen, leaving: endStep() });
}

/** Tell whether an event looks as if it led to another document. */
function mayLeave({ element, kind }) {
  if (kind === "submit") return true;
  const href = element?.localName === "a" ? element.getAttribute("href") : null;
  return Boolean(href) && !/^(#|javascript:)/i.test(href);
}

/** Execute steps, each [identity, hashes expected or null]; stop where one leads elsewhere. */
async function run(id, steps) {
  const seen = [];
  running = { id, seen };
  let halt = "done";
  for (const [identity, expected] of steps) {
    const event = events.get(identity);
    if (!event || (event.element && !event.element.isConnected)) {
      halt = "refused";
      break;
    }
    beginStep(expected === null);
    if (mayLeave(event)) report({ id, seen, mayLeave: true }); // what is told on leaving may get lost
    try {
      await FIRE[event.kind](event);
    } catch (error) {
      window.reportError(error);
    }
    await settle();
    if (leaving) return;
    const facts = endStep();
    const page = await see();
    seen.push([page, ...facts, unsettled]);
    if (expected !== null && !expected.includes(page)) {
      halt = "diverged";
      break;
    }
  }
  running = null;
  report({ id, seen, halt });
}

/** Get ready for an event that the host will fire with trusted input: where is it? */
function aim(identity) {
  const event = events.get(identity);
  if (!event?.element) return null;
  beginStep(true);
  const middle = { block: "center", inline: "center", behavior: "instant" };
  scrollFor(scrollersAround(event.element), () => event.element.scrollIntoView(middle));
  moveTo(event.element);
  const { x, y } = centre(event.element);
  return [x, y];
}

async function finish(id) {
  running = { id, seen: [] };
  if (leaving) return leave();
  await settle();
  if (leaving) return undefined;
  running = null;
  const facts = endStep();
  return report({ id, seen: [[await see(), ...facts, unsettled]], halt: "done" });
}

/** Go on in a document that was not left after all. */
function stay(id) {
  leaving = false;
  beginStep(true);
  return finish(id);
}

/** Let a piece of work that fails say so: the page may have replaced what it is done with. */
function guarded(work) {
  return async (id, ...given) => {
    try {
      await work(id, ...given);
    } catch (error) {
      send(`{"id":${id ?? 0},"sabotaged":true}`);
    }
  };
}

let isGivenUp = false; // nobody was told that the document is loaded: it was about to be replaced

/** Go on with a document that would have led elsewhere while it was loading, but was not let go. */
function remain() {
  leaving = false;
  if (isGivenUp) guarded(load)();
}

async function load() {
  beginStep(true);
  await settle();
  isGivenUp = leaving;
  if (leaving) return;
  const [navigation] = performance.getEntriesByType("navigation");
  if (navigation) noteAnswer("document", navigation.name, navigation.responseStatus);
  const facts = endStep();
  report({ loaded: await see(), facts, unsettled, url: location.href, status: navigation?.responseStatus ?? 0,
    type: document.contentType });
}

function configure(settings) {
  MASKS = settings.masks;
  return look();
}

let watchNode = () => {};
const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
const roots = new WeakSet();

/** Watch a document or a shadow root: who looks at what is around it does not see into it. */
function watchRoot(root) {
  if (roots.has(root)) return;
  roots.add(root);
  observer.observe(root, OBSERVED);
  enterScope(root);
}

/** Put the agent into a window: the top one, or a frame of the same origin. */
function instrument(win) {
  hideReplacements(win);
  watchProblems(win);
  patchClock(win);
  patchChance(win);
  patchFetch(win);
  patchXhr(win);
  patchListeners(win);
  patchCoordinates(win);
  hidePointer(win);
  patchVisibility(win);
  watchTasks(win);
  watchWindows(win);
  watchSockets(win);
  watchDatabases(win);
  watchObservers(win);
  watchWorkers(win);
  watchAnimations(win);
  const watchHere = watchLoads(win);
  const before = watchNode;
  watchNode = (node) => (node.ownerDocument === win.document ? watchHere(node) : before(node));
  observer ??= new MutationObserver(mutated);
  watchRoot(win.document);
  replace(win.Element.prototype, "attachShadow", (original) => ({
    attachShadow(options) {
      const root = original.call(this, options);
      watchRoot(root);
      return root;
    },
  }).attachShadow);
}

clock.beforeRepeat = beforeRepeat;
clock.afterRepeat = afterRepeat;
clock.onFrozen = frozen;
Object.defineProperty(window, Symbol.for(SETTINGS.key), {
  value: Object.freeze({ run: guarded(run), aim, finish: guarded(finish), stay: guarded(stay), remain, stopped, content, configure, badSelectors, receiveAnswer,
    receiveValues, eventFor, silence, forget: forgetAnswers, instrument,
    fieldType, isAtDoor, shows, pass: guarded(pass), stored, handOver }),
});
instrument(window);
watchUnloading(window);
watchScrolling();
watchLoading(window);
guarded(load)();
