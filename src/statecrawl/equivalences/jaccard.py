"""Sets of hashes: how much of two is common, and where to find the nearest without a scan."""

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Near


def jaccard(one: Features, other: Features) -> float:
    """Return the share of two sorted sets that is not common: 0 alike, 1 nothing in common."""
    if not len(one) or not len(other):
        return float(len(one) != len(other))
    common = len(np.intersect1d(one, other, assume_unique=True))
    return 1 - common / (len(one) + len(other) - common)


def jaccards(one: Features, others: list[Features]) -> NDArray[np.float64]:
    """Return how far one set is from each of the others."""
    return np.array([jaccard(one, other) for other in others], dtype=np.float64)


class Scan:
    """Looks at everything. Slow, plainly right."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._known: list[tuple[int, Features]] = []

    def add(self, key: int, features: Features) -> None:
        """Take in one more."""
        self._known.append((key, features))

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold."""
        found = [Near(key, jaccard(features, known)) for key, known in self._known]
        near = [each for each in found if each.distance <= self._threshold]
        return min(near, key=lambda each: (each.distance, each.key), default=None)
