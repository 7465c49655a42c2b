"""The cheapest circulation that hangs together, between a lower and an upper bound.

A circulation may fall apart into rounds that no walk can pass between. From below, cutting
planes demand that some arc enters each such part; from above, the parts are joined. Where
both bounds meet, the optimum is proved. All effort is counted, not timed, and chance is
seeded: the same model always gives the same answer.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from ortools.linear_solver import pywraplp

from statecrawl.simulation.circulation import Integers, Network, Reals

_STARTS = 3
_MAX_ROUNDS = {"GLOP": 60, "SAT": 20}
_MAX_ARCS = {"GLOP": 100_000, "SAT": 30_000}
_DETERMINISTIC_SECONDS = 1.0
_FUTILE_PASSES = 4
_TOLERANCE = 1e-3


class Bounds(NamedTuple):
    """The optimum is neither below the one nor above the other."""

    lower: int
    upper: int

    @property
    def is_exact(self) -> bool:
        """Tell whether the optimum is known."""
        return self.lower == self.upper


def cheapest_walk(network: Network) -> Bounds:
    """Bound the cost of the cheapest walk that visits every node."""
    flow = network.circulation()
    lower = network.total(flow)
    if network.is_walk(flow):
        return Bounds(lower, lower)
    search = _Search(network, lower)
    for _ in range(_STARTS):
        search.join(np.zeros(len(network.tail)))
        if search.is_over:
            break
    for backend in ("GLOP", "SAT"):
        if not search.is_over and len(network.tail) <= _MAX_ARCS[backend]:
            search.cut(backend)
    return Bounds(search.lower, search.upper)


class _Search:
    """What is known so far of the optimum, and the two ways to learn more."""

    def __init__(self, network: Network, lower: int) -> None:
        self.network = network
        self.lower = lower
        self.upper = 2**62
        self.cuts: list[Integers] = []
        self.random = np.random.default_rng(0)

    @property
    def is_over(self) -> bool:
        return self.lower >= self.upper

    def join(self, guide: Reals) -> None:
        """Lower the upper bound: make a walk, where possible of the arcs that the guide uses."""
        noise = self.random.random(len(guide))
        flow = self.network.circulation(preference=0.8 * np.minimum(guide, 1) + 0.2 * noise)
        walk = _joined(self.network, flow, guide, self.random)
        self.upper = min(self.upper, self.network.total(walk))

    def cut(self, backend: str) -> None:
        """Raise the lower bound by cutting planes, each round's solution guiding a walk."""
        programme = _Programme(self.network, backend, self.cuts)
        for turn in range(_MAX_ROUNDS[backend]):
            solution = programme.solve()
            if solution is None:
                return
            bound, values = solution
            self.lower = max(self.lower, min(self.upper, math.ceil(bound - _TOLERANCE)))
            fresh = list(_violated(self.network, values))
            if not fresh or turn % 4 == 3 or backend == "SAT":
                self.join(values)
            if self.is_over or not fresh:
                return
            for arcs in fresh:
                programme.demand(arcs)
            self.cuts += fresh


