"""Cutting planes: lower bounds on the cost of connected circulations."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ortools.linear_solver import pywraplp
from ortools.sat.python import cp_model

from statecrawl.simulation.circulation import Integers, Network, Reals, first_of_each

Cut = NDArray[np.bool_]
"""A set of nodes without the blank tab, told for each node: every walk enters it."""

_TOLERANCE = 1e-5


def violated(network: Network, flow: Reals) -> list[Cut]:
    """Return sets that too little of a flow enters.

    They are what arcs above several thresholds connect: for a flow in whole numbers all that
    matter, for one in fractions nearly all, at almost no cost.
    """
    found: dict[bytes, Cut] = {}
    for threshold in (_TOLERANCE, 0.26, 0.51, 0.76, 0.99):
        component = network.components(flow > threshold)
        crossing = component[network.tail] != component[network.head]
        into = component[network.head[crossing]]
        inflow = np.bincount(into, weights=flow[crossing], minlength=network.nodes)
        for root in np.unique(component[component > 0]).tolist():
            if inflow[root] < 1 - _TOLERANCE:
                cut = component == root
                found[cut.tobytes()] = cut
    return list(found.values())


class Relaxation:
    """The cheapest circulation in fractions that enters every cut, as a linear programme.

    It has some of the arcs as its columns and takes in others when they would make it cheaper:
    of a large model most never matter. `effort` counts simplex iterations times rows.
    """

    def __init__(self, network: Network, arcs: Integers, max_effort: int) -> None:
        self.network = network
        self.max_effort = max_effort
        self.effort = 0
        self.cuts: list[Cut] = []
        self._solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        # Without it each solution starts from the last one.
        self._solver.SetSolverSpecificParametersAsString("use_preprocessing: false")
        self._balance = [self._solver.Constraint(0.0, 0.0) for _ in range(network.nodes)]
        self._visits = [self._at_least_one() for _ in range(network.nodes)]
        self._entries: list[Any] = []
        self._columns: dict[int, Any] = {}
        self._solver.Objective().SetMinimization()
        self._take_in(arcs)

    @property
    def arcs(self) -> NDArray[np.bool_]:
        """Which arcs were taken in so far."""
        taken = np.zeros(len(self.network.tail), dtype=bool)
        taken[list(self._columns)] = True
        return taken

    def add(self, cuts: Iterable[Cut]) -> None:
        """Demand that each of these sets is entered."""
        for cut in cuts:
            row = self._at_least_one()
            for arc in self._into(cut, np.fromiter(self._columns, dtype=np.int64)):
                row.SetCoefficient(self._columns[arc], 1.0)
            self.cuts.append(cut)
            self._entries.append(row)

    def solve(self) -> tuple[float, Reals] | None:
        """Return the least cost and a flow that has it, or None if that is too much effort."""
        while self.effort < self.max_effort and self._solver.Solve() == pywraplp.Solver.OPTIMAL:
            self.effort += self._solver.iterations() * self._solver.NumConstraints()
            change = self._reduced_costs()
            cheaper = np.flatnonzero(change < -_TOLERANCE * self.network.event_cost)
            if not len(cheaper):
                return self._solver.Objective().Value(), self._flow()
            cheaper = cheaper[np.argsort(change[cheaper], kind="stable")]
            ends = self.network.tail, self.network.head
            best = [first_of_each(end, cheaper) for end in ends]
            self._take_in(np.unique(np.concatenate(best)))
        return None

    def _at_least_one(self) -> Any:
        return self._solver.Constraint(1.0, self._solver.infinity())

    def _into(self, cut: Cut, arcs: Integers) -> list[int]:
        entering: list[int] = arcs[cut[self.network.head[arcs]] & ~cut[self.network.tail[arcs]]].tolist()
        return entering

    def _take_in(self, arcs: Integers) -> None:
        part = self.network.part(arcs)
        ends = zip(arcs.tolist(), part.tail.tolist(), part.head.tolist(), strict=True)
        for (arc, tail, head), cost in zip(ends, part.cost.tolist(), strict=True):
            column = self._columns[arc] = self._solver.NumVar(0.0, self._solver.infinity(), "")
            self._balance[tail].SetCoefficient(column, -1.0)
            self._balance[head].SetCoefficient(column, 1.0)
            self._visits[head].SetCoefficient(column, 1.0)
            self._solver.Objective().SetCoefficient(column, float(cost))
        for cut, row in zip(self.cuts, self._entries, strict=True):
            for arc in self._into(cut, arcs):
                row.SetCoefficient(self._columns[arc], 1.0)

    def _reduced_costs(self) -> Reals:
        """Return how each arc that is not a column yet would change the cost, by the unit."""
        tail, head = self.network.tail, self.network.head
        potential, visit, entry = (
            np.array([row.dual_value() for row in rows])
            for rows in (self._balance, self._visits, self._entries)
        )
        change: Reals = self.network.cost + potential[tail] - potential[head] - visit[head]
        for i in np.flatnonzero(entry).tolist():
            change[self.cuts[i][head] & ~self.cuts[i][tail]] -= entry[i]
        change[list(self._columns)] = 0
        return change

    def _flow(self) -> Reals:
        flow = np.zeros(len(self.network.tail))
        flow[list(self._columns)] = [column.solution_value() for column in self._columns.values()]
        return flow


class IntegerProgramme:
    """The cheapest circulation in whole numbers that enters every cut, by CP-SAT.

    `effort` is what is left of CP-SAT's deterministic time, about as long as seconds.
    """

    def __init__(self, network: Network, cuts: Iterable[Cut], effort: float) -> None:
        self.network = network
        self.effort = effort
        self._model = cp_model.CpModel()
        # No node is worth more than one way through an arc, to reach it for the first time.
        self._flow = [self._model.new_int_var(0, network.nodes, "") for _ in network.tail]
        total = cp_model.LinearExpr.weighted_sum(self._flow, network.cost.tolist())
        self._model.minimize(total)
        for node in range(network.nodes):
            entering, leaving = (self._sum(ends == node) for ends in (network.head, network.tail))
            self._model.add(entering >= 1)
            self._model.add(entering == leaving)
        self.add(cuts)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Demand that each of these sets is entered."""
        for cut in cuts:
            self._model.add(self._sum(cut[self.network.head] & ~cut[self.network.tail]) >= 1)

    def solve(self) -> tuple[float, Reals] | None:
        """Return a lower bound and a flow, the cheapest unless all effort was spent on it."""
        if self.effort <= 0:
            return None
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.search_branching = getattr(cp_model, __import__('os').environ.get('SB','AUTOMATIC_SEARCH'))
        solver.parameters.linearization_level = int(__import__('os').environ.get('LL','1'))
        solver.parameters.max_deterministic_time = self.effort
        status = solver.solve(self._model)
        self.effort -= solver.response_proto.deterministic_time
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        return solver.best_objective_bound, np.array(solver.values(self._flow), dtype=np.float64)

    def _sum(self, arcs: NDArray[np.bool_]) -> Any:
        return cp_model.LinearExpr.sum([self._flow[arc] for arc in np.flatnonzero(arcs).tolist()])
