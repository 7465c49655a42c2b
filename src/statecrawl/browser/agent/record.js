// Recording how a person signs in: which fields are filled and what is clicked, never a password.

const secrets = new WeakSet(); // fields that were for a password once, even if they show it now

function hear(kind, listener) {
  realm.listen.call(window, kind, (event) => event.isTrusted && listener(event.composedPath()[0]), true);
}

function tell(message) {
  send(realm.stringify(message));
}

function noteField(element) {
  if (element.nodeType !== 1 || !isField(element)) return;
  if (element.type === "password" || /password/.test(element.autocomplete ?? "")) secrets.add(element);
  const isSecret = secrets.has(element);
  const value = element.localName === "select" ? element.selectedOptions[0]?.label : element.value ?? element.textContent;
  tell({ fill: nameFor(element, fieldCalled), isSecret, value: isSecret ? "" : value });
}

function noteClick(element) {
  const control = element.nodeType === 1 ? element.closest(CONTROLS) : null;
  if (control && isControl(control)) tell({ click: nameFor(control, controlCalled) });
}

hear("focusin", (element) => element.type === "password" && secrets.add(element));
hear("input", noteField);
hear("change", noteField);
hear("click", noteClick);
