"""Sets of hashes: how much of two is common, and where to find the nearest without a scan.

The index is a prefix filter: of two sets that have enough in common, the first few elements of
both, rare ones first, have one in common. So only those are looked up.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Near, closest

Floats = NDArray[np.float64]
Weigh = Callable[[Features], Floats]
"""How much each element counts."""

_MARGIN = 1e-9
"""Sums of weights are not exact: a filter lets pass what is so close."""


def equally(features: Features) -> Floats:
    """Let every element count as much as any other."""
    return np.ones(len(features))


def jaccard(one: Features, other: Features, weigh: Weigh = equally) -> float:
    """Return the share of two sorted sets that is not common: 0 alike, 1 nothing in common."""
    return float(jaccards(one, [other], weigh)[0])


def jaccards(one: Features, others: list[Features], weigh: Weigh = equally) -> Floats:
    """Return how far one sorted set is from each of the others."""
    if not others:
        return np.zeros(0)
    sizes = np.array([len(other) for other in others])
    together = np.concatenate(others)
    at = np.searchsorted(one, together)
    found = np.append(one, np.uint64(0))[at] == together
    found &= at < len(one)
    if weigh is equally:
        own, theirs = float(len(one)), sizes.astype(np.float64)
        common = _sums(found.astype(np.float64), sizes)
    else:
        weights = weigh(together)
        own, theirs = float(weigh(one).sum()), _sums(weights, sizes)
        common = _sums(np.where(found, weights, 0.0), sizes)
    whole = own + theirs - common
    alike = np.divide(common, whole, out=np.ones(len(others)), where=whole > 0)
    return np.asarray(np.clip(1 - alike, 0.0, 1.0))


def _sums(values: Floats, sizes: NDArray[np.int64]) -> Floats:
    """Return the sum of each of several runs of values, given how long they are."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    ends = np.cumsum(sizes)
    return np.asarray(sums[ends] - sums[ends - sizes])


class PrefixIndex:
    """Finds the nearest set within a threshold.

    How rare elements are is counted anew each time that twice as many sets are known.
    """

    def __init__(self, threshold: float, weigh: Weigh = equally) -> None:
        self._threshold = threshold
        self._weigh = weigh
        self._sets: list[Features] = []
        self._keys: list[int] = []
        self._weights: list[float] = []
        self._alike: dict[bytes, int] = {}
        self._postings: dict[int, list[int]] = {}
        self._common: Features = np.zeros(0, dtype=np.uint64)
        self._times: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._counted = 0

    def add(self, key: int, features: Features) -> None:
        """Take in one more."""
        number = len(self._sets)
        self._sets.append(features)
        self._keys.append(key)
        self._weights.append(float(self._weigh(features).sum()))
        self._alike.setdefault(features.tobytes(), number)
        if len(self._sets) > 2 * self._counted + 16:
            self._count()
        else:
            self._post(number)

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold, of several the first that was added."""
        twin = self._alike.get(features.tobytes())
        if twin is not None:
            return Near(self._keys[twin], 0.0)
        shortlist = self.shortlist(features)
        distances = jaccards(features, [self._sets[each] for each in shortlist], self._weigh)
        return closest(self._keys, shortlist, distances, self._threshold)

    def shortlist(self, features: Features) -> list[int]:
        """Return, in order, the sets that may be near."""
        if self._threshold >= 1:
            return list(range(len(self._sets)))
        weight = float(self._weigh(features).sum())
        least = (1 - self._threshold) * weight - _MARGIN
        most = weight / (1 - self._threshold) + _MARGIN
        if weight <= _MARGIN:
            return [number for number, other in enumerate(self._weights) if other <= _MARGIN]
        found: set[int] = set()
        for element in self._prefix(features, weight):
            found.update(self._postings.get(element, ()))
        return sorted(each for each in found if least <= self._weights[each] <= most)

    def _prefix(self, features: Features, weight: float) -> list[int]:
        """Return the rarest elements: so many that the others alone are not enough to be near."""
        at = np.searchsorted(self._common, features)
        at[at == len(self._common)] = 0
        is_known = self._common[at] == features if len(self._common) else np.zeros(0, dtype=bool)
        times = np.where(is_known, self._times[at], 0) if len(self._common) else None
        order = np.arange(len(features)) if times is None else np.argsort(times, kind="stable")
        ordered = features[order]
        left = weight - np.cumsum(self._weigh(ordered))
        length = int(np.count_nonzero(left >= (1 - self._threshold) * weight - _MARGIN)) + 1
        return list(ordered[:length].tolist())

    def _post(self, number: int) -> None:
        for element in self._prefix(self._sets[number], self._weights[number]):
            self._postings.setdefault(element, []).append(number)

    def _count(self) -> None:
        """Count how rare each element is, and look everything up by that from now on."""
        self._counted = len(self._sets)
        self._common, self._times = np.unique(np.concatenate(self._sets), return_counts=True)
        self._postings = {}
        for number in range(len(self._sets)):
            self._post(number)
