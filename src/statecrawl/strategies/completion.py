"""Completion: explore all that is open by the shortest ways, near to the best postman's walk."""

from collections.abc import Callable, Mapping

from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.greedy import Greedy


class Completion(Greedy):
    """Like greedy."""

    def __init__(
        self, knowledge: Knowledge, ahead_of: Callable[[int], Mapping[int, int]]
    ) -> None:
        super().__init__(knowledge)
        self._ahead_of = ahead_of

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the closest state with an open event, and fire the one that leads farthest on."""
        del cursor
        way = self._field.way(state)
        if way is None:
            return None
        goal = way[-1]
        ahead = self._ahead_of(goal)
        open_events = self._open
        event = max(
            open_events[goal],
            key=lambda e: len(open_events[ahead[e]]) if e in ahead else 0,
        )
        return self._knowledge.route(way, event)