def _joined(
    network: Network, flow: Integers, guide: Reals, random: np.random.Generator
) -> Integers:
    """Make a circulation into a walk: exchange arcs, else require some and solve anew.

    In each round every part chooses one arc into it, cheap and liked by the guide; the better
    half of these is required from then on, and the flow changed as little as possible.
    """
    required = np.zeros_like(flow)
    while True:
        flow = _exchanged(network, flow, required, random)
        part = network.components(flow > 0)
        if not part.any():
            return flow
        into = np.flatnonzero((part[network.tail] != part[network.head]) & (part[network.head] > 0))
        liking = np.minimum(guide[into], 1) * network.event_cost
        into = into[np.lexsort((random.random(len(into)), network.cost[into] - liking))]
        into = _first(part[network.head], into)
        into = _first(network.tail, into)
        required[into[: (len(into) + 1) // 2]] = 1
        flow = network.circulation(required, preference=np.where(flow > 0, 1, 0.99))


def _first(key: Integers, arcs: Integers) -> Integers:
    """Return of the arcs with the same key only the first, in their order."""
    return arcs[np.sort(np.unique(key[arcs], return_index=True)[1])]


def _exchanged(
    network: Network, flow: Integers, required: Integers, random: np.random.Generator
) -> Integers:
    """Join parts at no cost: a -> a' and b -> b' of two parts become a -> b' and b -> a'.

    Each part is a closed walk, so one arc less leaves it in one piece, and the two pieces are
    put end to end. Where more than one arc with flow meets a node, one is tried by chance.
    """
    tail, head, cost = network.tail, network.head, network.cost
    order = np.argsort(tail * network.nodes + head)
    keys = (tail * network.nodes + head)[order]
    flow = flow.copy()
    futile = 0
    while futile < _FUTILE_PASSES:
        futile += 1
        part = network.components(flow > 0)
        if not part.any():
            break
        there = np.flatnonzero(part[tail] != part[head])
        used = np.flatnonzero(flow > required)
        there = there[np.isin(tail[there], tail[used]) & np.isin(head[there], head[used])]
        leaving = _one_at(tail, used, tail[there], random)
        entering = _one_at(head, used, head[there], random)
        wanted = tail[entering] * network.nodes + head[leaving]
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        back = order[place]
        change = cost[there] + cost[back] - cost[leaving] - cost[entering]
        chosen = random.permutation(np.flatnonzero((keys[place] == wanted) & (change <= 0)))
        chosen = chosen[np.argsort(change[chosen], kind="stable")]
        merged: dict[int, int] = {}
        gone: set[int] = set()
        moves = np.stack([there, back, leaving, entering, part[tail[there]], part[head[there]]])
        for add, close, leave, enter, one, other in moves[:, chosen].T.tolist():
            one, other = _root(merged, one), _root(merged, other)
            if one != other and leave not in gone and enter not in gone:
                merged[one] = other
                gone |= {leave, enter}
                flow[[add, close]] += 1
                flow[[leave, enter]] -= 1
                futile = 0
    return flow


def _one_at(
    end: Integers, arcs: Integers, nodes: Integers, random: np.random.Generator
) -> Integers:
    """Return for each node one of the arcs that end at it, by chance."""
    arcs = arcs[np.argsort(end[arcs], kind="stable")]
    first = np.searchsorted(end[arcs], nodes, side="left")
    count = np.searchsorted(end[arcs], nodes, side="right") - first
    return arcs[first + (random.random(len(nodes)) * count).astype(np.int64)]


def _root(merged: dict[int, int], part: int) -> int:
    while part in merged:
        part = merged[part]
    return part


def _violated(network: Network, values: Reals) -> list[Integers]:
    """Return the arcs into each set of nodes that too little of a solution enters.

    The sets are what hangs together by arcs above several thresholds: exact for whole
    numbers, a cheap and good guess for fractions.
    """
    found: dict[bytes, Integers] = {}
    for threshold in (1e-6, 0.26, 0.51, 0.76, 0.99):
        part = network.components(values > threshold)
        crossing = np.flatnonzero(part[network.tail] != part[network.head])
        into = part[network.head[crossing]]
        inflow = np.bincount(into, weights=values[crossing], minlength=network.nodes)
        for root in np.unique(part[part > 0]).tolist():
            if inflow[root] < 1 - _TOLERANCE:
                arcs = crossing[into == root]
                found[arcs.tobytes()] = arcs
    return list(found.values())


class _Programme:
    """The circulation as a linear programme (GLOP) or an integer one (CP-SAT), with cuts."""

    def __init__(self, network: Network, backend: str, cuts: list[Integers]) -> None:
        self.solver: Any = pywraplp.Solver.CreateSolver(backend)
        most = float(network.nodes)
        make = self.solver.IntVar if backend == "SAT" else self.solver.NumVar
        self.flow = [make(0.0, most, "") for _ in range(len(network.tail))]
        self.is_integral = backend == "SAT"
        if self.is_integral:
            self.solver.SetSolverSpecificParametersAsString(
                f"num_workers: 1 max_deterministic_time: {_DETERMINISTIC_SECONDS}"
            )
        balance = [self.solver.Constraint(0.0, 0.0) for _ in range(network.nodes)]
        objective = self.solver.Objective()
        arcs = zip(network.tail.tolist(), network.head.tolist(), network.cost.tolist(), strict=True)
        for variable, (tail, head, cost) in zip(self.flow, arcs, strict=True):
            balance[tail].SetCoefficient(variable, -1.0)
            balance[head].SetCoefficient(variable, 1.0)
            objective.SetCoefficient(variable, float(cost))
        objective.SetMinimization()
        by_head = np.argsort(network.head, kind="stable")
        visits = np.split(by_head, np.cumsum(np.bincount(network.head))[:-1])
        for into in [*visits, *cuts]:
            self.demand(into)

    def demand(self, arcs: Integers) -> None:
        """Demand that some of these arcs is used."""
        constraint = self.solver.Constraint(1.0, self.solver.infinity())
        for arc in arcs.tolist():
            constraint.SetCoefficient(self.flow[arc], 1.0)

    def solve(self) -> tuple[float, Reals] | None:
        """Return a lower bound and a solution, or None if the effort did not suffice."""
        status = self.solver.Solve()
        if status not in (pywraplp.Solver.OPTIMAL, pywraplp.Solver.FEASIBLE):
            return None
        objective = self.solver.Objective()
        bound = objective.BestBound() if self.is_integral else objective.Value()
        return bound, np.array([variable.solution_value() for variable in self.flow])
