"""Completion: explore all that is open, near to the best postman's walk.

Whoever explores without ever going over known ground must leave each state as often as it is
entered. So what has to be walked again depends on where more open events start than are
predicted to end: a walk that gets stuck goes to the closest of these states. Others will be
entered by open events anyway. While walking, the event is chosen that leads to the state with
the largest surplus.
"""

from math import inf

from statecrawl.core.model import BLANK
from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.foresight import Foresight

DETOUR = 3
"""How much farther it may be to a state that has a surplus than to one that has none."""


class Completion:
    """Explores all open events with as few steps over known ground as it can."""

    def __init__(self, knowledge: Knowledge, foresight: Foresight) -> None:
        self._knowledge = knowledge
        self._open = knowledge.frontier.open
        self._ahead = foresight.ahead
        self._inflow = foresight.inflow
        self._freed = foresight.freed
        self._field = knowledge.field(self._toll)

    def discovered(self, state: int) -> None:
        """Take the state into the field."""
        self._field.add_state(state)

    def explored(self, source: int, target: int) -> None:
        """Take the edge into the field."""
        self._field.add_edge(source, target)

    def eased(self, state: int) -> None:
        """Let labels sink: of a state with more to do, or of one that less will lead to."""
        self._field.ease(state)
        for target in self._freed:
            self._field.ease(target)
        self._freed.clear()

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._field.rewire(state)

    def route(self, state: int) -> Route | None:
        """Go on from here, else to the closest state with a surplus."""
        is_here = self._open[state] and state != BLANK
        way = [state] if is_here else self._field.way(state)
        return None if way is None else self._knowledge.route(way, self._onward(way[-1]))

    def _onward(self, state: int) -> int:
        """Return the open event that leads to the largest surplus; staying comes first."""
        open_events, inflow, ahead = self._open, self._inflow, self._ahead[state]

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
