"""Completion: explore all that is open, near to the best postman's walk.

Whoever explores without ever going over known ground must leave each state as often as it is
entered. So what has to be walked again depends on where more open events start than are
predicted to end: a walk that gets stuck goes to the closest of these states. Others will be
entered by open events anyway. While walking, the event is chosen that leads to the state with
the largest surplus.
"""

from collections import Counter
from collections.abc import Mapping
from math import inf

from statecrawl.core.model import BLANK
from statecrawl.core.strategy import Knowledge, Route

DETOUR = 3
"""How much farther it may be to a state that has a surplus than to one that has none."""


class Completion:
    """Explores all open events with as few steps over known ground as it can."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._open = knowledge.frontier.open
        self._inflow: Counter[int] = Counter()
        self._field = knowledge.field(self._toll)

    def discovered(self, state: int) -> None:
        """Take the state into the field."""
        self._field.add_state(state)

    def explored(self, source: int, target: int) -> None:
        """Take the edge into the field."""
        self._field.add_edge(source, target)

    def reopened(self, state: int) -> None:
        """Let the label of the state sink."""
        self._field.ease(state)

    def distrusted(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._field.drop_edges(state)

    def foreseen(self, target: int, by: int) -> None:
        """Hear that one more open event, or one less, is predicted to lead to a state."""
        self._inflow[target] += by
        if by < 0 and self._inflow[target] == len(self._open[target]) - 1:
            self._field.ease(target)

    def route(self, state: int, ahead: list[dict[int, int]]) -> Route | None:
        """Go to the closest state with a surplus, and on to where there is most of it."""
        way = [state] if self._open[state] and state != BLANK else self._field.way(state)
        if way is None:
            return None
        goal = way[-1]
        return self._knowledge.route(way, self._onward(goal, ahead[goal]))

    def _onward(self, state: int, ahead: Mapping[int, int]) -> int:
        """Return the open event that leads to the largest surplus; staying comes first."""
        open_events, inflow = self._open, self._inflow

        def surplus(event: int) -> float:
            target = ahead.get(event)
            if target is None or target == state:
                return inf
            return len(open_events[target]) - inflow[target]

        return max(open_events[state], key=surplus)

    def _toll(self, state: int) -> float:
        open_events = len(self._open[state])
        if not open_events:
            return inf
        return 0 if open_events > self._inflow[state] else DETOUR
