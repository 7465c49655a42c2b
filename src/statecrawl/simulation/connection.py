"""The cheapest connected circulation, between a lower and an upper bound.

The cheapest circulation may fall apart into rounds that no walk can pass between. From below,
cutting planes forbid that; from above, the rounds are joined to a walk, guided by what the
cutting planes found. Where the bounds meet the optimum is proved. Effort is counted and not
timed, and chance is seeded: a model always gives the same answer.
"""

import math
from typing import NamedTuple

import numpy as np

from statecrawl.simulation.circulation import Choice, Integers, Network, Reals
from statecrawl.simulation.cuts import Cut, IntegerProgramme, LinearProgramme, violated
from statecrawl.simulation.joining import exchanged, joined

_FEW_ARCS = 2_000  # up to here everything is tried
_MANY_ARCS = 20_000  # above, programmes have only arcs that showed to be useful
# Each effort lasts for some ten seconds.
_LINEAR_EFFORT = 800_000_000
_INTEGER_EFFORT = 6.0
_JOIN_EFFORT = 2_000_000  # arcs times rounds


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
    search.join_freely()
    search.cut_fractions(search.used_arcs if search.is_large else search.all_arcs)
    is_best_of_used = search.cut_integers(search.used_arcs)
    if search.is_small or (is_best_of_used and not search.is_large):
        search.cut_integers(search.all_arcs)
    return Bounds(search.lower, search.upper)


class _Search:
    """The bounds reached so far, and the ways to better them while they are apart."""

    def __init__(self, network: Network, lower: int) -> None:
        self.network = network
        self.lower = lower
        self.upper = 2**62
        self.walk = np.zeros_like(network.tail)
        self.is_large = len(network.tail) > _MANY_ARCS
        self.is_small = len(network.tail) <= _FEW_ARCS
        self.tries = 4 if self.is_small else 1
        self.all_arcs = np.ones(len(network.tail), dtype=np.bool_)
        self.used_arcs = network.tree()  # by any solution so far; the tree makes sure of one
        self.cuts: list[Cut] = []
        self.random = np.random.default_rng(0)

    @property
    def is_over(self) -> bool:
        return self.lower >= self.upper

    def join_freely(self) -> None:
        """Look for a walk among all arcs, as long as that is cheap."""
        max_rounds = 2 + _JOIN_EFFORT // len(self.all_arcs)
        for _ in range(self.tries):
            if not self.is_over:
                self._join(self.all_arcs, np.zeros(len(self.all_arcs)), max_rounds)

    def cut_fractions(self, arcs: Choice) -> None:
        """Better the bounds by the linear programme, which starts with these arcs."""
        if self.is_over:
            return
        programme = LinearProgramme(self.network, arcs, _LINEAR_EFFORT)
        guide = np.zeros(len(arcs))
        while not self.is_over and (solution := programme.solve()):
            bound, guide = solution
            self._raise_lower(bound)
            self.used_arcs = self.used_arcs | (guide > 0)
            cuts = violated(self.network, guide)
            if not cuts:
                break
            programme.add(cuts)
        self.cuts = programme.cuts
        for _ in range(self.tries):
            if not self.is_over:
                self._join(programme.arcs, guide, self.network.nodes)

    def cut_integers(self, arcs: Choice) -> bool:
        """Better the bounds by the integer programme of these arcs; the lower if it has all.

        Tell whether the cheapest walk of these arcs was found.
        """
        if self.is_over:
            return True
        programme = IntegerProgramme(self.network.part(arcs), self.cuts, _INTEGER_EFFORT)
        while solution := programme.solve(self.walk[arcs]):
            flow = np.zeros(len(arcs), dtype=np.int64)
            bound, flow[arcs] = solution
            if arcs.all():
                self._raise_lower(bound)
            for _ in range(10):
                self._note(exchanged(self.network, flow, np.zeros_like(flow), self.random))
            if not self.is_over:
                self._join(self.used_arcs, flow.astype(np.float64), self.network.nodes)
            cuts = violated(self.network, flow.astype(np.float64))
            if self.is_over or not cuts:
                return programme.effort > 0
            programme.add(cuts)
            self.cuts += cuts
        return False

    def _join(self, arcs: Choice, guide: Reals, max_rounds: int) -> None:
        """Make a walk of these arcs, where possible of those that the guide uses."""
        network, guide = self.network.part(arcs), np.minimum(guide[arcs], 1)
        preference = 0.8 * guide + 0.2 * self.random.random(len(guide))
        flow = np.zeros(len(arcs), dtype=np.int64)
        start = network.circulation(preference=preference)
        flow[arcs] = joined(network, start, guide, self.random, max_rounds)
        self._note(flow)

    def _note(self, flow: Integers) -> None:
        self.used_arcs = self.used_arcs | (flow > 0)
        total = self.network.total(flow)
        if total < self.upper and self.network.is_walk(flow):
            self.upper, self.walk = total, flow

    def _raise_lower(self, bound: float) -> None:
        """Note that the optimum, a whole number, is not below a bound known up to rounding."""
        self.lower = max(self.lower, min(self.upper, math.ceil(bound - 1e-3)))
