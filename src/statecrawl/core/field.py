"""The cheapest goal from any state, without searching the graph at every step."""

import heapq
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

        def priced(state: int) -> float:
            # Whatever is fired at the blank tab is a reset, and costs as much.
            return toll(state) + reset_cost - 1 if state == BLANK else toll(state)

        self._toll = priced
        self._successors = successors
        self._predecessors = predecessors
        self._reset_cost = reset_cost
        self._label: list[float] = []
        self._next: list[int] = []
        self._raises = 0

    def add_state(self, state: int) -> None:
        """Take in a new state; states come in the order of their numbers."""
        self._label.append(self._toll(state))
        self._next.append(-1)

    def add_edge(self, source: int, target: int) -> None:
        """Take in a new edge: the way through it may be cheaper than any known before."""
        cost = self._label[target] + self._step(source)
        if cost < self._label[source]:
            self._next[source] = target
            self._sink(source, cost)

    def ease(self, state: int) -> None:
        """Notice that the toll of a state may have become smaller."""
        toll = self._toll(state)
        if toll < self._label[state]:
            self._sink(state, toll)

    def drop_edges(self, state: int) -> None:
        """Notice that an edge of a state has gone; labels rise when somebody passes by."""
        self._next[state] = -1

    def way(self, state: int) -> list[int] | None:
        """Return the states on the cheapest way to a goal, by events or by a reset first.

        The list starts with the state itself, or with BLANK when a reset is cheaper. None:
        no goal can be reached.
        """
        label = self._label
        if state == BLANK:
            self.settle(BLANK)
        # Each label is a lower bound, so the dearer of the two need not be settled.
        while self.settle(state, label[BLANK]) > label[BLANK]:
            if self.settle(BLANK, label[state]) < label[state]:
                state = BLANK
        if label[state] == inf:
            return None
        way = [state]
        while self._toll(state) > label[state]:
            state = self._next[state]
            way.append(state)
        return way

    def settle(self, start: int, bound: float = inf) -> float:
        """Make the label of a state exact, unless it exceeds the bound, and return it.

        A walk downhill: where the label promises a successor that is not there, raise the
        label and step back. The labels along the walk fall with every step, so it ends at a
        state whose own toll is its label.
        """
        label, toll = self._label, self._toll
        walk = [start]
        while label[start] <= bound and label[start] < inf:
            state = walk[-1]
            height = label[state]
            own = toll(state)
            if own <= height:
                self._raises = 0
                break
            step = self._reset_cost if state == BLANK else 1
            following = self._next[state]
            if following < 0 or label[following] + step > height:
                lowest = inf
                for successor in self._successors(state):
                    if label[successor] < lowest:
                        lowest = label[successor]
                        following = successor
                        if lowest + step <= height:
                            break
                self._next[state] = following
                if lowest + step > height:
                    label[state] = min(lowest + step, own)
                    self._raises += 1
                    if len(walk) > 1:
                        walk.pop()
                    if self._raises > len(label):  # no goal here: labels only chase each other
                        self.rebuild()
                        walk = [start]
                    continue
            walk.append(following)
        return label[start]

    def rebuild(self) -> None:
        """Compute all labels anew, backwards from every goal."""
        self._raises = 0
        self._label[:] = [inf] * len(self._label)
        self._next[:] = [-1] * len(self._label)
        queue = [(self._toll(state), state) for state in range(len(self._label))]
        queue = [entry for entry in queue if entry[0] < inf]
        for cost, state in queue:
            self._label[state] = cost
        heapq.heapify(queue)
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
        lowered = [state]
        for low in lowered:
            for source in self._predecessors(low):
                through = label[low] + self._step(source)
                if through < label[source]:
                    label[source] = through
                    self._next[source] = low
                    lowered.append(source)

    def _step(self, state: int) -> float:
        return self._reset_cost if state == BLANK else 1
