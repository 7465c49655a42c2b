"""Transfer sequences: the cheapest known ways from where a cursor is to where it should be."""

import heapq
from collections.abc import Callable
from math import inf

from statecrawl.core.model import BLANK, Model


class Toward:
    """The cheapest ways to one state, searched backwards from it and no farther than asked.

    Stays right while only edges out of the target itself are added, which is what exploring
    a state does.
    """

    def __init__(self, model: Model, target: int, reset_cost: float) -> None:
        self.target = target
        self._model = model
        self._reset_cost = reset_cost
        self._next = {target: target}
        self._cost: dict[int, float] = {target: 0}
        self._rim = [target]
        self._radius = 0

    def way(self, source: int) -> list[int] | None:
        """Return the states on the way, from the source or from BLANK to the target."""
        cost = self._cost
        while source not in cost and self._rim and self._radius < cost.get(BLANK, inf):
            self._widen()
        start = source if cost.get(source, inf) <= cost.get(BLANK, inf) else BLANK
        if start not in cost:
            return None
        way = [start]
        while way[-1] != self.target:
            way.append(self._next[way[-1]])
        return way

    def _widen(self) -> None:
        """Look one event farther back."""
        rim = []
        for state in self._rim:
            for source in self._model.predecessors[state]:
                if source not in self._next:
                    self._next[source] = state
                    if source == BLANK:
                        self._cost[source] = self._radius + self._reset_cost
                    else:
                        self._cost[source] = self._radius + 1
                        rim.append(source)
        self._rim = rim
        self._radius += 1


def any_way(
    model: Model, source: int, is_goal: Callable[[int], bool], reset_cost: float
) -> list[tuple[int, int, int]] | None:
    """Return the cheapest way to a goal over every transition ever seen, reliable or not.

    The last resort when no reliable way is known: (state, event, target) for each move. An
    event that led to several places is an edge to each of them.
    """
    best = {source: 0.0, BLANK: 0.0}
    came: dict[int, tuple[int, int]] = {}
    queue = [(0.0, source), (0.0, BLANK)]
    while queue:
        cost, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if is_goal(state):
            moves = []
            while state in came:
                before, event = came[state]
                moves.append((before, event, state))
                state = before
            return moves[::-1]
        step = reset_cost if state == BLANK else 1
        for event, first in model.delta[state].items():
            for target in model.outcomes.get((state, event), (first,)):
                if cost + step < best.get(target, inf):
                    best[target] = cost + step
                    came[target] = (state, event)
                    heapq.heappush(queue, (cost + step, target))
    return None
