"""The cheapest connected circulation, between a lower and an upper bound.

The cheapest circulation may fall apart into rounds that no walk can pass between. From below,
cutting planes forbid that; from above, the rounds are joined to a walk, guided by what the
cutting planes found. Where the bounds meet the optimum is proved. Effort is counted and not
timed, and chance is seeded: a model always gives the same answer.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from statecrawl.simulation.circulation import BLANK, Integers, Network, Reals, first_of_each
from statecrawl.simulation.cuts import Cut, IntegerProgramme, Relaxation, violated

_MANY_ARCS = 20_000
_LINEAR_EFFORT = 500_000_000
_INTEGER_EFFORT = 6.0
_TRIES = 4
import os
TRY=int(os.environ.get('TRY','10'))
FORCE=int(os.environ.get('FORCE','1'))
_FUTILE_PASSES = 4


Choice = NDArray[np.bool_]


class Bounds(NamedTuple):
    """What is known of the optimum: it is not below the one and not above the other."""

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
    everything = np.ones(len(flow), dtype=bool)
    is_large = len(flow) > _MANY_ARCS
    search.join(everything, np.zeros(len(flow)), tries=1 if is_large else _TRIES)
    search.cut_fractions(search.used if is_large else everything)
    search.cut_integers(search.used.copy())
    if not is_large:
        search.cut_integers(everything)
    return Bounds(search.lower, search.upper)


class _Search:
    """The bounds reached so far, and the ways to better them."""

    def __init__(self, network: Network, lower: int) -> None:
        self.network = network
        self.lower = lower
        self.upper = 2**62
        self.used = _tree(network)
        self.cuts: list[Cut] = []
        self.random = np.random.default_rng(0)

    @property
    def is_over(self) -> bool:
        return self.lower >= self.upper

    def raise_lower(self, bound: float) -> None:
        """Note a bound that the optimum, a whole number, is not below."""
        self.lower = max(self.lower, min(self.upper, math.ceil(bound - 1e-3)))

    def join(self, arcs: Choice, guide: Reals, tries: int = 1, start=None) -> None:
        """Make walks of these arcs, where possible of those that the guide uses."""
        network, guide = self.network.part(np.flatnonzero(arcs)), np.minimum(guide[arcs], 1)
        for _ in range(tries):
            if self.is_over:
                return
            if start is None:
                preference = 0.8 * guide + 0.2 * self.random.random(len(guide))
                flow = network.circulation(preference=preference)
            else:
                flow = start[arcs]
            flow = _joined(network, flow, guide, self.random, 2 + 2_000_000 // len(guide))
            self.used[arcs] |= flow > 0
            if network.is_walk(flow):
                self.upper = min(self.upper, network.total(flow))

    def cut_fractions(self, arcs: Choice) -> None:
        """Better both bounds by a linear programme that starts with these arcs."""
        if self.is_over:
            return
        programme = Relaxation(self.network, np.flatnonzero(arcs), _LINEAR_EFFORT)
        guide = np.zeros(len(arcs))
        while not self.is_over:
            solution = programme.solve()
            if solution is None:
                break
            bound, guide = solution
            self.raise_lower(bound)
            self.used |= guide > 0
            cuts = violated(self.network, guide)
            if not cuts:
                break
            programme.add(cuts)
        self.cuts = programme.cuts
        self.join(programme.arcs, guide, tries=2)

    def cut_integers(self, arcs: Choice) -> None:
        """Better the bounds by an integer programme of these arcs; the lower one if it has all."""
        if self.is_over:
            return
        programme = IntegerProgramme(
            self.network.part(np.flatnonzero(arcs)), self.cuts, _INTEGER_EFFORT
        )
        while not self.is_over:
            solution = programme.solve()
            if solution is None:
                break
            guide = np.zeros(len(arcs))
            bound, guide[arcs] = solution
            if arcs.all():
                self.raise_lower(bound)
            flow = np.rint(guide).astype(np.int64)
            self.used |= flow > 0
            for _ in range(TRY):
                other = _exchanged(self.network, flow, np.zeros_like(flow), self.random)
                self.used |= other > 0
                if self.network.is_walk(other):
                    self.upper = min(self.upper, self.network.total(other))
                    break
            if FORCE: self.join(self.used, guide, start=flow)
            cuts = violated(self.network, guide)
            if not cuts:
                break
            programme.add(cuts)
            self.cuts += cuts


def _tree(network: Network) -> np.ndarray:
    """Return the arcs of a tree from the blank tab to all nodes, and those back to it."""
    order = np.argsort(network.tail, kind="stable")
    first = np.searchsorted(network.tail[order], np.arange(network.nodes + 1))
    chosen = network.head == BLANK
    reached = np.zeros(network.nodes, dtype=bool)
    reached[BLANK] = True
    waiting = [BLANK]
    for node in waiting:
        arcs = order[first[node] : first[node + 1]]
        arcs = arcs[~reached[network.head[arcs]]]
        reached[network.head[arcs]] = True
        chosen[arcs] = True
        waiting += network.head[arcs].tolist()
    return chosen


def _joined(
    network: Network,
    flow: Integers,
    guide: Reals,
    random: np.random.Generator,
    max_rounds: int,
) -> Integers:
    """Make a walk of a circulation: exchange arcs, else require some and solve anew.

    Each component chooses an arc into it, cheap and used by the guide; the better half of
    these is required from then on, and the flow is changed as little as possible. So two
    components that met stay together, and in the end all have.
    """
    required = np.zeros_like(flow)
    for _ in range(max_rounds):
        flow = _exchanged(network, flow, required, random)
        component = network.components(flow > 0)
        if not component.any():
            return flow
        target = component[network.head]
        into = np.flatnonzero((component[network.tail] != target) & (target != BLANK))
        dislike = network.cost[into] - guide[into] * network.event_cost
        into = into[np.lexsort((random.random(len(into)), dislike))]
        into = first_of_each(network.tail, first_of_each(target, into))
        required[into[: len(into) // 2 + 1]] = 1
        flow = network.circulation(required, preference=np.where(flow > 0, 1, 0.99))
    return flow


def _exchanged(
    network: Network, flow: Integers, required: Integers, random: np.random.Generator
) -> Integers:
    """Join components at no cost: a -> a' and b -> b' become a -> b' and b -> a'.

    A component is a closed walk: without one arc it is still in one piece, and two pieces are
    put end to end. Of several arcs with flow at a node one is tried, by chance.
    """
    tail, head, cost = network.tail, network.head, network.cost
    key = tail * network.nodes + head
    order = np.argsort(key)
    key = key[order]
    flow = flow.copy()
    futile = 0
    while futile < _FUTILE_PASSES and not network.is_walk(flow):
        futile += 1
        component = network.components(flow > 0)
        spare = np.flatnonzero(flow > required)
        there = np.flatnonzero(component[tail] != component[head])
        there = there[np.isin(tail[there], tail[spare]) & np.isin(head[there], head[spare])]
        leaving = _one_at(tail, spare, tail[there], random)
        entering = _one_at(head, spare, head[there], random)
        wanted = tail[entering] * network.nodes + head[leaving]
        place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        back = order[place]
        change = cost[there] + cost[back] - cost[leaving] - cost[entering]
        good = random.permutation(np.flatnonzero((key[place] == wanted) & (change <= 0)))
        good = good[np.argsort(change[good], kind="stable")]
        ends = component[tail[there]], component[head[there]]
        moves = np.stack([there, back, leaving, entering, *ends])
        merged: dict[int, int] = {}
        gone: set[int] = set()
        for add, close, leave, enter, one, other in moves[:, good].T.tolist():
            here, yonder = _root(merged, one), _root(merged, other)
            if here != yonder and leave not in gone and enter not in gone:
                merged[here] = yonder
                gone |= {leave, enter}
                flow[[add, close]] += 1
                flow[[leave, enter]] -= 1
                futile = 0
    return flow


def _one_at(
    end: Integers, arcs: Integers, nodes: Integers, random: np.random.Generator
) -> Integers:
    """Return for each node one of the arcs that have it as their end, by chance."""
    arcs = arcs[np.argsort(end[arcs], kind="stable")]
    first = np.searchsorted(end[arcs], nodes, side="left")
    count = np.searchsorted(end[arcs], nodes, side="right") - first
    return arcs[first + (random.random(len(nodes)) * count).astype(np.int64)]


def _root(merged: dict[int, int], component: int) -> int:
    while component in merged:
        component = merged[component]
    return component
