"""What depth-first and breadth-first share: states are explored in a fixed order."""

import heapq

from statecrawl.core.paths import Toward
from statecrawl.core.strategy import Knowledge, Route


class InOrder:
    """Explores one state after the other, each until none of its events is open.

    The optimised kind of section 7.2: to get (back) to the state whose turn it is, it takes
    the shortest known transfer sequence from wherever the cursor is.
    """

    def __init__(self, knowledge: Knowledge, *, newest_first: bool) -> None:
        self._knowledge = knowledge
        self._sign = -1 if newest_first else 1
        self._waiting: list[int] = []
        self._toward: Toward | None = None

    def discovered(self, state: int) -> None:
        """Put the state in its place in the order; states are numbered as discovered."""
        heapq.heappush(self._waiting, self._sign * state)

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Forget the ways to the state in turn if this edge may shorten one."""
        del cursor, event, target, is_new
        if self._toward is not None and source != self._toward.target:
            self._toward = None

    def closed(self, state: int, event: int) -> None:
        """Do nothing: `route` passes over states without open events."""

    def reopened(self, state: int, event: int) -> None:
        """Queue the state again."""
        del event
        heapq.heappush(self._waiting, self._sign * state)

    def rewired(self, state: int) -> None:
        """Forget the ways to the state in turn: one may have gone."""
        del state
        self._toward = None

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the state in turn and fire its first open event."""
        del cursor
        frontier = self._knowledge.frontier
        while self._waiting and not frontier.open[self._sign * self._waiting[0]]:
            heapq.heappop(self._waiting)
        if not self._waiting:
            return None
        target = self._sign * self._waiting[0]
        event = next(iter(frontier.open[target]))
        if state == target:
            return self._knowledge.route([target], event)
        if self._toward is None or self._toward.target != target:
            self._toward = Toward(self._knowledge.model, target, self._knowledge.reset_cost)
        way = self._toward.way(state)
        return None if way is None else self._knowledge.route(way, event)
