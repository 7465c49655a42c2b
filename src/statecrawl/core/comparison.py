"""What appeared, vanished and changed between two crawls of one application.

a, b                 the crawls: crawl (the folder), url, states, transitions, stop_reason
same                 states, transitions: how many are in both
states, transitions  appeared, vanished, changed: lists
not_compared         transitions whose event the other crawl has not explored
warnings             what to know before believing in this
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from statecrawl.core.crawled import Crawled, CrawledTransition
from statecrawl.core.difference import Part, difference
from statecrawl.core.dom import Element, parse, visible_text
from statecrawl.core.masks import TEXT, Masks
from statecrawl.core.matching import How, Match, Side, match, renamed
from statecrawl.core.scope import path_of
from statecrawl.core.snapshot import Event, Snapshot

MAX_DETAILS = 200
"""So many details of a state that has changed are told."""

MAX_TEXT = 300
"""So long a text is told of each."""

FINISHED = ("complete", "gave_up")


class Kind(StrEnum):
    """What a difference is; what a build may want to fail on."""

    APPEARED = "appeared"
    VANISHED = "vanished"
    CHANGED = "changed"


class Detail(NamedTuple):
    """One thing that differs between a state and what has become of it.

    What: `url`, `title`, `text`, `attribute`, `part` (an element with all in it) or `event`. Where
    it is in the page, and what it was and is now; "" is nothing.
    """

    what: str
    where: str
    was: str
    now: str


class ChangedTransition(NamedTuple):
    """An event that leads elsewhere now."""

    was: CrawledTransition
    now: CrawledTransition


@dataclass(frozen=True)
class Comparison:
    """All differences: states by their ids in the crawl that has them, in the order of finding."""

    one: Crawled
    other: Crawled
    same: tuple[Match, ...]
    changed: tuple[Match, ...]
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    same_transitions: int
    changed_transitions: tuple[ChangedTransition, ...]
    appeared_transitions: tuple[CrawledTransition, ...]
    vanished_transitions: tuple[CrawledTransition, ...]
    not_compared: int

    @property
    def counts(self) -> dict[Kind, tuple[int, int]]:
        """How many states and transitions differ in which way."""
        return {
            Kind.APPEARED: (len(self.appeared), len(self.appeared_transitions)),
            Kind.VANISHED: (len(self.vanished), len(self.vanished_transitions)),
            Kind.CHANGED: (len(self.changed), len(self.changed_transitions)),
        }

    @property
    def warnings(self) -> list[str]:
        """What to know before believing in this comparison."""
        return [
            f"the {which} crawl has not seen everything ({crawled.counts.stop_reason or 'running'})"
            ": what is missing there may be there all the same"
            for which, crawled in (("first", self.one), ("second", self.other))
            if crawled.counts.stop_reason not in FINISHED
        ]

    def to_json(self, details: "Details") -> dict[str, Any]:
        """Return the document that the module describes, but for where the crawls are."""
        return {
            "a": _about(self.one),
            "b": _about(self.other),
            "same": {"states": len(self.same), "transitions": self.same_transitions},
            "states": {
                "appeared": [_state(self.other, state) for state in self.appeared],
                "vanished": [_state(self.one, state) for state in self.vanished],
                "changed": [
                    {
                        "was": _state(self.one, each.was),
                        "now": _state(self.other, each.now),
                        "matched_by": each.how,
                        "differences": [detail._asdict() for detail in details(each)],
                    }
                    for each in self.changed
                ],
            },
            "transitions": {
                "appeared": [_transition(self.other, t) for t in self.appeared_transitions],
                "vanished": [_transition(self.one, t) for t in self.vanished_transitions],
                "changed": [
                    {"was": _transition(self.one, was), "now": _transition(self.other, now)}
                    for was, now in self.changed_transitions
                ],
            },
            "not_compared": self.not_compared,
            "warnings": self.warnings,
        }


Details = Callable[[Match], Iterable[Detail]]
"""Tells what differs between a state and what has become of it."""


def compare(one: Side, other: Side) -> Comparison:
    """Compare two crawls of one application."""
    matches = match(one, other)
    ours, theirs = _Moves(one, "a"), _Moves(other, "b")
    for number, (was, now, how) in enumerate(matches):
        name = one.key(was) if how is How.SAME else f"match {number}"
        ours.names[was] = theirs.names[now] = name
        if how is not How.SAME:
            ours.renamed[was] = renamed(
                one.crawled.states[was].events, other.crawled.states[now].events
            )
    was_moves, now_moves = ours.by_place(), theirs.by_place()
    both = [
        ChangedTransition(was_moves[place].shown, now_moves[place].shown)
        for place in was_moves
        if place in now_moves and not was_moves[place].targets & now_moves[place].targets
    ]
    gone = [place for place in was_moves if place not in now_moves]
    come = [place for place in now_moves if place not in was_moves]
    may_be_there, may_have_been = theirs.unexplored(), ours.unexplored()
    matched, known = {each.was for each in matches}, {each.now for each in matches}
    return Comparison(
        one.crawled,
        other.crawled,
        tuple(each for each in matches if each.how is How.SAME),
        tuple(each for each in matches if each.how is not How.SAME),
        tuple(state for state in other.crawled.states if state not in known),
        tuple(state for state in one.crawled.states if state not in matched),
        len(was_moves) - len(gone) - len(both),
        tuple(both),
        tuple(now_moves[place].shown for place in come if place not in may_have_been),
        tuple(was_moves[place].shown for place in gone if place not in may_be_there),
        sum(place in may_be_there for place in gone)
        + sum(place in may_have_been for place in come),
    )


_Place = tuple[str, str]
"""A state and an event as both crawls name them."""


class _Led(NamedTuple):
    shown: CrawledTransition
    targets: frozenset[str]


class _Moves:
    """The transitions of one crawl in the names that both share."""

    def __init__(self, side: Side, letter: str) -> None:
        self._side = side
        self._letter = letter
        self.names: dict[str, str] = {"": ""}
        self.renamed: dict[str, Mapping[str, str]] = {}

    def by_place(self) -> dict[_Place, _Led]:
        """Return where each event of each state leads."""
        found: dict[_Place, _Led] = {}
        for transition in self._side.crawled.transitions.values():
            place = self._place(transition.source, transition.event)
            targets = frozenset(map(self._name, transition.targets))
            known = found.get(place, _Led(transition, targets))
            found[place] = _Led(known.shown, known.targets | targets)
        return found

    def unexplored(self) -> set[_Place]:
        """Return the events that are there, but that nobody has tried."""
        crawled = self._side.crawled
        enabled = {(s.id, event.identity) for s in crawled.states.values() for event in s.events}
        enabled |= {("", f"load {url}") for url in crawled.about.get("entries", ())}
        left = enabled - crawled.transitions.keys() - crawled.refused.keys()
        return {self._place(*pair) for pair in left}

    def _place(self, source: str, event: str) -> _Place:
        event = self._side.event(source, event)
        return self._name(source), self.renamed.get(source, {}).get(event, event)

    def _name(self, state: str) -> str:
        """Return the name of a state; one that has no partner has its own."""
        return self.names.get(state, f"{self._letter} {state}")


def details(was: Snapshot, now: Snapshot, masks: Masks) -> list[Detail]:
    """Return what differs between two pages, apart from what is masked."""
    shown = (("url", path_of(was.url), path_of(now.url)), ("title", was.title, now.title))
    found = [Detail(what, "", old, new) for what, old, new in shown if old != new]
    found += _events(was.events, now.events)
    before, after = masks.apply(parse(was.dom)), masks.apply(parse(now.dom))
    found += _of_content(before, after)
    return [
        detail._replace(was=detail.was[:MAX_TEXT], now=detail.now[:MAX_TEXT])
        for detail in found[:MAX_DETAILS]
    ]


def _of_content(before: Element, after: Element) -> Iterator[Detail]:
    changed, gone, come = difference(before, after)
    for path, part, was, now in changed:
        if part == TEXT:
            yield Detail("text", path, was, now)
        else:
            yield Detail("attribute", f"{path} {part}", was, now)
    for each in gone:
        yield Detail("part", each.parent, _shown(each), "")
    for each in come:
        yield Detail("part", each.parent, "", _shown(each))


def _shown(part: Part) -> str:
    text = " ".join(visible_text(part.element).split())
    return f"<{part.element.tag}> {text}".rstrip()


def _events(was: tuple[Event, ...], now: tuple[Event, ...]) -> Iterator[Detail]:
    before, after = {e.identity: e for e in was}, {e.identity: e for e in now}
    other_names = renamed(was, now)
    for name, event in before.items():
        if name in other_names:
            yield Detail("event", event.locator, _named(event), _named(after[other_names[name]]))
        elif name not in after:
            yield Detail("event", event.locator, _named(event), "")
    for name, event in after.items():
        if name not in before and name not in other_names.values():
            yield Detail("event", event.locator, "", _named(event))


def _named(event: Event) -> str:
    return f"{event.kind} {event.label}" if event.label else event.identity


def _about(crawled: Crawled) -> dict[str, Any]:
    return {
        "url": crawled.about.get("url", ""),
        "states": len(crawled.states),
        "transitions": sum(1 for _ in crawled.explored),
        "stop_reason": crawled.counts.stop_reason,
    }


def _state(crawled: Crawled, name: str) -> dict[str, Any]:
    state, plan = crawled.states[name], crawled.path(name)
    way = [] if plan is None else [f"load {plan.entry}", *(step.event for step in plan.steps)]
    return {"state": name, "url": state.url, "title": state.title, "path": way}


def _transition(crawled: Crawled, transition: CrawledTransition) -> dict[str, Any]:
    event = crawled.event(transition.source, transition.event)
    return {
        "source": transition.source,
        "event": transition.event,
        "label": event.label,
        "targets": list(transition.targets),
    }
