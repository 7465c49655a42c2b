"""Walks over a known model as circulations: the flows that closed walks amount to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Choice = NDArray[np.bool_]

BLANK = 0
"""The node of the blank tab, where a walk starts and where it can go back to for nothing."""

_FINENESS = 10_000
"""Into how many parts costs are divided, so that flows of one cost can be told apart."""


@dataclass(frozen=True)
class Network:
    """The blank tab and the states as nodes 0 to `nodes` - 1; where one step leads as arcs.

    No two arcs have the same ends. Costs are whole numbers, `event_cost` of them to an event.
    """

    nodes: int
    tail: Integers
    head: Integers
    cost: Integers
    event_cost: int

    def part(self, arcs: Integers | Choice) -> "Network":
        """Return the network of these arcs alone, in their order."""
        ends = self.tail[arcs], self.head[arcs]
        return Network(self.nodes, *ends, self.cost[arcs], self.event_cost)

    def total(self, flow: Integers) -> int:
        """Return what a flow costs."""
        return int(self.cost @ flow)

    def circulation(
        self, at_least: Integers | None = None, preference: Reals | None = None
    ) -> Integers:
        """Return the cheapest flow that visits every node and uses each arc at least so often.

        A preference, from 0 to 1 for each arc, says which to take where the cost is nearly the
        same. Only without one is the flow sure to be the cheapest.
        """
        required = np.zeros_like(self.tail) if at_least is None else at_least
        price = self.cost
        if preference is not None:
            dislike = (1 - preference) * (self.event_cost * _FINENESS // 100)
            price = self.cost * _FINENESS + np.rint(dislike).astype(np.int64)
        # A node is split in two. The arcs go from its first half to the second half of another:
        # one unit at least must leave and enter. What enters beyond that goes on to leave.
        nodes = np.arange(self.nodes)
        supply = np.repeat(np.array([1, -1]), self.nodes)
        np.subtract.at(supply, self.tail, required)
        np.add.at(supply, self.head + self.nodes, required)
        enough = self.nodes + int(required.sum())
        solver = SimpleMinCostFlow()
        arcs = solver.add_arcs_with_capacity_and_unit_cost(
            self.tail, self.head + self.nodes, np.full_like(self.tail, enough), price
        )
        solver.add_arcs_with_capacity_and_unit_cost(
            nodes + self.nodes, nodes, np.full_like(nodes, enough), np.zeros_like(nodes)
        )
        solver.set_nodes_supplies(np.arange(2 * self.nodes), supply)
        status = solver.solve()
        if status != SimpleMinCostFlow.OPTIMAL:
            raise RuntimeError(f"where every node can be reached there is a flow: {status}")
        return np.asarray(solver.flows(arcs), dtype=np.int64) + required

    def components(self, used: Choice) -> Integers:
        """Return for each node the smallest node that the used arcs connect it with."""
        tail, head = self.tail[used], self.head[used]
        label = np.arange(self.nodes)
        while True:
            lowest = np.minimum(label[tail], label[head])
            lower = label.copy()
            np.minimum.at(lower, tail, lowest)
            np.minimum.at(lower, head, lowest)
            lower = lower[lower]
            if np.array_equal(lower, label):
                return label
            label = lower

    def is_walk(self, flow: Integers) -> bool:
        """Tell whether a flow is connected: then it is one closed walk through the blank tab."""
        return not self.components(flow > 0).any()

    def tree(self) -> Choice:
        """Return the arcs of a tree from the blank tab to all nodes, and those back to it."""
        order = np.argsort(self.tail, kind="stable")
        first = np.searchsorted(self.tail[order], np.arange(self.nodes + 1))
        chosen: Choice = self.head == BLANK
        reached = np.arange(self.nodes) == BLANK
        waiting = [BLANK]
        for node in waiting:
            arcs = order[first[node] : first[node + 1]]
            arcs = arcs[~reached[self.head[arcs]]]
            chosen[arcs] = True
            reached[self.head[arcs]] = True
            waiting += self.head[arcs].tolist()
        return chosen


def first_of_each(key: Integers, arcs: Integers) -> Integers:
    """Return of all arcs with the same key only the first; they keep their order."""
    return arcs[np.sort(np.unique(key[arcs], return_index=True)[1])]
