// What to put into fields: what the user gave, else what fits; and how a whole form is filled.

const TYPED = { email: "user@example.org", number: "1", tel: "5550100", url: "http://example.org/", date: "2024-01-15",
  time: "12:00", month: "2024-01", week: "2024-W03", "datetime-local": "2024-01-15T12:00", password: "secret-1",
  color: "#336699" };
// What a text field is for, as its autocomplete, name, id, label and placeholder tell.
const HINTS = [
  [/e-?mail/, "user@example.org"],
  [/phone|mobile|\btel/, "5550100"],
  [/\bzip|postal|postcode|\bplz\b/, "12345"],
  [/\burl\b|website|homepage/, "http://example.org/"],
  [/(^|[^a-z])(year|bday-year)/, "2024"],
  [/birth|\bbday|(^|[^a-z])date/, "2024-01-15"],
  [/amount|quantity|\bqty|price|(^|[^a-z])age\b|\bcount\b/, "1"],
  [/given-name|first.?name/, "Ada"],
  [/family-name|last.?name|surname/, "Lovelace"],
  [/country/, "Canada"],
  [/address-level2|\bcity\b|\btown\b/, "Ottawa"],
];
// Tried one after the other where a pattern refuses what fits otherwise.
const PATTERNED = ["1", "12", "123", "1234", "12345", "123456", "12345678", "a", "A", "abc", "ABC", "Abc", "ab12", "AB12",
  "ABC123", "A1", "12:00", "2024-01-15", "01/15/2024", "15.01.2024", "555-0100", "555-555-0100", "12345-6789"];
const SUGGESTIONS = 3; // so many of a field's own list
const UNFILLED = new Set(["hidden", "file", "button", "submit", "reset", "image"]);

const normal = (text) => collapse(text).toLowerCase().replace(/[\s:*]+$/, "");
const given = {
  name: new Map(SETTINGS.inputs.name),
  label: new Map(SETTINGS.inputs.label.map(([label, values]) => [normal(label), values])),
  type: new Map(SETTINGS.inputs.type),
};
const isGiven = Object.values(given).some((table) => table.size);

const typeOf = (field) => (field.localName === "input" || field.localName === "textarea" || field.localName === "select"
  ? field.type.replace(/^select.*/, "select") : "richtext");

function labelOf(field) {
  const label = field.labels?.[0];
  return (label && ownPart(label, field)) || nameOf(field);
}

/** The values that the user gave for a field, or that were learned for it; null when there are none. */
function givenTo(field) {
  if (isGiven) {
    const values = given.name.get(field.getAttribute("name") ?? field.id)
      ?? given.label.get(normal(labelOf(field))) ?? given.type.get(typeOf(field));
    if (values) return values;
  }
  return learnedFor(field);
}

/** What to type into a field, each value an event. */
function valuesFor(field) {
  return givenTo(field) ?? suggestedTo(field) ?? [defaultFor(field)];
}

function suggestedTo(field) {
  const options = field.list?.options;
  return options?.length ? [...options].slice(0, SUGGESTIONS).map((option) => option.value) : null;
}

const defaults = new Map(); // what is asked of a field -> the value that fits

function defaultFor(field) {
  const asked = ["type", "autocomplete", "name", "id", "placeholder", "min", "max", "step", "pattern", "minlength", "maxlength"]
    .map((name) => field.getAttribute(name) ?? "");
  const key = [field.localName, ...asked, labelOf(field)].join("\n");
  if (!defaults.has(key)) defaults.set(key, fitting(field, key.split("\n").slice(2).join(" ").toLowerCase()));
  return defaults.get(key);
}

function fitting(field, hints) {
  const type = typeOf(field);
  if (type === "range") return rangeValue(field);
  const usual = TYPED[type] ?? HINTS.find(([hint]) => type !== "search" && hint.test(hints))?.[1] ?? "test";
  const cut = (text) => (field.maxLength > 0 ? text.slice(0, field.maxLength) : text);
  const long = usual.length < field.minLength ? usual.padEnd(field.minLength, usual) : usual;
  if (field.localName !== "input") return cut(long);
  const probe = field.ownerDocument.createElement("input");
  for (const name of ["type", "min", "max", "step", "pattern"]) {
    if (field.hasAttribute(name)) probe.setAttribute(name, field.getAttribute(name));
  }
  const fits = (value) => {
    probe.value = value;
    return probe.value !== "" && probe.validity.valid;
  };
  const tried = [cut(long), field.min, field.max, ...(field.pattern ? [field.placeholder.slice(0, 20), ...PATTERNED] : [])];
  return tried.find((value) => value && fits(value)) ?? cut(long);
}

function rangeValue(field) {
  const probe = field.cloneNode();
  probe.value = field.max || "100";
  return probe.value;
}

