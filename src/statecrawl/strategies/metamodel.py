"""Model-based crawling: the framework of section 4 that the model-based strategies share.

A metamodel anticipates what unexplored events do. In the state phase the strategy explores
what is anticipated to lead to new states; when nothing is, the transition phase explores the
rest. Every explored transition is compared with what was anticipated: a difference is a
violation, after which the metamodel learns from what was seen and goes on assuming that it
holds for all that is unexplored. Nothing anticipated is stored; it is worked out when asked.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Set as AbstractSet
from enum import StrEnum, auto
from typing import NamedTuple

from statecrawl.core.strategy import Knowledge, Route


class Phase(StrEnum):
    """What the strategy is after."""

    STATES = auto()
    TRANSITIONS = auto()


class Violation(StrEnum):
    """How an application can differ from what was anticipated (section 5.2)."""

    SPLIT = "split"  # a known state was anticipated, a new one reached
    MERGE = "merge"  # another known state than the anticipated one was reached
    APPEARING = "appearing events"
    DISAPPEARING = "disappearing events"


class Anticipated(NamedTuple):
    """What an unexplored event should lead to; state None: a new one with these events."""

    state: int | None
    events: AbstractSet[int]


class Metamodel(ABC):
    """A model-based strategy: two phases, anticipations, and what violates them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.phase = Phase.STATES
        self.violations: Counter[Violation] = Counter()
        self._knowledge = knowledge
        self._event_sets: dict[int, frozenset[int]] = {}

    @abstractmethod
    def anticipate(self, source: int, event: int) -> Anticipated | None:
        """Say what an unexplored event should lead to; None: anything."""

    @abstractmethod
    def learn(
        self, cursor: int, source: int, event: int, target: int, *, is_new: bool, violated: bool
    ) -> None:
        """Take in what an event led to, and adapt the metamodel where that violates it."""

    @abstractmethod
    def explore_states(self, cursor: int, state: int) -> Route | None:
        """Return a route to what should be a new state; None: none is anticipated."""

    @abstractmethod
    def explore_transitions(self, cursor: int, state: int) -> Route | None:
        """Return a route to any open event."""

    def route(self, cursor: int, state: int) -> Route | None:
        """Return the route of the phase the strategy is in."""
        if self.phase is Phase.STATES:
            route = self.explore_states(cursor, state)
            if route is not None:
                return route
            self.phase = Phase.TRANSITIONS
        return self.explore_transitions(cursor, state)

    def why(self, cursor: int) -> str:
        """Name the phase that the last route was made in."""
        del cursor
        return "state phase" if self.phase is Phase.STATES else "transition phase"

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Compare what was seen with what was anticipated, learn, and choose the phase."""
        violations = self._compare(self.anticipate(source, event), target, is_new)
        self.violations.update(violations)
        self.learn(cursor, source, event, target, is_new=is_new, violated=bool(violations))
        if is_new or violations:
            self.phase = Phase.STATES

    def credit(self, source: int, event: int, target: int, *, is_new: bool) -> float:
        """Say how well an exploration was anticipated, from 0 to 1; nothing said: a half."""
        anticipated = self.anticipate(source, event)
        if anticipated is None:
            return 0.5
        return float(not self._compare(anticipated, target, is_new))

    def events_of(self, state: int) -> frozenset[int]:
        """Return the events enabled in a state, as a set."""
        events = self._event_sets.get(state)
        if events is None:
            events = self._event_sets[state] = frozenset(self._knowledge.model.enabled[state])
        return events

    def _compare(
        self, anticipated: Anticipated | None, target: int, is_new: bool
    ) -> list[Violation]:
        if anticipated is None or anticipated.state == target:
            return []
        violations = []
        if not is_new:
            violations.append(Violation.MERGE)
        elif anticipated.state is not None:
            violations.append(Violation.SPLIT)
        events = self.events_of(target)
        if not events <= anticipated.events:
            violations.append(Violation.APPEARING)
        if not anticipated.events <= events:
            violations.append(Violation.DISAPPEARING)
        return violations
