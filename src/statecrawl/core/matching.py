"""Which states of two crawls of one application stand for each other.

Equal ids are equal states. Of the others those are one state that has changed that the same
events lead to from states that are matched already; then those of one URL that show nearly the
same. Nothing here depends on which crawl is the first: ties go by what both have in common.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from statecrawl.core.crawled import Crawled, CrawledState
from statecrawl.core.scope import origin_of
from statecrawl.core.snapshot import Event
from statecrawl.errors import InputError

NEAR = 0.5
"""How alike two pages have to be that no event tells to be one."""

MAX_SHARED = 50
"""What more pages of one URL show says nothing about which of them is which."""


class How(StrEnum):
    """By what two states are known to be one."""

    SAME = "same"
    PATH = "path"
    CONTENT = "content"


class Match(NamedTuple):
    """A state of the first crawl, and the one that it is in the second."""

    was: str
    now: str
    how: How


@dataclass(frozen=True)
class Side:
    """One of two crawls. The keys are equal for equal states of both; left out, ids are keys."""

    crawled: Crawled
    keys: Mapping[str, str] = field(default_factory=dict)

    def key(self, state: str) -> str:
        """Return what a state is known by in both crawls."""
        return self.keys.get(state, state)

    def relative(self, url: str) -> str:
        """Return a URL without the origin of the crawl: another host may serve the same."""
        rest = url.removeprefix(self._origin) if self._origin else url
        return rest if rest == url or rest[:1] in ("", "/", "?", "#") else url

    @cached_property
    def _origin(self) -> str:
        try:
            return origin_of(str(self.crawled.about.get("url", "")))
        except InputError:  # a simulated application has names for URLs
            return ""

    @cached_property
    def leads(self) -> Mapping[str, Mapping[str, str]]:
        """Where each event of each state leads, if always to one; those of "" are the loads."""
        found: dict[str, dict[str, str]] = {}
        for transition in self.crawled.transitions.values():
            if not transition.outcomes:
                event = self.event(transition.source, transition.event)
                found.setdefault(transition.source, {})[event] = transition.target
        return found

    def event(self, source: str, event: str) -> str:
        """Return an event as both crawls name it: loads without the origin."""
        kind, _, url = event.partition(" ")
        return event if source else f"{kind} {self.relative(url)}"

    def features(self, state: CrawledState) -> frozenset[tuple[str, ...]]:
        """Return what a state shows, as far as it is known without its content."""
        return frozenset(
            [
                ("url", self.relative(state.url)),
                ("title", state.title),
                *(("event", event.identity) for event in state.events),
                *(("region", *region) for region in state.regions.items()),
            ]
        )


def match(one: Side, other: Side) -> list[Match]:
    """Return every state that is in both crawls, the same or changed."""
    return _Matching(one, other).matches()


def renamed(was: Iterable[Event], now: Iterable[Event]) -> dict[str, str]:
    """Return which events of a state are called otherwise now: those that stand at one place."""
    before, after = {e.identity: e for e in was}, {e.identity: e for e in now}
    gone = _places(event for name, event in before.items() if name not in after)
    come = _places(event for name, event in after.items() if name not in before)
    return {gone[place]: come[place] for place in gone if place in come}


def _places(events: Iterable[Event]) -> dict[tuple[str, str], str]:
    """Return events by where they stand, if nothing else of their kind stands there."""
    found: dict[tuple[str, str], list[str]] = {}
    for event in events:
        if event.locator:
            found.setdefault((event.kind, event.locator), []).append(event.identity)
    return {place: names[0] for place, names in found.items() if len(names) == 1}


class _Matching:
    def __init__(self, one: Side, other: Side) -> None:
        self._one, self._other = one, other
        ours, theirs = _by_key(one), _by_key(other)
        self._same = [
            Match(was, now, How.SAME)
            for key in ours
            if key in theirs
            for was, now in _paired(ours[key], theirs[key])
        ]
        self._left = {state for state in one.crawled.states if one.key(state) not in theirs}
        self._right = {state for state in other.crawled.states if other.key(state) not in ours}
        self._found: dict[str, Match] = {}
        self._shows: dict[tuple[bool, str], frozenset[tuple[str, ...]]] = {}

    def matches(self) -> list[Match]:
        """Match by ids, by the ways there, by content, and by the ways from there on."""
        self._walk([Match("", "", How.SAME), *self._same])
        self._walk(self._take(self._near(), How.CONTENT))
        changed = (self._found[s] for s in self._one.crawled.states if s in self._found)
        return [*self._same, *changed]

    def _walk(self, rim: list[Match]) -> None:
        """Match what the same events lead to, one event farther each time."""
        while rim:
            led = Counter(pair for each in rim for pair in self._targets(each))
            rim = self._take(led, How.PATH)

    def _targets(self, at: Match) -> Iterator[tuple[str, str]]:
        """Yield the unmatched states that one event leads to from states that are matched."""
        ours = self._one.leads.get(at.was, {})
        theirs = self._other.leads.get(at.now, {})
        names = renamed(self._events(self._one, at.was), self._events(self._other, at.now))
        for event, was in ours.items():
            now = theirs.get(names.get(event, event))
            if was in self._left and now is not None and now in self._right:
                yield was, now

    @staticmethod
    def _events(side: Side, state: str) -> tuple[Event, ...]:
        return side.crawled.states[state].events if state else ()

    def _take(self, pairs: Iterable[tuple[str, str]], how: How) -> list[Match]:
        """Take pairs that are likest each other first, each state once."""
        taken = []
        for was, now in sorted(pairs, key=self._rank):
            if was in self._left and now in self._right:
                self._left.discard(was)
                self._right.discard(now)
                self._found[was] = Match(was, now, how)
                taken.append(self._found[was])
        return taken

    def _rank(self, pair: tuple[str, str]) -> tuple[float, str, str]:
        return (-self._likeness(*pair), min(pair), max(pair))

    def _likeness(self, was: str, now: str) -> float:
        """Return how much of what either state shows both do; what many show counts little."""
        ours, theirs = self._features(self._one, was), self._features(self._other, now)
        shared, shown = (
            sum(1 / self._commonness[feature] for feature in features)
            for features in (ours & theirs, ours | theirs)
        )
        return round(shared / shown, 6)

    @cached_property
    def _commonness(self) -> Mapping[tuple[str, ...], int]:
        """How many states show a feature, in the crawl where more do."""
        ours, theirs = (
            Counter(feature for s in side.crawled.states for feature in self._features(side, s))
            for side in (self._one, self._other)
        )
        return ours | theirs

    def _features(self, side: Side, state: str) -> frozenset[tuple[str, ...]]:
        name = (side is self._one, state)
        if name not in self._shows:
            self._shows[name] = side.features(side.crawled.states[state])
        return self._shows[name]

    def _near(self) -> list[tuple[str, str]]:
        """Return the pairs of unmatched states of one URL that are alike."""
        ours, theirs = self._shown(self._one, self._left), self._shown(self._other, self._right)
        pairs = {
            (was, now)
            for shown in ours.keys() & theirs.keys()
            if max(len(ours[shown]), len(theirs[shown])) <= MAX_SHARED
            for was in ours[shown]
            for now in theirs[shown]
        }
        return [pair for pair in pairs if self._likeness(*pair) >= NEAR]

    def _shown(self, side: Side, states: set[str]) -> dict[tuple[str, ...], list[str]]:
        """Return which of the states show what, each under its URL."""
        found: dict[tuple[str, ...], list[str]] = {}
        for state in states:
            url = side.relative(side.crawled.states[state].url)
            for feature in self._features(side, state):
                found.setdefault((url, *feature), []).append(state)
        return found


def _by_key(side: Side) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for state in side.crawled.states:
        found.setdefault(side.key(state), []).append(state)
    return found


def _paired(ours: list[str], theirs: list[str]) -> Iterator[tuple[str, str]]:
    """Pair states that are all one; what one crawl has more of goes with the other's first."""
    for number in range(max(len(ours), len(theirs))):
        yield (
            ours[number] if number < len(ours) else ours[0],
            theirs[number] if number < len(theirs) else theirs[0],
        )
