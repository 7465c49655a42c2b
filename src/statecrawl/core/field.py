"""The cheapest goal from any state, without searching the graph at every step."""

import heapq
from array import array
from collections.abc import Callable, Iterable
from math import inf

from statecrawl.core.model import BLANK


class Field:
    """Labels that slope down to the cheapest goal: L(s) = min(toll(s), 1 + min L(successor)).

    A strategy says through `toll` what it would cost, beyond the way there, to stop at a
    state (infinity: nothing to do there); the label of a state is then the cheapest sum of
    way and toll. While a crawl consumes its goals labels only grow, so each is kept as a
    lower bound and raised only when somebody passes by (Even and Shiloach). Whoever makes a
    toll smaller or adds an edge says so, and the change is carried backwards at once.
    """

    def __init__(
        self,
        toll: Callable[[int], float],
        successors: Callable[[int], Iterable[int]],
        predecessors: Callable[[int], Iterable[int]],
        reset_cost: float,
    ) -> None:
        self._toll = toll
        self._successors = successors
        self._predecessors = predecessors
        self._reset_cost = reset_cost
        self._label = array("d")
        self._next = array("i")
        self._raises = 0
        self._lowest = 0.0  # no label was ever below

    def add_state(self, state: int) -> None:
        """Take in a new state; states come in the order of their numbers."""
        label = self._priced(state)
        self._lowest = min(self._lowest, label)
        self._label.append(label)
        self._next.append(-1)

    def add_edge(self, source: int, target: int) -> None:
        """Take in a new edge: the way through it may be cheaper than any known before."""
        cost = self._label[target] + self._step(source)
        if cost < self._label[source]:
            self._next[source] = target
            self._sink(source, cost)

    def ease(self, state: int) -> None:
        """Notice that the toll of a state may have become smaller."""
        toll = self._priced(state)
        if toll < self._label[state]:
            self._sink(state, toll)

    def drop_edges(self, state: int) -> None:
        """Notice that an edge of a state has gone; labels rise when somebody passes by."""
        self._next[state] = -1

    def rewire(self, state: int) -> None:
        """Notice that edges of a state have come or gone."""
        self._next[state] = -1
        if self._label[state] <= self._lowest + self._step(state):
            return
        lowest = min(map(self._label.__getitem__, self._successors(state)), default=inf)
        if lowest + self._step(state) < self._label[state]:
            self._sink(state, lowest + self._step(state))

    def way(self, state: int) -> list[int] | None:
        """Return the states on the cheapest way to a goal, by events or by a reset first.

        The list starts with the state itself, or with BLANK when a reset is cheaper. None:
        no goal can be reached.
        """
        label = self._label
        if state == BLANK:
            return self._walk(BLANK, inf)
        while True:
            # Each label is a lower bound, so the dearer of the two need not be settled.
            way = self._walk(state, label[BLANK])
            if way is not None:
                return way
            way = self._walk(BLANK, label[state])
            if way is not None and label[BLANK] < label[state]:
                return way
            if label[state] == label[BLANK] == inf:
                return None

    def _walk(self, start: int, bound: float) -> list[int] | None:
        """Return the way from a state to its cheapest goal; None if it costs more than the bound.

        A walk downhill: where the label promises a successor that is not there, raise the
        label and step back. The labels along the walk fall with every step, so it ends at a
        state whose own toll is its label.
        """
        label, following = self._label, self._next
        walk = [start]
        while label[start] <= bound and label[start] < inf:
            state = walk[-1]
            height = label[state]
            step = self._reset_cost if state == BLANK else 1
            after = following[state]
            while after >= 0 and label[after] + step <= height:
                walk.append(after)
                state, height, step = after, label[after], 1
                after = following[state]
            toll = self._toll(state) if state != BLANK else self._priced(state)
            if toll <= height:
                self._raises = 0
                return walk
            lowest = inf
            for successor in self._successors(state):
                if label[successor] < lowest:
                    lowest = label[successor]
                    following[state] = successor
                    if lowest + step <= height:
                        break
            if lowest + step > height:
                self._raise(state, min(lowest + step, toll), walk)
        return None

    def _raise(self, state: int, label: float, walk: list[int]) -> None:
        """Raise a label and step back on the walk."""
        self._label[state] = label
        if len(walk) > 1:
            walk.pop()
        self._raises += 1
        if self._raises > len(self._label):  # no goal near: the labels only chase each other
            self.rebuild()
            del walk[1:]

    def rebuild(self) -> None:
        """Compute all labels anew, backwards from every goal."""
        self._raises = 0
        self._label[:] = array("d", [inf]) * len(self._label)
        self._next[:] = array("i", [-1]) * len(self._label)
        queue = [(self._priced(state), state) for state in range(len(self._label))]
        queue = [entry for entry in queue if entry[0] < inf]
        for cost, state in queue:
            self._label[state] = cost
        heapq.heapify(queue)
        self._lowest = min(self._lowest, queue[0][0] if queue else 0)
        while queue:
            cost, state = heapq.heappop(queue)
            if cost > self._label[state]:
                continue
            for source in self._predecessors(state):
                through = cost + self._step(source)
                if through < self._label[source]:
                    self._label[source] = through
                    self._next[source] = state
                    heapq.heappush(queue, (through, source))

    def _sink(self, state: int, cost: float) -> None:
        """Lower a label, and those of all states from which the goal is now cheaper."""
        label = self._label
        label[state] = cost
        self._lowest = min(self._lowest, cost)
        lowered = [state]
        for low in lowered:
            by_event, by_reset = label[low] + 1, label[low] + self._reset_cost
            for source in self._predecessors(low):
                through = by_event if source != BLANK else by_reset
                if through < label[source]:
                    label[source] = through
                    self._next[source] = low
                    lowered.append(source)

    def _priced(self, state: int) -> float:
        """Return the toll; whatever is fired at the blank tab is a reset and costs as much."""
        toll = self._toll(state)
        return toll + self._reset_cost - 1 if state == BLANK else toll

    def _step(self, state: int) -> float:
        return self._reset_cost if state == BLANK else 1
