"""Walks to each state that statecrawl found, and looks whether the page shows what it showed then.

    pip install pytest-playwright
    pytest THIS_FILE                                  # where the crawl was
    pytest THIS_FILE --base-url http://localhost:3000 # somewhere else
    pytest THIS_FILE -k 4f1c                          # one state

Secrets are not in this file: what it calls a Variable is read from the environment.
A page shows its visible texts and what is in its fields, but for what differed between visits.
"""

import os
import time
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Error, Locator, Page

SECONDS = 10.0  # that a page may take to show what it should
CLICK_MS = 3_000


class Variable(NamedTuple):
    """Stands for what a variable of the environment holds."""

    name: str


Value = str | Variable


class Step(NamedTuple):
    """Do something with a control; `state` is where that leads.

    Fields may be filled before: where each is, what is done to it, and what is put into it.
    """

    kind: str
    locator: str
    value: Value
    label: str
    state: str
    fillings: tuple[tuple[str, str, Value], ...] = ()


class Path(NamedTuple):
    """Load a URL, which leads to a state, then take steps; a path may say why it can't be walked."""

    url: str
    state: str
    steps: list[Step]
    skip: str = ""


# <data>
URL = ""  # where the crawl started
CLOCK = 0  # the time that pages were told, in milliseconds
MASKS: list[list[str]] = []  # places, and parts of them, that differ between visits
IGNORED = ""  # parts that do not count, as a CSS selector
BASIC: list[Value] = []  # what a server is told that asks by itself: user, password
SIGN_IN: list[list[Value]] = []  # what to do first
SHOWN: dict[str, list[str]] = {}  # what each state shows
PATHS: dict[str, Path] = {}  # how to get to each
# </data>

READ = r"""([masks, ignored]) => {
  const left = new Set(["script", "style", "link", "meta", "noscript", "base", "head", "title"]);
  const places = masks.map(([path, part]) => [new RegExp(`^${path.replace(/[[\]]/g, "\\$&")
    .replaceAll("\\[*\\]", "\\[\\d+\\]")}$`), part]);
  const lines = [];
  const say = (path, part, text) => {
    const line = text.replace(/\s+/g, " ").trim();
    if (line && !places.some(([place, masked]) => masked === part && place.test(path))) lines.push(line);
  };
  const readAll = (parent, path, numbers) => {
    let run = "";
    for (const child of parent.childNodes) {
      if (child.nodeType === 3) run += child.data;
      if (child.nodeType !== 1 || left.has(child.localName)) continue;
      say(path, "text", run);
      run = "";
      numbers[child.localName] = (numbers[child.localName] ?? 0) + 1;
      read(child, `${path}/${child.localName}[${numbers[child.localName]}]`);
    }
    say(path, "text", run);
  };
  const read = (element, path) => {
    const tag = element.localName;
    if (!element.checkVisibility({ visibilityProperty: true })) return;
    if (ignored && element.matches(ignored)) return;
    if (tag === "input" && /^(checkbox|radio)$/.test(element.type)) {
      if (element.checked) say(path, "checked", "(checked)");
    } else if (tag === "input" && !/^(password|file|hidden)$/.test(element.type)) {
      say(path, "value", element.value);
    }
    if (tag === "option" && element.selected) say(path, "selected", "(selected)");
    if (tag === "textarea") return say(path, "text", element.value);
    if (tag === "iframe") {
      let inner = null;
      try { inner = element.contentDocument?.documentElement; } catch { /* of another origin */ }
      if (inner) read(inner, `${path}/html[1]`);
      return;
    }
    if (element.shadowRoot) readAll(element.shadowRoot, `${path}/template[1]`, {});
    readAll(element, path, element.shadowRoot ? { template: 1 } : {});
  };
  read(document.documentElement, "html");
  return lines;
}"""

SCROLL = """element => {
  const scrolled = element === document.body ? document.scrollingElement : element;
  scrolled.scrollTop = scrolled.scrollHeight;
}"""

BUTTON = """form => {
  const get = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements").get;
  const buttons = [...get.call(form)].filter((each) =>
    /^(submit|image)$/.test(each.type) && each.checkVisibility({ visibilityProperty: true }));
  return buttons.find((each) => !each.matches(":disabled")) ?? (buttons.length ? null : form);
}"""

SEND = "form => HTMLFormElement.prototype.requestSubmit.call(form)"

STAY_HERE = "element => element.closest('a[target], area[target]')?.removeAttribute('target')"


@pytest.fixture(scope="session")
def browser_context_args(
    browser_context_args: dict[str, Any], base_url: str | None
) -> dict[str, Any]:
    """Tell who we are, where the crawl was told to; nobody else hears it."""
    if not BASIC:
        return browser_context_args
    user, password = map(spoken, BASIC)
    here = urlsplit(address(URL, base_url))
    who = {"username": user, "password": password, "origin": f"{here.scheme}://{here.netloc}"}
    return {**browser_context_args, "http_credentials": who}


