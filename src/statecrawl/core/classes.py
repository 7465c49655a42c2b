"""Near-duplicate classes: states that are alike, for any threshold, without crawling again.

Near is not transitive: a may be near b and b near c, but a far from c. So each state is compared
with representatives only, in the order of discovery; one that is near none becomes one itself.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from statecrawl.core.resemblance import Features, NearEquivalence, Resemblance


class Decision(NamedTuple):
    """A state was taken for a near-duplicate of a representative, or became one: then of itself."""

    state: str
    representative: str
    distance: float

    @property
    def is_new(self) -> bool:
        """Tell whether the state represents a class."""
        return self.state == self.representative


class Resolver:
    """Decides, state by state, which representative stands for it."""

    def __init__(self, equivalence: NearEquivalence) -> None:
        self._index = equivalence.resemblance.index(equivalence.threshold)
        self._representatives: list[str] = []

    def decide(self, state: str, features: Features) -> Decision:
        """Return the nearest representative within the threshold, else make the state one."""
        near = self._index.nearest(features)
        if near is not None:
            return Decision(state, self._representatives[near.key], near.distance)
        self._index.add(len(self._representatives), features)
        self._representatives.append(state)
        return Decision(state, state, 0.0)


@dataclass(frozen=True)
class Classes:
    """The near-duplicate classes of some states, by the decisions that made them."""

    decisions: Mapping[str, Decision] = field(default_factory=dict)

    def representative(self, state: str) -> str:
        """Return the state that stands for this one; itself when nothing was decided."""
        decision = self.decisions.get(state)
        return state if decision is None else decision.representative

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The states of every class, by its representative, which is the first of them."""
        found: dict[str, list[str]] = {}
        for decision in self.decisions.values():
            found.setdefault(decision.representative, []).append(decision.state)
        return {representative: tuple(states) for representative, states in found.items()}


def classes(equivalence: NearEquivalence, features: Mapping[str, Features]) -> Classes:
    """Return the classes of states, given their features in the order of discovery."""
    resolver = Resolver(equivalence)
    return Classes({state: resolver.decide(state, each) for state, each in features.items()})


def curve(
    resemblance: Resemblance, features: Mapping[str, Features], thresholds: Iterable[float]
) -> dict[float, int]:
    """Return how many classes there are for every threshold: a curve to choose on."""
    return {
        threshold: len(classes(NearEquivalence(resemblance, threshold), features).members)
        for threshold in thresholds
    }


class Edge(NamedTuple):
    """A transition: an event that leads from a state to a state; the source of an entry is ""."""

    source: str
    event: str
    target: str


@dataclass(frozen=True)
class Thinned:
    """A graph as a crawl with some threshold would have found it.

    The classes are of every state that such a crawl would have met; the others are `lost`, as
    nothing leads to them any more.
    """

    classes: Classes
    edges: tuple[Edge, ...]
    lost: tuple[str, ...]

    @property
    def states(self) -> tuple[str, ...]:
        """The states that are left, in the order of discovery."""
        return tuple(self.classes.members)


def thinned(
    equivalence: NearEquivalence,
    features: Mapping[str, Features],
    edges: Iterable[Edge],
    groups: Mapping[str, Hashable] | None = None,
) -> Thinned:
    """Return the graph that a crawl with this threshold would have found.

    Features are in the order of discovery. A state that is near one found before is merged with
    it, its own events are not explored, and what only they led to is lost. This holds for
    thresholds above the one that the states were found with: states merged then are not there.
    States of different groups, if there are any, are never merged.
    """
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    met = Classes(_meet(_Resolvers(equivalence, groups or {}), features, leaving))
    kept = dict.fromkeys(
        Edge(source, edge.event, met.representative(edge.target))
        for source in ("", *met.members)
        for edge in leaving.get(source, ())
        if edge.target in met.decisions
    )
    lost = tuple(state for state in features if state not in met.decisions)
    return Thinned(met, tuple(kept), lost)


class _Resolvers:
    """A resolver for each group of states."""

    def __init__(self, equivalence: NearEquivalence, groups: Mapping[str, Hashable]) -> None:
        self._groups = groups
        self._of: defaultdict[Hashable, Resolver] = defaultdict(lambda: Resolver(equivalence))

    def decide(self, state: str, features: Features) -> Decision:
        return self._of[self._groups.get(state)].decide(state, features)


def _meet(
    resolver: _Resolvers, features: Mapping[str, Features], leaving: Mapping[str, list[Edge]]
) -> dict[str, Decision]:
    """Decide about the states in the order of discovery, as far as what is kept leads to them."""
    order = {state: number for number, state in enumerate(features)}
    states = list(features)
    decisions: dict[str, Decision] = {}
    waiting: list[int] = []
    seen: set[str] = set()

    def discover(source: str) -> None:
        for edge in leaving.get(source, ()):
            if edge.target not in seen and edge.target in order:
                seen.add(edge.target)
                heappush(waiting, order[edge.target])

    discover("")
    while waiting:
        state = states[heappop(waiting)]
        decision = decisions[state] = resolver.decide(state, features[state])
        if decision.is_new:
            discover(state)
    return decisions
