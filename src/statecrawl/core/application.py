"""An application whose whole state machine is known, and what a model file says of it."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from statecrawl.errors import InputError

MAX_TRANSITIONS = 5_000_000

Outcomes = Mapping[str, Mapping[str, Mapping[str, int]]]
Regions = Mapping[str, Mapping[str, str]]
"""What each region shows in each state."""


class Division(NamedTuple):
    """Regions as a crawl knew them until it had done so many events and resets."""

    until: int
    regions: Regions


class Link(NamedTuple):
    """The URL that a link has, and whether following it loads that document."""

    url: str
    loads: bool = True


@dataclass(frozen=True)
class Documents:
    """How a crawl comes from document to document.

    It is given some URLs, and finds others by links and in windows that events open. `loads` says
    which state each URL is loaded as.
    """

    given: Sequence[str]
    loads: Mapping[str, str]
    links: Mapping[str, Link] = field(default_factory=dict)
    opened: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the part of a model file that tells of documents."""
        return {
            "given": list(self.given),
            "loads": dict(self.loads),
            "links": {event: link._asdict() for event, link in self.links.items()},
            "opened": {event: list(urls) for event, urls in self.opened.items()},
        }


@dataclass(frozen=True)
class Application:
    """A finite state machine written down: for each state, where each enabled event leads.

    A target of None is an event that nobody has explored. `entries` are the states with a
    URL of their own, the initial one first. Regions and groups are opaque hints for
    strategies; `earlier` are the regions that were believed in before, by a crawl that learned
    them on its way. `outcomes` says how often a nondeterministic event led where. Where there
    are `documents`, the entries are loaded by their URLs, and are not all known from the start.
    """

    initial: str
    states: Mapping[str, Mapping[str, str | None]]
    reset_cost: float = 1.0
    entries: Sequence[str] = ()
    outcomes: Outcomes = field(default_factory=dict)
    regions: Regions = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    earlier: Sequence[Division] = ()
    documents: Documents | None = None

    @property
    def all_entries(self) -> tuple[str, ...]:
        """Every state that a reset can go to, the initial one first, each once."""
        return tuple(dict.fromkeys((self.initial, *self.entries)))

    @property
    def transition_count(self) -> int:
        """How many pairs of a state and an event enabled in it there are."""
        return sum(len(events) for events in self.states.values())

    def targets(self, state: str) -> Iterator[str]:
        """Yield every state that some event of this one was seen to lead to."""
        yield from (target for target in self.states[state].values() if target is not None)
        for counts in self.outcomes.get(state, {}).values():
            yield from counts

    def to_json(self) -> dict[str, Any]:
        """Return the content of a model file; optional parts only where there are any."""
        document: dict[str, Any] = {"initial": self.initial, "reset_cost": self.reset_cost}
        if len(self.all_entries) > 1:
            document["entries"] = list(self.all_entries)
        for name in ("outcomes", "regions", "groups"):
            if getattr(self, name):
                document[name] = getattr(self, name)
        if self.earlier:
            document["earlier_regions"] = [division._asdict() for division in self.earlier]
        if self.documents is not None:
            document["documents"] = self.documents.to_json()
        document["states"] = self.states
        return document


def checked(application: Application) -> Application:
    """Return the application if every name in it means something, every state is reachable."""
    states = application.states
    if application.transition_count > MAX_TRANSITIONS:
        raise InputError(
            f"the model has {application.transition_count:,} transitions; "
            f"at most {MAX_TRANSITIONS:,} can be simulated: give a smaller model"
        )
    if not math.isfinite(application.reset_cost) or application.reset_cost < 0:
        raise InputError(f"the cost of reset is {application.reset_cost}; it must be 0 or more")
    if application.initial not in states:
        raise InputError(f"the initial state {shown(application.initial)} is not among the states")
    for entry in application.entries:
        if entry not in states:
            raise InputError(f"the entry {shown(entry)} is not among the states")
    _check_outcomes(application)
    _check_hints(application)
    _check_documents(application)
    for state in states:
        for target in application.targets(state):
            if target not in states:
                raise InputError(
                    f"state {shown(state)} leads to {shown(target)}, which is not among the states"
                )
    _check_reachable(application)
    return application


def _check_reachable(application: Application) -> None:
    reached = set(application.all_entries)
    waiting = list(reached)
    while waiting:
        fresh = set(application.targets(waiting.pop())) - reached
        reached |= fresh
        waiting.extend(fresh)
    lost = next((state for state in application.states if state not in reached), None)
    if lost is not None:
        raise InputError(
            f"no entry reaches state {shown(lost)}: remove it, or add it to the entries"
        )


def _check_outcomes(application: Application) -> None:
    for state, events in application.outcomes.items():
        for event in events:
            if event not in application.states.get(state, {}):
                raise InputError(
                    f"outcomes name event {shown(event)} of state {shown(state)}, "
                    "which has no such event"
                )


def _check_hints(application: Application) -> None:
    for regions in (application.regions, *(each.regions for each in application.earlier)):
        for state in regions:
            if state not in application.states:
                raise InputError(
                    f"regions name state {shown(state)}, which is not among the states"
                )


def _check_documents(application: Application) -> None:
    documents = application.documents
    if documents is None:
        return
    for url in documents.given:
        if url not in documents.loads:
            raise InputError(f'the given URL {shown(url)} is not among "loads" of the documents')
    for state in documents.loads.values():
        if state not in application.all_entries:
            raise InputError(f"documents load state {shown(state)}, which is not among the entries")


def shown(name: object) -> str:
    """Quote a name from a file: one line, not too long, no control characters."""
    text = json.dumps(name)
    return text if len(text) <= 60 else text[:57] + '..."'
