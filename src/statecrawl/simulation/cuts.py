"""Cutting planes: lower bounds on circulations that hang together.

A circulation may fall apart into rounds that no walk can pass between. A cut is a set of
nodes without the blank tab: every walk enters it at least once.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ortools.linear_solver import pywraplp

from statecrawl.simulation.circulation import Integers, Network, Reals, first

Cut = NDArray[np.bool_]
"""For each node, whether it is in the set."""

_TOLERANCE = 1e-5


def violated(network: Network, flow: Reals) -> list[Cut]:
    """Return sets that too little of a flow enters.

    The sets are what hangs together by arcs above several thresholds: all there are for whole
    numbers, a cheap and good guess for fractions.
    """
    found: dict[bytes, Cut] = {}
    for threshold in (_TOLERANCE, 0.26, 0.51, 0.76, 0.99):
        part = network.components(flow > threshold)
        crossing = part[network.tail] != part[network.head]
        into = part[network.head[crossing]]
        inflow = np.bincount(into, weights=flow[crossing], minlength=network.nodes)
        for root in np.unique(part[part > 0]).tolist():
            if inflow[root] < 1 - _TOLERANCE:
                cut = part == root
                found[cut.tobytes()] = cut
    return list(found.values())


class Relaxation:
    """The circulation as a linear programme in which each cut is entered at least once.

    It starts with some of the arcs and takes in others when they would make it cheaper: most
    of a large model's arcs never matter.
    """

    def __init__(self, network: Network, cuts: Iterable[Cut], arcs: Integers) -> None:
        self.network = network
        self.solver: Any = pywraplp.Solver.CreateSolver(self.backend)
        self.balance = [self.solver.Constraint(0.0, 0.0) for _ in range(network.nodes)]
        self.visits = [self._entered() for _ in range(network.nodes)]
        self.cuts: list[tuple[Cut, Any]] = []
        self.flow: dict[int, Any] = {}
        self.solver.Objective().SetMinimization()
        self._take_in(arcs)
        for cut in cuts:
            self.add(cut)

    backend = "GLOP"

    def _entered(self) -> Any:
        return self.solver.Constraint(1.0, self.solver.infinity())

    def _variable(self) -> Any:
        return self.solver.NumVar(0.0, self.solver.infinity(), "")

    def _take_in(self, arcs: Integers) -> None:
        tail, head = self.network.tail[arcs], self.network.head[arcs]
        rows = zip(arcs.tolist(), tail.tolist(), head.tolist(), strict=True)
        for arc, source, target in rows:
            variable = self.flow[arc] = self._variable()
            self.balance[source].SetCoefficient(variable, -1.0)
            self.balance[target].SetCoefficient(variable, 1.0)
            self.visits[target].SetCoefficient(variable, 1.0)
            self.solver.Objective().SetCoefficient(variable, float(self.network.cost[arc]))
        for cut, constraint in self.cuts:
            for arc in arcs[cut[head] & ~cut[tail]].tolist():
                constraint.SetCoefficient(self.flow[arc], 1.0)

    def add(self, cut: Cut) -> None:
        """Demand that the set is entered."""
        constraint = self._entered()
        for arc in np.flatnonzero(cut[self.network.head] & ~cut[self.network.tail]).tolist():
            if arc in self.flow:
                constraint.SetCoefficient(self.flow[arc], 1.0)
        self.cuts.append((cut, constraint))

    def solve(self) -> tuple[float, Reals] | None:
        """Return a lower bound and the flow that has this cost, or None if there is no telling."""
        while self.solver.Solve() == pywraplp.Solver.OPTIMAL:
            reduced = self._reduced_costs()
            cheaper = np.flatnonzero(reduced < -_TOLERANCE * self.network.event_cost)
            if not len(cheaper):
                return self.solver.Objective().Value(), self._values()
            cheaper = cheaper[np.argsort(reduced[cheaper], kind="stable")]
            ends = (self.network.tail, self.network.head)
            self._take_in(np.unique(np.concatenate([first(end, cheaper) for end in ends])))
        return None

    def _reduced_costs(self) -> Reals:
        """Return by how much each arc would make the solution dearer, for arcs not taken in."""
        tail, head = self.network.tail, self.network.head
        potential = np.array([row.dual_value() for row in self.balance])
        reward = np.array([row.dual_value() for row in self.visits])
        reduced = self.network.cost + potential[tail] - potential[head] - reward[head]
        for cut, row in self.cuts:
            if price := row.dual_value():
                reduced[cut[head] & ~cut[tail]] -= price
        reduced[list(self.flow)] = 0
        return reduced

    def _values(self) -> Reals:
        values = np.zeros(len(self.network.tail))
        values[list(self.flow)] = [variable.solution_value() for variable in self.flow.values()]
        return values


class IntegerProgramme(Relaxation):
    """The same with all arcs and in whole numbers, solved by CP-SAT with a bounded effort."""

    backend = "SAT"

    def __init__(self, network: Network, cuts: Iterable[Cut], deterministic_time: float) -> None:
        super().__init__(network, cuts, np.arange(len(network.tail)))
        self.solver.SetSolverSpecificParametersAsString(
            f"num_workers: 1 max_deterministic_time: {deterministic_time}"
        )

    def _variable(self) -> Any:
        return self.solver.IntVar(0.0, float(self.network.nodes), "")

    def solve(self) -> tuple[float, Reals] | None:
        """Return a lower bound and a flow, or None if the effort did not suffice."""
        if self.solver.Solve() != pywraplp.Solver.OPTIMAL:
            return None
        return self.solver.Objective().BestBound(), self._values()
