"""A crawl as it can be read, running or finished: what exporters, reports and replays go by."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from statecrawl.core.application import Application, Division, Documents, Link
from statecrawl.core.classes import Classes
from statecrawl.core.counts import Counts
from statecrawl.core.dom import parse
from statecrawl.core.exchange import Contents, NoContents
from statecrawl.core.findings import Finding, Passage, Sighting, dead_ends, distinct
from statecrawl.core.guess import MOVED, MOVED_ANYWAY, Cause, Guess
from statecrawl.core.invocations import InvocationGraph
from statecrawl.core.learned import EventEffects, learned_effects
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Plan, Step
from statecrawl.core.problems import OF_STATES, FindingKind, Problem
from statecrawl.core.regions import EARLIER_CUTS, regions
from statecrawl.core.snapshot import NEW_DOCUMENT, Change, Event, LeftAlone

_LOAD = "load "
_NO_WAY_OUT = Problem(FindingKind.DEAD_END, "no event leads out of this state")


@dataclass(frozen=True, slots=True)
class CrawledState:
    """A state: its page without the content, and when and how deep it was found."""

    id: str
    url: str
    title: str
    events: tuple[Event, ...]
    regions: Mapping[str, str]
    found_events: int
    found_resets: int
    found_seconds: float
    depth: int


@dataclass(frozen=True, slots=True)
class CrawledTransition:
    """Where an event led first; if it ever led elsewhere, how often it was seen to lead where.

    The source of a reset is "", its event `load URL`. The changes are those of the first time.
    An assumed one was never taken: loading its link's URL gives the target.
    """

    source: str
    event: str
    target: str
    changes: tuple[Change, ...] = ()
    outcomes: Mapping[str, int] = field(default_factory=dict)
    is_assumed: bool = False

    @property
    def targets(self) -> Mapping[str, int]:
        """Every state that it led to, and how often that was recorded."""
        return self.outcomes or {self.target: 1}


Pair = tuple[str, str]
"""A state and one of its events; the state of an entry is ""."""


@dataclass(frozen=True)
class Crawled:
    """Everything a crawl knows, but for the content of its pages; all in the order of learning.

    Of its settings (`about`) it reads `url`, `entries` (URLs, in the order given to the crawl),
    `strategy`, `equivalence`, `reset_cost` and `warnings` (by what each is about). Guesses why
    events are nondeterministic are there when somebody made them (`core.causes`), and so are
    near-duplicate classes; the content of pages is as long as the store that it comes from is open.
    `opened` are the URLs, in scope, of windows that each event opened.
    """

    about: Mapping[str, Any]
    counts: Counts = field(default_factory=Counts)
    states: Mapping[str, CrawledState] = field(default_factory=dict)
    transitions: Mapping[Pair, CrawledTransition] = field(default_factory=dict)
    refused: Mapping[Pair, str] = field(default_factory=dict)
    given_up: tuple[Pair, ...] = ()
    masks: Masks = field(default_factory=Masks)
    calls: InvocationGraph = field(default_factory=InvocationGraph)
    aliases: Mapping[str, str] = field(default_factory=dict)
    sightings: tuple[Sighting, ...] = ()
    guesses: Mapping[Pair, Guess] = field(default_factory=dict)
    contents: Contents = field(default_factory=NoContents, compare=False)
    classes: Classes = field(default_factory=Classes)
    opened: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def entries(self) -> dict[str, str]:
        """The URLs that were loaded, in the order given to the crawl: URL -> state."""
        return {load.event.removeprefix(_LOAD): load.target for load in self._loads()}

    @property
    def explored(self) -> Iterator[CrawledTransition]:
        """Every transition between states: all but the loads of entries."""
        return (transition for (source, _), transition in self.transitions.items() if source)

    @property
    def nondeterministic(self) -> tuple[Pair, ...]:
        """Every state and event seen to lead to more than one state."""
        return tuple(pair for pair, found in self.transitions.items() if found.outcomes)

    @property
    def moved(self) -> str:
        """What to say when a page that is loaded is not what it was, for the server's sake."""
        if not any(
            not source and guess.why is Cause.SERVER_STATE
            for (source, _), guess in self.guesses.items()
        ):
            return ""
        return MOVED_ANYWAY if self.about.get("reset_command") else MOVED

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know before believing in this crawl."""
        said: Mapping[str, str] = self.about.get("warnings", {})
        return (*said.values(), self.moved) if self.moved else tuple(said.values())

    @cached_property
    def effects(self) -> list[EventEffects]:
        """What each event was seen to do to the regions of pages."""
        return learned_effects(
            {state.id: state.regions for state in self.states.values()},
            self._groups,
            (
                (transition.source, transition.event, target)
                for transition in self.explored
                if not transition.is_assumed
                for target in transition.targets
            ),
        )

    def with_contents(self, contents: Contents) -> "Crawled":
        """Return the same crawl with the content of its pages."""
        return replace(self, contents=contents)

    def with_classes(self, classes: Classes) -> "Crawled":
        """Return the same crawl with the near-duplicate classes of its states."""
        return replace(self, classes=classes)

    def with_guesses(self, guesses: Mapping[Pair, Guess]) -> "Crawled":
        """Return the same crawl with guesses why events are nondeterministic."""
        return replace(self, guesses=guesses)

    @property
    def reset_cost(self) -> float:
        """The cost of a reset, in events."""
        return float(self.about.get("reset_cost", 1.0))

    def event(self, state: str, identity: str) -> Event:
        """Return an event as the state shows it."""
        events = self.states[state].events if state in self.states else ()
        return next((e for e in events if e.identity == identity), Event(identity))

    def application(self) -> Application | None:
        """Return the model as an application to simulate; None while no state is known.

        With the content of its pages it knows, too, which regions the crawl believed in before.
        """
        if not self.states:
            return None
        loads = self._loads()
        entries = [load.target for load in loads]
        entries += [target for load in loads for target in load.outcomes]
        states: dict[str, dict[str, str | None]] = {}
        for state in self.states.values():
            states[state.id] = {event.identity: None for event in state.events}
        outcomes: dict[str, dict[str, Mapping[str, int]]] = {}
        for transition in self.explored:
            states[transition.source][transition.event] = transition.target
            if transition.outcomes:
                outcomes.setdefault(transition.source, {})[transition.event] = transition.outcomes
        return Application(
            entries[0],
            states,
            self.reset_cost,
            tuple(dict.fromkeys(entries)),
            outcomes,
            {state.id: state.regions for state in self.states.values() if state.regions},
            self._groups,
            self._earlier(),
            self._documents(),
        )

    def _documents(self) -> Documents | None:
        """Tell how the crawl came from document to document; None if it never could."""
        urls: dict[str, str] = {}
        for state in self.states.values():
            for event in state.events:
                if event.url:
                    urls.setdefault(event.identity, event.url)
        if not urls and not self.opened:
            return None
        stays = {
            transition.event
            for transition in self.explored
            if not transition.is_assumed and NEW_DOCUMENT not in transition.changes
        }
        links = {event: Link(url, event not in stays) for event, url in urls.items()}
        loaded = self.entries
        given = [url for url in self._given if url in loaded]
        return Documents(given, loaded, links, self.opened)

    def _earlier(self) -> tuple[Division, ...]:
        """Divide all pages as they were divided before each cut but the first was learned."""
        cuts = self.about.get(EARLIER_CUTS, ())
        found: list[dict[str, Mapping[str, str]]] = [{} for _ in cuts]
        for state in self.states if cuts else ():
            snapshot = self.contents.snapshot(state)
            if snapshot is None:
                return ()
            tree = self.masks.apply(parse(snapshot.dom))
            for divided, (_, cut) in zip(found, cuts, strict=True):
                divided[state] = regions(tree, tuple(cut))
        return tuple(
            Division(until, divided) for (until, _), divided in zip(cuts, found, strict=True)
        )

    @property
    def _groups(self) -> dict[str, str]:
        """The groups of the events that have one, each as it was first seen."""
        groups: dict[str, str | None] = {}
        for state in self.states.values():
            for event in state.events:
                groups.setdefault(event.identity, event.group)
        return {event: group for event, group in groups.items() if group is not None}

    def path(self, state: str) -> Plan | None:
        """Return the shortest plan that leads to a state; None when no way is known.

        It goes over transitions that never led elsewhere and never failed, where that can be.
        """
        return _plan(self._way_to(state))

    def path_as_found(self, state: str) -> Plan | None:
        """Return the plan over the transitions by which each state on it was first reached.

        It may be longer than `path`, and works where a page keeps to itself how one got there.
        """
        came: dict[str, _Hop] = {}
        for transition in self.transitions.values():
            if transition.is_assumed or (transition.source and transition.source not in came):
                continue
            came.setdefault(transition.target, (transition, transition.target))
        return _plan(_back(came, state))

    def last_hop(self, state: str) -> CrawledTransition | None:
        """Return the last transition on the shortest way to a state; None when there is no way."""
        came = next((came for came in self._ways if state in came), {})
        return came[state][0] if state in came else None

    @property
    def left_alone(self) -> list[LeftAlone]:
        """The controls that were not fired because they look as if they did harm."""
        return [LeftAlone(*each) for each in self.about.get("left_alone", ())]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the application, each with the shortest known way to it."""
        met = (*self.sightings, *self._dead_ends())
        return tuple(distinct(self._finding(*sighting) for sighting in met))

    def _finding(self, passage: Passage, problem: Problem) -> Finding:
        """Tell the way: to the state for what is about a state, else to the source and on."""
        is_of_state = problem.kind in OF_STATES
        way = self._way_to(passage.state if is_of_state else passage.source)
        events = [transition.event for transition, _ in way]
        path = events if is_of_state else [*events, passage.event]
        return Finding(*problem, *passage, tuple(path))

    def _dead_ends(self) -> Iterator[Sighting]:
        refused = set(self.refused)
        leads: dict[str, list[str | None]] = {state: [] for state in self.states}
        for state in self.states.values():
            for pair in ((state.id, event.identity) for event in state.events):
                if pair in self.transitions:
                    leads[state.id] += self.transitions[pair].targets
                elif pair not in refused:
                    leads[state.id].append(None)
        for end in dead_ends(leads):
            for last, _ in self._way_to(end)[-1:]:
                yield Sighting(Passage(last.source, last.event, end), _NO_WAY_OUT)

    def summary(self) -> dict[str, Any]:
        """Return the figures of a crawl that the command line prints."""
        counts, cost = self.counts, self.reset_cost
        last = list(self.states.values())[-1] if self.states else None
        at = (last.found_events, last.found_resets) if last else (0, 0)
        return {
            "url": self.about.get("url", ""),
            "strategy": self.about.get("strategy", ""),
            "equivalence": self.about.get("equivalence", ""),
            "stop_reason": counts.stop_reason,
            "states": len(self.states),
            "classes": len(self.classes.members),
            "transitions": sum(1 for _ in self.explored),
            "urls": len({state.url for state in self.states.values()}),
            "events": counts.events,
            "resets": counts.resets,
            "events_to_all_states": at[0],
            "resets_to_all_states": at[1],
            "reset_cost": cost,
            "cost": counts.events + counts.resets * cost,
            "cost_to_all_states": at[0] + at[1] * cost,
            "requests": counts.requests,
            "requests_cached": counts.requests_cached,
            "seconds": counts.seconds,
            "time": dict(counts.spent),
            "events_per_second": counts.events / counts.seconds if counts.seconds else 0.0,
            "probe_events": counts.probe_events,
            "probe_resets": counts.probe_resets,
            "assumed": sum(found.is_assumed for found in self.transitions.values()),
            "not_combined": counts.not_combined,
            "passed_by": counts.passed_by,
            "nondeterministic": [self._doubt(pair) for pair in self.nondeterministic],
            "failures": dict(counts.failures),
            "findings": dict(Counter(finding.kind.value for finding in self.findings)),
            "warnings": list(self.warnings),
        }

    def _doubt(self, pair: Pair) -> dict[str, Any]:
        guess = self.guesses.get(pair, Guess())
        return {
            "state": pair[0],
            "event": pair[1],
            "outcomes": dict(self.transitions[pair].outcomes),
            "why": guess.why,
            "evidence": guess.evidence,
        }

    def _way_to(self, goal: str) -> "list[_Hop]":
        """Return the fewest transitions from a blank tab to a state; none when there is no way."""
        return next((way for came in self._ways if (way := _back(came, goal))), [])

    @cached_property
    def _ways(self) -> "list[dict[str, _Hop]]":
        """The ways over what is sure, then over what is assumed too, then over everything."""
        doubtful = {*self.nondeterministic, *self.refused}
        sure = [t for pair, t in self.transitions.items() if pair not in doubtful]
        taken = [transition for transition in sure if not transition.is_assumed]
        return [_last_hops(each) for each in (taken, sure, self.transitions.values())]

    @property
    def _given(self) -> Sequence[str]:
        """The URLs that the crawl was given."""
        return self.about.get("entries") or [self.about.get("url", "")]

    def _loads(self) -> list[CrawledTransition]:
        """Return the loads of entries in the order that the crawl was given them."""
        order = {f"{_LOAD}{url}": number for number, url in enumerate(self._given)}
        loads = [found for (source, _), found in self.transitions.items() if not source]
        return sorted(loads, key=lambda load: order.get(load.event, len(order)))


_Hop = tuple[CrawledTransition, str]
"""A transition, and where it leads this time."""


def _last_hops(transitions: Iterable[CrawledTransition]) -> dict[str, _Hop]:
    """Return the end of the shortest way from a blank tab to every state."""
    leaving: dict[str, list[CrawledTransition]] = {}
    for transition in transitions:
        leaving.setdefault(transition.source, []).append(transition)
    came: dict[str, _Hop] = {}
    waiting = deque([""])
    while waiting:
        for transition in leaving.get(waiting.popleft(), ()):
            for target in transition.targets:
                if target not in came:
                    came[target] = (transition, target)
                    waiting.append(target)
    return came


def _back(came: Mapping[str, _Hop], goal: str) -> list[_Hop]:
    """Return the way to a state, given by which transition each one was reached."""
    way = []
    at = goal
    while at in came:
        way.append(came[at])
        at = came[at][0].source
    return way[::-1]


def _plan(way: list[_Hop]) -> Plan | None:
    if not way:
        return None
    (load, entry_state), *rest = way
    steps = tuple(Step(transition.event, target) for transition, target in rest)
    return Plan(load.event.removeprefix(_LOAD), entry_state, steps)
