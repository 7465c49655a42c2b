"""Walks over a known model as circulations: integer flows that any closed walk amounts to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]

BLANK = 0
"""The node of the blank tab, where a walk starts and where it can return to for nothing."""

_TIE = 10_000
"""How finely costs are divided, for ties to be broken without changing what is cheap."""


@dataclass(frozen=True)
class Network:
    """The blank tab and the states as nodes 0 to `nodes` - 1; where one step can lead as arcs.

    Costs are whole numbers, `event_cost` of them to an event: flows are solved in integers.
    """

    nodes: int
    tail: Integers
    head: Integers
    cost: Integers
    event_cost: int

    def total(self, flow: Integers) -> int:
        """Return what a flow costs."""
        return int(self.cost @ flow)

    def circulation(
        self, at_least: Integers | None = None, preference: Reals | None = None
    ) -> Integers:
        """Return the cheapest flow that visits every node and uses each arc at least so often.

        Without a preference it is the optimum. With one, a number from 0 to 1 for each arc,
        flows of almost the same cost are told apart: arcs of high preference are taken.
        """
        required = np.zeros_like(self.tail) if at_least is None else at_least
        price = self.cost
        if preference is not None:
            dislike = (1 - preference) * (self.event_cost * _TIE // 100)
            price = self.cost * _TIE + np.rint(dislike).astype(np.int64)
        # Each node is split in two. What it must give and take at least goes over the arcs
        # (node -> head + nodes); what comes in beyond that goes on over (node + nodes -> node).
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
        if status != SimpleMinCostFlow.OPTIMAL:  # every node is reachable: there is a flow
            raise RuntimeError(f"the flow was not solved: {status}")
        return np.asarray(solver.flows(arcs), dtype=np.int64) + required

    def components(self, used: NDArray[np.bool_]) -> Integers:
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
        """Tell whether one walk can be made of a flow: whether all of it hangs together."""
        return not self.components(flow > 0).any()


def first(key: Integers, arcs: Integers) -> Integers:
    """Return of the arcs with the same key only the first, in their order."""
    return arcs[np.sort(np.unique(key[arcs], return_index=True)[1])]