/** What is in a field now. */
function typedIn(field) {
  return typeOf(field) === "richtext" ? collapse(field.textContent) : field.value;
}

/** The options of a list that can be chosen; when the user named some, only those. */
function optionsOf(select) {
  const values = givenTo(select);
  return [...select.options].filter((option) => !option.disabled && !option.closest("optgroup[disabled]")
    && (!values || values.includes(option.label) || values.includes(option.value)));
}

// Whole forms

const elementsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get;

/** The elements of a form: a form may have a field that is called "elements". */
function partsOf(form) {
  return [...elementsOf.call(form)];
}

function submitButtons(form) {
  return partsOf(form).filter((each) => each.type === "submit" || each.type === "image");
}

function fieldsOf(form) {
  const rich = [...form.querySelectorAll("[contenteditable]")].filter((each) => each.isContentEditable);
  const typed = partsOf(form).filter((each) => /^(input|textarea|select)$/.test(each.localName) && !UNFILLED.has(each.type));
  return [...typed, ...rich].filter((field) => !field.readOnly && !isDisabled(field) && isVisible(field));
}

/** Tell whether submitting a form leads somewhere in scope: to a listener, or to a document of ours. */
function canSubmit(form, isHeard) {
  const buttons = submitButtons(form);
  const action = buttons.find((each) => each.hasAttribute("formaction"))?.getAttribute("formaction") ?? form.getAttribute("action");
  if (action && !/^javascript:/i.test(action)) {
    if (originOf(action, form.baseURI) !== location.origin) return false;
  }
  return isHeard || action !== null || buttons.some(isVisible);
}

function originOf(url, base) {
  try {
    return new URL(url, base).origin;
  } catch {
    return null;
  }
}

/** The ways in which a form can be filled: one, or as many as a field of it was given values. */
function fillings(form, isHeard) {
  const fields = fieldsOf(form);
  if (!fields.length || !canSubmit(form, isHeard)) return [];
  const most = Math.max(1, ...fields.map((field) => (isChosen(field) ? 1 : givenTo(field)?.length ?? 1)));
  const ways = Array.from({ length: most }, (_, number) => number);
  return ways.filter((number) => !toFill(fields, number).next().done).map((number) => (number ? `filled ${number + 1}` : "filled"));
}

const isChosen = (field) => field.type === "checkbox" || field.type === "radio";

/** What is to be put into which fields; those that have a good value keep it, unless the user gave one. */
function* toFill(fields, number) {
  const groups = new Set(fields.filter((field) => field.type === "radio" && field.checked).map((field) => field.name));
  for (const field of fields) {
    const values = givenTo(field);
    const value = values?.[Math.min(number, values.length - 1)];
    if (field.type === "radio") {
      const isMeant = values ? value === field.value || normal(value) === normal(labelOf(field)) : !groups.has(field.name);
      if (isMeant) groups.add(field.name);
      if (isMeant && !field.checked) yield [field, null];
    } else if (field.type === "checkbox") {
      const isMeant = values ? value !== "false" : field.required || field.checked;
      if (isMeant !== field.checked) yield [field, null];
    } else if (field.localName === "select") {
      const options = optionsOf(field);
      const option = values ? options[Math.min(number, options.length - 1)] : !field.value && options.find((each) => each.value);
      if (option && !option.selected) yield [field, option.label || option.value];
    } else {
      const isGood = !values && typedIn(field) && field.validity?.valid !== false;
      const wanted = isGood ? typedIn(field) : value ?? suggestedTo(field)?.[0] ?? defaultFor(field);
      if (typedIn(field) !== wanted) yield [field, wanted];
    }
  }
}

/** What is to be put into which fields of a form, when it is filled in one of the ways. */
function wayToFill(form, way) {
  const number = Number(way.slice("filled ".length) || 1) - 1;
  return [...toFill(fieldsOf(form), number)];
}

/** What filling a form does, for those who do it again without us. */
function fillingsOf({ kind, element, value: way }) {
  if (kind !== "submit" || !way) return [];
  return wayToFill(element, way).map(([field, value]) => [
    locatorOf(field), value === null ? "click" : field.localName === "select" ? "change" : "input", value ?? "",
    labelOf(field).slice(0, 200),
  ]);
}

/** Fill a form as a user would, let the page take it in, and submit it. */
async function fillAndSubmit(form, way) {
  for (const [field, value] of wayToFill(form, way)) {
    if (value === null) click(field);
    else if (field.localName === "select") choose(field, value);
    else type(field, value);
  }
  await settle(SETTINGS.settleMs / 4);
  if (leaving || !form.isConnected) return;
  const buttons = submitButtons(form).filter(isVisible);
  const button = buttons.find((each) => !isDisabled(each));
  if (button) click(button);
  else if (!buttons.length) submitForm(form);
}

function submitForm(form) {
  HTMLFormElement.prototype.requestSubmit.call(form);
}
