// Firing an event as a user would: the whole sequence of pointer, mouse, focus and key events.

let hovered = null; // where the pointer is

const aimed = new WeakMap(); // event -> the element it was fired at

function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/**
 * Where an event happened is computed when somebody asks: it needs a layout of the page, which
 * takes a third of a step.
 */
function patchCoordinates(win) {
  const scroll = { x: "scrollX", y: "scrollY" };
  for (const axis of ["x", "y"]) {
    const name = axis.toUpperCase();
    for (const property of [axis, `client${name}`, `page${name}`, `screen${name}`, `offset${name}`, `layer${name}`]) {
      replaceAccessor(win.MouseEvent.prototype, property, "get", (original) => function () {
        const element = aimed.get(this);
        if (!element?.isConnected) return original.call(this);
        if (/^(offset|layer)/.test(property)) return centre(element)[axis] - element.getBoundingClientRect()[axis];
        return centre(element)[axis] + (property.startsWith("page") ? win[scroll[axis]] : 0);
      });
    }
  }
}

const MOVES = ["pointermove", "pointerover", "pointerout", "pointerenter", "pointerleave",
  "mousemove", "mouseover", "mouseout", "mouseenter", "mouseleave"];

/** The browser's own pointer is only lent for a click: where it rests, and what comes to lie under it, says nothing. */
function hidePointer(win) {
  for (const type of MOVES) {
    realm.listen.call(win, type, (event) => event.isTrusted && event.stopImmediatePropagation(), true);
  }
}

function pointer(element, type, more = {}) {
  const win = element.ownerDocument.defaultView;
  const Kind = type.startsWith("pointer") || type === "click" || type === "contextmenu" ? win.PointerEvent : win.MouseEvent;
  const bubbles = !type.endsWith("enter") && !type.endsWith("leave");
  const event = new Kind(type, {
    bubbles, cancelable: bubbles, composed: true, view: win, pointerId: 1, pointerType: "mouse", isPrimary: true, ...more,
  });
  aimed.set(event, element);
  return element.dispatchEvent(event);
}

function moveTo(element) {
  if (hovered === element) return;
  if (hovered?.isConnected) {
    for (const type of ["pointerout", "mouseout"]) pointer(hovered, type, { relatedTarget: element });
    for (const type of ["pointerleave", "mouseleave"]) {
      for (let each = hovered; each && !each.contains(element); each = each.parentElement) pointer(each, type);
    }
  }
  const entered = [];
  for (let each = element; each && !(hovered?.isConnected && each.contains(hovered)); each = each.parentElement) entered.unshift(each);
  hovered = element;
  for (const [over, enter, move] of [["pointerover", "pointerenter", "pointermove"], ["mouseover", "mouseenter", "mousemove"]]) {
    pointer(element, over);
    for (const each of entered) pointer(each, enter);
    pointer(element, move);
  }
}

function press(element, button = 0) {
  const down = { button, buttons: button === 2 ? 2 : 1, detail: 1 };
  pointer(element, "pointerdown", { ...down, pressure: 0.5 });
  if (pointer(element, "mousedown", down)) focusOn(element);
  pointer(element, "pointerup", { ...down, buttons: 0 });
  pointer(element, "mouseup", { ...down, buttons: 0 });
}

function focusOn(element) {
  const target = element.closest("input, textarea, select, button, a[href], summary, [tabindex], [contenteditable]");
  const active = element.ownerDocument.activeElement;
  if (target && target !== active) {
    // Giving focus needs a layout; where nobody looks at it, it is left out.
    if (focusMatters || /^(input|textarea|select)$/.test(target.localName) || target.isContentEditable) {
      target.focus({ preventScroll: true });
    }
  } else if (!target && active && active !== element.ownerDocument.body) active.blur?.();
}

function click(element, detail = 1) {
  moveTo(element);
  press(element);
  const target = element.closest("a[target], area[target]");
  const where = target?.getAttribute("target");
  if (target) target.removeAttribute("target"); // what would open a window opens here
  if (element.isConnected) pointer(element, "click", { detail });
  if (target && !target.hasAttribute("target")) target.setAttribute("target", where);
}

function key(element, name) {
  const win = element.ownerDocument.defaultView;
  const code = Number(Object.keys(KEY_CODES).find((each) => KEY_CODES[each] === name) ?? 0);
  const make = (type) => new win.KeyboardEvent(type, {
    key: name, code: name, keyCode: code, which: code, bubbles: true, cancelable: true, composed: true, view: win,
  });
  if (element.localName !== "body") element.focus({ preventScroll: true });
  const goesOn = element.dispatchEvent(make("keydown"));
  const pressed = name !== "Enter" || !goesOn || element.dispatchEvent(make("keypress"));
  if (goesOn && pressed && name === "Enter" && element.localName === "input" && element.form) submitForm(element.form);
  element.dispatchEvent(make("keyup"));
}

