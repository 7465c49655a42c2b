"""An application whose whole state machine is known, and its JSON form, the model file."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from statecrawl.errors import InputError

MAX_FILE_BYTES = 128 * 1024 * 1024
MAX_TRANSITIONS = 5_000_000

Outcomes = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True)
class Application:
    """A finite state machine written down: for each state, where each enabled event leads.

    A target of None is an event that nobody has explored. `entries` are the states with a
    URL of their own, the initial one first. Regions and groups are opaque hints for
    strategies; `outcomes` says how often a nondeterministic event led where.
    """

    initial: str
    states: Mapping[str, Mapping[str, str | None]]
    reset_cost: float = 1.0
    entries: Sequence[str] = ()
    outcomes: Outcomes = field(default_factory=dict)
    regions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)

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
        document["states"] = self.states
        return document


def parse_model(raw: bytes) -> Application:
    """Read a model file, or say in one line what is wrong with it."""
    if len(raw) > MAX_FILE_BYTES:
        raise InputError(
            f"the model file has more than {MAX_FILE_BYTES // 2**20} MB: give a smaller model"
        )
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the model file is not JSON: {error}") from None
    return checked(_Reader(document).application())


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
        raise InputError(f"the initial state {_shown(application.initial)} is not among the states")
    for entry in application.entries:
        if entry not in states:
            raise InputError(f"the entry {_shown(entry)} is not among the states")
    _check_outcomes(application)
    _check_hints(application)
    for state in states:
        for target in application.targets(state):
            if target not in states:
                raise InputError(
                    f"state {_shown(state)} leads to {_shown(target)}, "
                    "which is not among the states"
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
            f"no entry reaches state {_shown(lost)}: remove it, or add it to the entries"
        )


def _check_outcomes(application: Application) -> None:
    for state, events in application.outcomes.items():
        for event in events:
            if event not in application.states.get(state, {}):
                raise InputError(
                    f"outcomes name event {_shown(event)} of state {_shown(state)}, "
                    "which has no such event"
                )


def _check_hints(application: Application) -> None:
    for state in application.regions:
        if state not in application.states:
            raise InputError(f"regions name state {_shown(state)}, which is not among the states")


def _shown(name: object) -> str:
    """Quote a name from a file: one line, not too long, no control characters."""
    text = json.dumps(name)
    return text if len(text) <= 60 else text[:57] + '..."'


class _Reader:
    """Checks the shape of a model file's JSON, part by part."""

    def __init__(self, document: object) -> None:
        self.document = self._mapping(document, "a model file")

    def application(self) -> Application:
        if "initial" not in self.document:
            raise InputError('the model has no initial state: add "initial": "NAME"')
        if "states" not in self.document:
            raise InputError('the model has no states: add "states": {"NAME": {}}')
        states = self._mapping(self.document["states"], '"states"')
        return Application(
            initial=self._text(self.document["initial"], '"initial"'),
            states={state: self._events(state, events) for state, events in states.items()},
            reset_cost=self._number(self.document.get("reset_cost", 1), '"reset_cost"'),
            entries=tuple(
                self._text(entry, 'each of "entries"')
                for entry in self._list(self.document.get("entries", []), '"entries"')
            ),
            outcomes={
                state: {
                    event: self._counts(event, counts)
                    for event, counts in self._mapping(events, '"outcomes" of a state').items()
                }
                for state, events in self._part("outcomes")
            },
            regions={
                state: {
                    name: self._text(value, '"regions" of a state')
                    for name, value in self._mapping(regions, '"regions" of a state').items()
                }
                for state, regions in self._part("regions")
            },
            groups={
                event: self._text(group, '"groups" of an event')
                for event, group in self._part("groups")
            },
        )

    def _part(self, name: str) -> Iterator[tuple[str, object]]:
        yield from self._mapping(self.document.get(name, {}), f'"{name}"').items()

    def _events(self, state: str, events: object) -> dict[str, str | None]:
        found = self._mapping(events, f"state {_shown(state)}")
        for event, target in found.items():
            if target is not None and not isinstance(target, str):
                raise InputError(
                    f"event {_shown(event)} of state {_shown(state)} must lead to a state's name "
                    f"or null, not {_shown(target)}"
                )
        return found

    def _counts(self, event: str, counts: object) -> dict[str, int]:
        found = self._mapping(counts, f"outcomes of event {_shown(event)}")
        if not found or not all(type(n) is int and n > 0 for n in found.values()):
            raise InputError(f"outcomes of event {_shown(event)} must be counts of 1 or more")
        return found

    @staticmethod
    def _mapping(value: object, what: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise InputError(f"{what} must be a JSON object, not {_shown(value)}")
        return value

    @staticmethod
    def _list(value: object, what: str) -> list[object]:
        if not isinstance(value, list):
            raise InputError(f"{what} must be a JSON list, not {_shown(value)}")
        return value

    @staticmethod
    def _text(value: object, what: str) -> str:
        if not isinstance(value, str):
            raise InputError(f"{what} must be a text, not {_shown(value)}")
        return value

    @staticmethod
    def _number(value: object, what: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"{what} must be a number, not {_shown(value)}")
        return value
