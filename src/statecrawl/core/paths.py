"""Transfer sequences: the cheapest known ways from where a cursor is to where it should be."""

import heapq
from collections.abc import Callable
from math import inf

from statecrawl.core.model import BLANK, Model, Transition


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


def nearest(
    model: Model, source: int, is_goal: Callable[[int], bool], reset_cost: float
) -> tuple[int, list[Transition]] | None:
    """Return the closest goal, and a way there over reliable transitions, resets among them."""
    layers: list[set[int]] = []
    layer, seen = {source}, {source}
    resets_at = max(0, round(reset_cost) - 1)
    while layer or len(layers) <= resets_at:
        if len(layers) == resets_at and BLANK not in seen:
            layer.add(BLANK)
            seen.add(BLANK)
        layers.append(layer)
        goals = [state for state in layer if is_goal(state)]
        if goals:
            return min(goals), _through(model, layers, min(goals))
        layer = _following(model, layer, seen)
        seen |= layer
    return None


def _following(model: Model, layer: set[int], seen: set[int]) -> set[int]:
    """Return the states that one event leads to from a layer and that were not seen before.

    Looked at from whichever side has fewer states (Beamer et al. 2012).
    """
    if 2 * len(layer) < len(model.states) - len(seen):
        return set[int]().union(*map(model.successors.__getitem__, layer)) - seen
    unseen = set(range(len(model.states))) - seen
    return {state for state in unseen if not layer.isdisjoint(model.predecessors[state])}


def _through(model: Model, layers: list[set[int]], goal: int) -> list[Transition]:
    """Return the way through layers of states, each one step from the one before."""
    way: list[Transition] = []
    for layer in reversed(layers[:-1]):
        if goal == BLANK:
            break
        state = min(before for before in model.predecessors[goal] if before in layer)
        way.append(model.edge(state, goal))
        goal = state
    return way[::-1]


def any_way(
    model: Model, source: int, is_goal: Callable[[int], bool], reset_cost: float
) -> tuple[int, list[Transition]] | None:
    """Return the closest goal, and a way there over any transition, reliable or not.

    The last resort when no reliable way is known. An event that led to several places is an
    edge to each of them, unless it has never led to a place twice.
    """
    best = {source: 0.0, BLANK: 0.0}
    came: dict[int, Transition] = {}
    queue = [(0.0, source), (0.0, BLANK)]
    while queue:
        cost, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if is_goal(state):
            return state, _retraced(came, state)
        step = reset_cost if state == BLANK else 1
        for transition in model.transitions(state):
            if transition.is_never_the_same:
                continue
            for target in transition.outcomes or (transition.target,):
                if target is not None and cost + step < best.get(target, inf):
                    best[target] = cost + step
                    came[target] = model.uncertain(state, transition.event, target)
                    heapq.heappush(queue, (cost + step, target))
    return None


def _retraced(came: dict[int, Transition], state: int) -> list[Transition]:
    way = []
    while state in came:
        way.append(came[state])
        state = came[state].source
    return way[::-1]
