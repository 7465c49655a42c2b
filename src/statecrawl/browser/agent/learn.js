// Values for fields from the application's own text: what its data rows speak of, those first that tell most rows apart.

const LEARNED_VALUES = 6; // so many are proposed for a field
const MAX_ROWS = 500;
const SEARCHING = /(^|[^a-z])(search|find|query|keywords?|filter|suche|recherche|buscar|cerca|zoek|pesquisa|szukaj|q)([^a-z]|$)/i;
const STOP_WORDS = new Set(("the and for with from this that are was you your not all any but have has our out can will into more new "
  + "der die das und mit von für ist nicht ein eine les des une est pour dans avec que los las del por para con una "
  + "edit view show open close delete remove details add").split(" "));

const learned = new Map(SETTINGS.learned);
const unlearned = new Map(); // fields that the host has no values for yet, by what they are known by

const fieldKey = (field) => [typeOf(field), field.getAttribute("name") ?? "", labelOf(field)].join(" ").slice(0, 200);

/** The values learned for a field; one seen for the first time is noted, to be asked about. */
function learnedFor(field) {
  if (!(SETTINGS.auto || learned.size) || !/^(text|search|textarea)$/.test(typeOf(field))) return null;
  const key = fieldKey(field);
  const values = learned.get(key);
  if (!values && SETTINGS.auto && isOpen(field)) unlearned.set(key, field);
  return values?.length ? values : null;
}

/** Tell whether any words could be what a field waits for: somebody listens, or it searches, and it is for nothing special. */
function isOpen(field) {
  if (defaultFor(field) !== "test" || field.pattern) return false;
  const form = field.form;
  if (!form) return true;
  const about = [field.type, field.name, field.placeholder, labelOf(field), form.getAttribute("role"), form.getAttribute("action"), form.id];
  return SEARCHING.test(about.join(" ")) || partsOf(form).every((each) => each === field || !each.matches("input:not([type=hidden]), textarea")
    || UNFILLED.has(each.type) || isChosen(each));
}

let hearValues = null;

/** Ask the host for the values of fields seen for the first time; tell whether there were any. */
async function learn() {
  if (!unlearned.size || leaving) return false;
  const asked = [...unlearned].map(([key, field]) => [key, candidates(field), defaultFor(field)]);
  unlearned.clear();
  const told = new Promise((resolve) => {
    hearValues = resolve;
  });
  report({ fields: asked, done: running ? running.seen.length + 1 : 0 });
  for (const [key, values] of await told) learned.set(key, values);
  return true;
}

function receiveValues(values) {
  hearValues?.(values);
}

/** The event that puts a value into a field, itself or with its form. */
function eventFor(key, value) {
  for (const { identity, kind, element, value: offered } of events.values()) {
    if ((kind === "input" || kind === "change") && offered === value && fieldKey(element) === key) return identity;
    if (kind === "submit" && offered === "filled" && fieldsOf(element).some((field) => fieldKey(field) === key)) return identity;
  }
  return null;
}

/** What a page suggests for a field: its own list, then words, each of which most rows speak of that none before does. */
function candidates(field) {
  const own = [...field.list?.options ?? []].map((option) => option.value).filter(Boolean);
  if (own.length) return own.slice(0, LEARNED_VALUES);
  const found = [];
  let left = withoutCommon(wordRows());
  while (found.length < LEARNED_VALUES && left.length) {
    const word = mostFrequent(left);
    if (!word) break;
    found.push(left.find((row) => row.has(word)).get(word));
    left = left.filter((row) => !row.has(word));
  }
  return found;
}

/** The words of each data row, each word as it was first written; of texts, where there are no rows. */
function wordRows() {
  const rows = [...document.querySelectorAll("tbody tr, li, article, dd, [role=row], [role=listitem], [role=option]")];
  const data = rows.filter((row) => !row.closest("nav, header, footer"));
  const texts = data.length > 1 ? data : [...document.querySelectorAll("td, p, h1, h2, h3, h4, figcaption, a, label")];
  return texts.slice(0, MAX_ROWS).filter(isVisible).map((element) => {
    const words = new Map();
    for (const [word] of ownPart(element, null).matchAll(/\p{L}[\p{L}\p{N}'’-]{2,}/gu)) {
      const plain = word.toLowerCase();
      if (!STOP_WORDS.has(plain) && !words.has(plain)) words.set(plain, word);
    }
    return words;
  }).filter((words) => words.size);
}

/** The word that most rows have. */
function mostFrequent(rows) {
  const times = new Map();
  for (const row of rows) for (const word of row.keys()) times.set(word, (times.get(word) ?? 0) + 1);
  let best = null;
  for (const [word, count] of times) if (count > (times.get(best) ?? 0)) best = word;
  return best;
}

/** Take out the words that every row has: they tell nothing. */
function withoutCommon(rows) {
  if (rows.length < 2) return rows;
  const common = [...rows[0].keys()].filter((word) => rows.every((row) => row.has(word)));
  for (const row of rows) for (const word of common) row.delete(word);
  return rows.filter((row) => row.size);
}