/** Put a text in the place of what is there; an editor is asked to do it itself, where it can. */
function setValue(element, value) {
  const win = element.ownerDocument.defaultView;
  const typed = { data: value, inputType: "insertText", bubbles: true, composed: true };
  const isRich = typeOf(element) === "richtext";
  if (isRich) win.getSelection().selectAllChildren(element);
  if (!element.dispatchEvent(new win.InputEvent("beforeinput", { ...typed, cancelable: true }))) return;
  if (isRich) {
    if (element.ownerDocument.execCommand("insertText", false, value)) return;
    element.textContent = value;
  } else {
    const owner = element.localName === "textarea" ? win.HTMLTextAreaElement : win.HTMLInputElement;
    Object.getOwnPropertyDescriptor(owner.prototype, "value").set.call(element, value);
  }
  element.dispatchEvent(new win.InputEvent("input", typed));
}

function type(element, value) {
  const win = element.ownerDocument.defaultView;
  element.focus({ preventScroll: true });
  const last = value.slice(-1);
  const keyed = (kind) => new win.KeyboardEvent(kind, { key: last, bubbles: true, cancelable: true, composed: true, view: win });
  element.dispatchEvent(keyed("keydown"));
  setValue(element, value);
  element.dispatchEvent(keyed("keyup"));
  if (typeOf(element) !== "richtext") element.dispatchEvent(new win.Event("change", { bubbles: true }));
}

function choose(select, label) {
  const index = [...select.options].findIndex((option) => (option.label || option.value) === label);
  if (index < 0) return;
  const win = select.ownerDocument.defaultView;
  select.focus({ preventScroll: true });
  Object.getOwnPropertyDescriptor(win.HTMLSelectElement.prototype, "selectedIndex").set.call(select, index);
  select.dispatchEvent(new win.Event("input", { bubbles: true, composed: true }));
  select.dispatchEvent(new win.Event("change", { bubbles: true }));
}

function scrolledBy(element) {
  return element.localName === "body" ? document.scrollingElement : element;
}

/** Everything that an element can be scrolled in, frames and shadow roots included. */
function scrollersAround(element) {
  const found = [];
  for (let each = element; each; each = each.parentElement ?? hostOf(each.getRootNode()) ?? each.ownerDocument.defaultView?.frameElement) {
    found.push(each);
  }
  return found;
}

function hearsScroll(scroller) {
  const root = scroller.ownerDocument;
  const targets = scroller === root.scrollingElement ? [scroller, root, root.defaultView] : [scroller];
  return targets.some((target) => listening.get(target)?.has("scroll"));
}

const heardAt = new WeakMap(); // what is scrolled -> where it was when the page last heard of it

/** Browsers tell of scrolling when the next frame is drawn. */
function watchScrolling() {
  realm.listen.call(window, "scroll", ({ isTrusted, target }) => {
    if (!isTrusted) return;
    const scroller = target === document ? document.scrollingElement : target;
    if (scroller) heardAt.set(scroller, scroller.scrollTop);
    activity += 1;
  }, true);
}

/** Tell whether the page is yet to hear of scrolling that it listens for. */
function isScrollOwed() {
  const scroller = document.scrollingElement;
  return Boolean(scroller) && hearsScroll(scroller) && scroller.scrollTop !== (heardAt.get(scroller) ?? 0);
}

let scrollBack = () => {}; // puts back what the event under way was scrolled for

/**
 * Where something is scrolled is nothing that a page shows: what is only scrolled to fire an event is put
 * back afterwards. Not where the page has scrolled since, nor, once it has changed, where somebody listens.
 */
function scrollFor(scrollers, scroll) {
  const before = scrollers.map(({ scrollTop, scrollLeft }) => [scrollTop, scrollLeft]);
  scroll();
  const moved = scrollers.map((scroller, number) => [scroller, before[number], [scroller.scrollTop, scroller.scrollLeft]])
    .filter(([, [top, left], [newTop, newLeft]]) => top !== newTop || left !== newLeft);
  scrollBack = (hasChanged) => {
    for (const [scroller, [top, left], [newTop, newLeft]] of moved) {
      const isThere = scroller.scrollTop === newTop && scroller.scrollLeft === newLeft;
      if (!isThere || (hasChanged && hearsScroll(scroller))) continue;
      scroller.scrollTo({ top, left, behavior: "instant" });
      heardAt.set(scroller, scroller.scrollTop);
    }
    scrollBack = () => {};
  };
}

const FIRE = {
  click: ({ element }) => click(element),
  dblclick({ element }) {
    click(element, 1);
    click(element, 2);
    pointer(element, "dblclick", { detail: 2 });
  },
  hover: ({ element }) => moveTo(element),
  contextmenu({ element }) {
    moveTo(element);
    press(element, 2);
    pointer(element, "contextmenu", { button: 2 });
  },
  key: ({ element, value }) => key(element, value),
  input: ({ element, value }) => type(element, value),
  change: ({ element, value }) => (element.localName === "select" ? choose(element, value) : type(element, value)),
  submit: ({ element, value }) => (value ? fillAndSubmit(element, value) : submitForm(element)),
  scroll({ element }) {
    const scrolled = scrolledBy(element);
    scrollFor([scrolled], () => scrolled.scrollTo({ top: scrolled.scrollHeight, behavior: "instant" }));
    return frame();
  },
  timeout: ({ timer }) => clock.run(timer, ""),
  back: () => history.back(),
};
