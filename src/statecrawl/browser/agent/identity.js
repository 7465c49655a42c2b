// What an event is known by: an identity that outlives small changes, its group, its locator.

const counts = (text) => text.replace(/[([{]\s*[\d.,:/ ]+\s*[)\]}]/g, "(#)");
const numbers = (text) => text.replace(/\d+([.,:/]\d+)*/g, "#");
const valueless = (code) => numbers(code.replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '""'));
const shortened = (text) => (text.length > 60 ? `${text.slice(0, 40)}…${hash53(text, 3)}` : text);

const NUMBERED = /#\S*\d\S*$/; // an id that a program may have counted up

function landmarkName(element, role) {
  const label = element.getAttribute("aria-label");
  const id = idOf(element);
  const isNumbered = /\d/.test(id);
  const name = id && !isNumbered ? `#${id}` : label ? ` ${numbers(label)}` : "";
  return `${role ?? element.localName}${name}${isNumbered ? `#${id}` : ""}`;
}

/** The id of an element, if a person has written it and it is the same at each visit. */
function idOf(element) {
  const id = element.getAttribute("id");
  return id && isWritten(id) && !isMasked(element, "id") ? id : "";
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
  if (!element) return event.timer ? `timeout ${value} ${hash53(keyOf(event.timer, value), 4)}` : kind;
  const facts = (event.facts ??= factsOf(element, row));
  const written = (name) => (exactNumbers ? name : name.replace(NUMBERED, ""));
  const simplify = exactNumbers ? (text) => text : facts.isInRow ? counts : (text) => numbers(counts(text));
  const parts = [kind, value && JSON.stringify(value), facts.role ?? facts.tag, facts.type,
    facts.name && `"${shortened(simplify(facts.name))}"`, facts.id && (exactNumbers || !facts.name) && written(`#${facts.id}`),
    facts.given && `name=${facts.given}`, facts.href && shortened(facts.href),
    facts.handler && shortened(simplify(facts.handler)), facts.data && shortened(simplify(facts.data)),
    facts.rowText && `of "${shortened((exactRow ? (text) => text : numbers)(facts.rowText))}"`,
    landmark && `in ${written(landmark)}`];
  return parts.filter(Boolean).join(" ");
}

function factsOf(element, row) {
  const tag = element.localName;
  const name = nameOf(element);
  const data = [];
  let handler = "";
  for (const { name: attribute, value } of element.attributes) {
    if (attribute.startsWith("data-")) {
      if (!value || NO_CONTROL_DATA.test(attribute) || isCounter(attribute, value) || isMasked(element, attribute)) continue;
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
    id: idOf(element),
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
  for (const event of found) {
    const number = (ordinals.get(event.identity) ?? 0) + 1;
    ordinals.set(event.identity, number);
    if (number > 1) event.identity += ` ~${number}`;
  }
  return found;
}

/**
 * The kind of place where a control stands, and what it is written to do: the tags from its landmark
 * or the nearest part with a name down, and its handler without the values that it is given.
 */
function groupOf(event) {
  const tags = [];
  for (let each = event.element; each && each.localName !== "html"; each = each.parentElement) {
    const place = each !== event.element && !isRow(each) ? placeName(each) : "";
    tags.push(each.localName + place);
    if (place || LANDMARKS.has(each.localName) || LANDMARK_ROLES.has(each.getAttribute("role"))) break;
  }
  const handler = shortened(valueless((event.facts ??= factsOf(event.element, event.row)).handler));
  return `${event.kind} ${event.landmark} ${tags.reverse().join(">")} ${handler}`.trim();
}

function placeName(element) {
  const id = element.getAttribute("id");
  return isWritten(id) && !isMasked(element, "id") ? `#${numbers(id)}` : "";
}

/** Where to find a control, as a CSS selector; " |> " leads into a frame, a blank into a shadow root. */
function locatorOf(element) {
  const root = element.getRootNode();
  const frame = root.defaultView?.frameElement;
  const host = hostOf(root);
  if (host) return `${locatorOf(host)} ${stepsTo(element)}`;
  return frame ? `${locatorOf(frame)} |> ${stepsTo(element)}` : stepsTo(element);
}

function stepsTo(element) {
  const steps = [];
  for (let each = element; each; each = each.parentElement) {
    const id = each.getAttribute("id");
    if (isWritten(id)) {
      steps.push(/^[A-Za-z][\w-]*$/.test(id) ? `#${id}` : `[id="${id}"]`);
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
