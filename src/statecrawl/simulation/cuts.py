"""Cutting planes: lower bounds on the cost of circulations that are connected."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from ortools.linear_solver import pywraplp
from ortools.sat.python import cp_model

from statecrawl.simulation.circulation import Choice, Integers, Network, Reals, first_of_each

Cut = Choice
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


class LinearProgramme:
    """The cheapest circulation in fractions that enters every cut, by GLOP.

    It has some of the arcs as its columns and takes in others when they would make it cheaper:
    of a large model most never matter. `effort` is what is left to spend, about as many
    hundred millions as seconds.
    """

    def __init__(self, network: Network, arcs: Choice, effort: int) -> None:
        self.network = network
        self.effort = effort
        self.cuts: list[Cut] = []
        self._solver: Any = pywraplp.Solver.CreateSolver("GLOP")
        # So that it goes on from its last solution, which is faster than to simplify first.
        self._solver.SetSolverSpecificParametersAsString("use_preprocessing: false")
        self._solver.Objective().SetMinimization()
        self._balance = [self._solver.Constraint(0.0, 0.0) for _ in range(network.nodes)]
        self._visits = [self._at_least_one() for _ in range(network.nodes)]
        self._entries: list[tuple[Any, Integers]] = []  # of each cut, its row and its arcs
        self._columns: dict[int, Any] = {}
        self._take_in(np.flatnonzero(arcs))

    @property
    def arcs(self) -> Choice:
        """The arcs taken in so far."""
        taken = np.zeros(len(self.network.tail), dtype=np.bool_)
        taken[list(self._columns)] = True
        return taken

    def add(self, cuts: Iterable[Cut]) -> None:
        """Demand that each of these sets is entered."""
        taken = self.arcs
        for cut in cuts:
            row = self._at_least_one()
            into = np.flatnonzero(cut[self.network.head] & ~cut[self.network.tail])
            for arc in into[taken[into]].tolist():
                row.SetCoefficient(self._columns[arc], 1.0)
            self.cuts.append(cut)
            self._entries.append((row, into))

    def solve(self) -> tuple[float, Reals] | None:
        """Return the least cost and a flow that has it, or None if that is too much effort."""
        while self.effort > 0 and self._solver.Solve() == pywraplp.Solver.OPTIMAL:
            rows, columns = self._solver.NumConstraints(), self._solver.NumVariables()
            self.effort -= self._solver.iterations() * rows + 400 * columns
            change = self._reduced_costs()
            cheaper = np.flatnonzero(change < -_TOLERANCE * self.network.event_cost)
            if not len(cheaper):
                return self._solver.Objective().Value(), self._flow()
            cheaper = cheaper[np.argsort(change[cheaper], kind="stable")]
            ends = self.network.tail, self.network.head
            self._take_in(np.unique(np.concatenate([first_of_each(end, cheaper) for end in ends])))
        return None

    def _at_least_one(self) -> Any:
        return self._solver.Constraint(1.0, self._solver.infinity())

    def _take_in(self, arcs: Integers) -> None:
        part = self.network.part(arcs)
        values = (arcs.tolist(), part.tail.tolist(), part.head.tolist(), part.cost.tolist())
        for arc, tail, head, cost in zip(*values, strict=True):
            column = self._columns[arc] = self._solver.NumVar(0.0, self._solver.infinity(), "")
            self._balance[tail].SetCoefficient(column, -1.0)
            self._balance[head].SetCoefficient(column, 1.0)
            self._visits[head].SetCoefficient(column, 1.0)
            self._solver.Objective().SetCoefficient(column, float(cost))
        for cut, (row, _) in zip(self.cuts, self._entries, strict=True):
            for arc in arcs[cut[part.head] & ~cut[part.tail]].tolist():
                row.SetCoefficient(self._columns[arc], 1.0)

    def _reduced_costs(self) -> Reals:
        """Return how one unit on each arc that is not a column would change the cost."""
        tail, head = self.network.tail, self.network.head
        potential = np.array([row.dual_value() for row in self._balance])
        visit = np.array([row.dual_value() for row in self._visits])
        change: Reals = self.network.cost + potential[tail] - potential[head] - visit[head]
        for row, into in self._entries:
            change[into] -= row.dual_value()
        change[list(self._columns)] = 0
        return change

    def _flow(self) -> Reals:
        flow = np.zeros(len(self.network.tail))
        flow[list(self._columns)] = [column.solution_value() for column in self._columns.values()]
        return flow


class IntegerProgramme:
    """The cheapest circulation in whole numbers that enters every cut, by CP-SAT.

    `effort` is what is left to spend of its deterministic time.
    """

    def __init__(self, network: Network, cuts: Iterable[Cut], effort: float) -> None:
        self.network = network
        self.effort = effort
        self._model: Any = cp_model.CpModel()
        # An optimal walk takes an arc at most once on its way to each new node.
        self._flow = [self._model.new_int_var(0, network.nodes, "") for _ in network.tail]
        self._model.minimize(cp_model.LinearExpr.weighted_sum(self._flow, network.cost.tolist()))
        for node in range(network.nodes):
            entering = self._sum(network.head == node)
            self._model.add(entering >= 1)
            self._model.add(entering == self._sum(network.tail == node))
        self.add(cuts)

    def add(self, cuts: Iterable[Cut]) -> None:
        """Demand that each of these sets is entered."""
        for cut in cuts:
            self._model.add(self._sum(cut[self.network.head] & ~cut[self.network.tail]) >= 1)

    def solve(self, walk: Integers) -> tuple[float, Integers] | None:
        """Return a lower bound and a flow, or None if the effort is spent.

        The search starts at a walk. The flow is the cheapest, unless the effort came to its
        end over it.
        """
        if self.effort <= 0:
            return None
        self._model.clear_hints()
        for variable, times in zip(self._flow, walk.tolist(), strict=True):
            self._model.add_hint(variable, times)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_deterministic_time = self.effort
        status = solver.solve(self._model)
        self.effort -= solver.response_proto.deterministic_time
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        flow = [solver.value(variable) for variable in self._flow]
        return solver.best_objective_bound, np.array(flow, dtype=np.int64)

    def _sum(self, arcs: Choice) -> Any:
        return cp_model.LinearExpr.sum([self._flow[arc] for arc in np.flatnonzero(arcs).tolist()])