@pytest.mark.parametrize("state", PATHS)
def test_state(page: Page, base_url: str | None, state: str) -> None:
    path = PATHS[state]
    if path.skip:
        pytest.skip(path.skip)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.on("dialog", lambda dialog: dialog.accept(dialog.default_value or "test"))
    page.clock.install(time=CLOCK / 1000)
    for what, *words in SIGN_IN:
        sign_in(page, base_url, what, [spoken(word) for word in words])
    page.goto(address(path.url, base_url))
    arrive(page, path.state)
    for step in path.steps:
        fire(page, step)
        arrive(page, step.state)


def address(url: str, base_url: str | None) -> str:
    parts = urlsplit(urljoin(URL, url))
    here = parts._replace(scheme="", netloc="").geturl()
    return urljoin(base_url, here) if base_url else parts.geturl()


def spoken(value: Value) -> str:
    if isinstance(value, str):
        return value
    if value.name not in os.environ:
        pytest.fail(f"set {value.name} in the environment", pytrace=False)
    return os.environ[value.name]


def sign_in(page: Page, base_url: str | None, what: Value, words: list[str]) -> None:
    if what == "open":
        page.goto(address(words[0], base_url))
    elif what == "fill":
        field, value = words
        named(page, field, "textbox").fill(value)
    elif what == "click":
        named(page, words[0], "button").click()
    else:
        page.get_by_text(words[0]).first.wait_for()


def named(page: Page, name: str, role: Any) -> Locator:
    if name.startswith("css="):
        return page.locator(name).first
    given = page.locator(f"[name={quoted(name)}]")
    found = page.get_by_label(name).or_(page.get_by_placeholder(name)).or_(given)
    return found.or_(page.get_by_role(role, name=name)).or_(page.get_by_text(name)).first


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fire(page: Page, step: Step) -> None:
    value = spoken(step.value)
    if step.kind == "timeout":
        page.clock.run_for(int(value))
        return
    if step.kind == "back":
        page.go_back()
        return
    target = at(page, step.locator)
    for locator, kind, filling in step.fillings:
        field = at(page, locator)
        if kind == "click":
            point(field, kind)
        else:
            put(field, spoken(filling))
    if step.kind in ("click", "dblclick", "contextmenu", "hover"):
        point(target, step.kind)
    elif step.kind == "key":
        target.press(value)
    elif step.kind == "submit":
        send(page, target, with_button=bool(step.fillings))
    elif step.kind == "scroll":
        target.evaluate(SCROLL)
    else:
        put(target, value)


def at(page: Page, locator: str) -> Locator:
    *frames, inner = locator.split(" |> ")
    scope: Any = page
    for frame in frames:
        scope = scope.frame_locator(f"css={frame}")
    found: Locator = scope.locator(f"css={inner}").first
    return found


def put(target: Locator, value: str) -> None:
    """Choose from a list, or type."""
    if target.evaluate("element => element.localName") == "select":
        target.select_option(label=value)
    else:
        target.fill(value)
        target.dispatch_event("change")


def send(page: Page, form: Locator, *, with_button: bool) -> None:
    """Submit a form; by its button, as soon as that may be clicked, if it has one."""
    deadline = time.monotonic() + CLICK_MS / 1000
    button = None
    while with_button and button is None and time.monotonic() < deadline:
        button = form.evaluate_handle(BUTTON).as_element()
        if button is None:
            page.wait_for_timeout(50)
    if button is None or button.evaluate("found => found.localName") == "form":
        form.evaluate(SEND)
    else:
        button.click(timeout=CLICK_MS)


def point(target: Locator, kind: str) -> None:
    """Click or hover as a user does; what nobody could aim at is told of the event alone."""
    target.evaluate(STAY_HERE)
    try:
        if kind == "hover":
            target.hover(timeout=CLICK_MS)
        elif kind == "dblclick":
            target.dblclick(timeout=CLICK_MS)
        else:
            button: Any = "right" if kind == "contextmenu" else "left"
            target.click(button=button, timeout=CLICK_MS)
    except Error:
        target.dispatch_event("mouseover" if kind == "hover" else kind)


def arrive(page: Page, state: str) -> None:
    """Wait until the page shows what the state showed."""
    deadline = time.monotonic() + SECONDS
    shown: list[str] = []
    while time.monotonic() < deadline:
        try:
            shown = page.evaluate(READ, [MASKS, IGNORED])
        except Error:  # between two documents
            shown = []
        if same(shown, SHOWN[state]):
            return
        page.wait_for_timeout(50)
    assert shown == SHOWN[state], f"the page is not in state {state} any more"


def same(shown: list[str], expected: list[str]) -> bool:
    """Compare lines; `***` stands for a secret that nobody wrote down."""
    if len(shown) != len(expected):
        return False
    pairs = zip(shown, expected, strict=True)
    return all(line == want or "***" in want for line, want in pairs)
