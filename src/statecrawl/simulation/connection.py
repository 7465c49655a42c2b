"""The cheapest circulation that hangs together, between a lower and an upper bound.

A circulation may fall apart into rounds that no walk can pass between. From below, cutting
planes demand that some arc enters each such part; from above, the parts are joined. Where
both bounds meet, the optimum is proved. All effort is counted, not timed, and chance is
seeded: the same model always gives the same answer.
"""

import math
from typing import NamedTuple

import numpy as np

from statecrawl.simulation.circulation import Integers, Network, Reals, first
from statecrawl.simulation.cuts import Cut, IntegerProgramme, Relaxation, violated

_STARTS = 1
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
    if not search.is_over:
        search.cut(Relaxation(network, [], np.arange(len(flow)) if len(flow) <= 20000 else np.flatnonzero(flow + search.walk)), 60)
    if not search.is_over and len(network.tail) < 30000:
        search.cut(IntegerProgramme(network, search.cuts, 1.0), 20)
    return Bounds(search.lower, search.upper)


class _Search:
    """What is known so far of the optimum, and the two ways to learn more."""

    def __init__(self, network: Network, lower: int) -> None:
        self.network = network
        self.lower = lower
        self.upper = 2**62
        self.cuts: list[Cut] = []
        self.random = np.random.default_rng(0)

    @property
    def is_over(self) -> bool:
        return self.lower >= self.upper

    def join(self, guide: Reals, arcs=None) -> None:
        """Lower the upper bound: make a walk, where possible of the arcs that the guide uses."""
        network = self.network
        if arcs is not None: network = Network(network.nodes, network.tail[arcs], network.head[arcs], network.cost[arcs], network.event_cost); guide = guide[arcs]
        noise = self.random.random(len(guide))
        flow = network.circulation(preference=0.8 * np.minimum(guide, 1) + 0.2 * noise)
        walk = _joined(network, flow, guide, self.random)
        self.walk = walk
        self.upper = min(self.upper, network.total(walk))

    def cut(self, programme: Relaxation, rounds: int) -> None:
        for turn in range(rounds):
            solution = programme.solve()
            if solution is None:
                return
            bound, values = solution
            self.lower = max(self.lower, min(self.upper, math.ceil(bound - 1e-3)))
            fresh = violated(self.network, values)
            if not fresh or turn % 4 == 3 or isinstance(programme, IntegerProgramme):
                self.join(values,np.array(list(programme.flow)))
            if self.is_over or not fresh:
                return
            for cut in fresh:
                programme.add(cut)
            self.cuts += fresh


def _joined(
    network: Network, flow: Integers, guide: Reals, random: np.random.Generator
) -> Integers:
    """Make a circulation into a walk: exchange arcs, else require some and solve anew.

    In each round every part chooses one arc into it, cheap and liked by the guide; the better
    half of these is required from then on, and the flow changed as little as possible.
    """
    required = np.zeros_like(flow)
    share = 2 if guide.any() else 1
    while True:
        flow = _exchanged(network, flow, required, random)
        part = network.components(flow > 0)
        if not part.any():
            return flow
        into = np.flatnonzero((part[network.tail] != part[network.head]) & (part[network.head] > 0))
        liking = np.minimum(guide[into], 1) * network.event_cost
        into = into[np.lexsort((random.random(len(into)), network.cost[into] - liking))]
        into = first(part[network.head], into)
        into = first(network.tail, into)
        required[into[: len(into) // share + 1]] = 1
        flow = network.circulation(required, preference=np.where(flow > 0, 1, 0.99))


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
