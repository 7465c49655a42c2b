"""The model of an application as far as it is known: M = (S, s1, Σ, δ), append-only."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto

from statecrawl.core.snapshot import Event

BLANK = 0
"""The state of a tab before anything is loaded. Its events are the entries (URLs); to fire
one of them is a reset, and every tab can be blanked at any time. So resets, several entries
and entries nobody has loaded yet need no cases of their own."""


class Recorded(Enum):
    """What one more execution of an event told the model."""

    EXPLORED = auto()  # the first execution from this state
    REPEATED = auto()  # it led where it led before
    DIVERGED = auto()  # it led elsewhere than before


class Model:
    """States and events as small integers, with the transitions between them.

    `delta` holds where an event led the first time. `successors` and `predecessors` hold one
    edge for each pair of states joined by an event that never led elsewhere: the edges a
    transfer can rely on. An event that did lead elsewhere has all its targets, with counts,
    in `outcomes`.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.states: list[str] = []
        self.events: list[Event] = []
        self.enabled: list[tuple[int, ...]] = []
        self.regions: list[Mapping[str, str]] = []
        self.delta: list[dict[int, int]] = []
        self.successors: list[dict[int, int]] = []
        self.predecessors: list[dict[int, None]] = []
        self.outcomes: dict[tuple[int, int], dict[int, int]] = {}
        self.refused: dict[tuple[int, int], None] = {}
        self._state_numbers: dict[str, int] = {}
        self._event_numbers: dict[str, int] = {}
        self._repeats: list[dict[int, int]] = []
        self.add_state("", [Event(f"load {entry}") for entry in entries], {})
        self.entries = dict(zip(self.enabled[BLANK], entries, strict=True))

    def state(self, public_id: str) -> int | None:
        """Return the number of a state, or None when it is not known."""
        return self._state_numbers.get(public_id)

    def event(self, identity: str) -> int:
        """Return the number of an event that some state has."""
        return self._event_numbers[identity]

    @property
    def state_count(self) -> int:
        """How many states of the application are known."""
        return len(self.states) - 1

    @property
    def transition_count(self) -> int:
        """How many transitions of the application were explored."""
        return sum(len(targets) for targets in self.delta[BLANK + 1 :])

    def add_state(self, public_id: str, events: Iterable[Event], regions: Mapping[str, str]) -> int:
        """Add a state with its enabled events and return its number."""
        state = len(self.states)
        self._state_numbers[public_id] = state
        self.states.append(public_id)
        self.enabled.append(tuple(dict.fromkeys(self._number(event) for event in events)))
        self.regions.append(regions)
        self.delta.append({})
        self.successors.append({})
        self.predecessors.append({})
        self._repeats.append({})
        return state

    def _number(self, event: Event) -> int:
        number = self._event_numbers.get(event.identity)
        if number is None:
            number = self._event_numbers[event.identity] = len(self.events)
            self.events.append(event)
        return number

    def record(self, source: int, event: int, target: int) -> Recorded:
        """Record that the event, fired in the source, led to the target."""
        targets = self.delta[source]
        known = targets.get(event)
        if known is None:
            targets[event] = target
            if target != source and target not in self.successors[source]:
                self.successors[source][target] = event
                self.predecessors[target][source] = None
            return Recorded.EXPLORED
        if known == target and not (self.outcomes and (source, event) in self.outcomes):
            repeats = self._repeats[source]
            repeats[event] = repeats.get(event, 0) + 1
            return Recorded.REPEATED
        counts = self.outcomes.get((source, event))
        if counts is None:
            counts = {known: 1 + self._repeats[source].get(event, 0)}
            self.outcomes[source, event] = counts
            self._distrust(source, event)
        seen_before = target in counts
        counts[target] = counts.get(target, 0) + 1
        return Recorded.REPEATED if seen_before else Recorded.DIVERGED

    def refuse(self, source: int, event: int) -> None:
        """Record that the event could not be fired in a state that offered it."""
        self.refused[source, event] = None
        if event in self.delta[source]:
            self._distrust(source, event)

    def is_trusted(self, source: int, event: int) -> bool:
        """Tell whether the event was explored here and never led elsewhere or failed."""
        pair = (source, event)
        return (
            event in self.delta[source] and pair not in self.outcomes and pair not in self.refused
        )

    def _distrust(self, source: int, event: int) -> None:
        """Take the event's edge away, unless another event leads to the same target."""
        target = self.delta[source][event]
        if self.successors[source].get(target) != event:
            return
        for other, led_to in self.delta[source].items():
            if led_to == target and self.is_trusted(source, other):
                self.successors[source][target] = other
                return
        del self.successors[source][target]
        del self.predecessors[target][source]
