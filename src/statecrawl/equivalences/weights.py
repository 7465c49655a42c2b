"""How much each shingle counts, learned from the pages seen, and frozen then."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features

WEIGHINGS = ("none", "idf", "template")
"""All alike; the rarer the more; nothing for what every page has."""


@dataclass(frozen=True, eq=False)
class Weights:
    """In how many of some pages each shingle was; what was in none of them counts most."""

    kind: str
    pages: int
    known: Features
    times: NDArray[np.int64]

    @classmethod
    def learned(cls, kind: str, sets: Iterable[Features]) -> "Weights":
        """Count the shingles of pages, given the set of each."""
        sets = list(sets)
        together = np.concatenate(sets) if sets else np.zeros(0, dtype=np.uint64)
        return cls(kind, len(sets), *np.unique(together, return_counts=True))

    def __call__(self, hashes: Features) -> NDArray[np.float64]:
        """Return how much each shingle counts."""
        if not len(self.known):
            return np.ones(len(hashes))
        at = np.minimum(np.searchsorted(self.known, hashes), len(self.known) - 1)
        times = np.where(self.known[at] == hashes, self.times[at], 0)
        if self.kind == "template":
            return np.where((times == self.pages) & (self.pages > 1), 0.0, 1.0)
        return np.log((1 + self.pages) / (1 + times))

    def packed(self) -> Features:
        """Return all of it as one array, to be stored."""
        times = self.times.astype(np.uint64)
        return np.concatenate((np.array([self.pages], dtype=np.uint64), self.known, times))

    @classmethod
    def unpacked(cls, kind: str, stored: Features) -> "Weights":
        """Return the weights that were stored."""
        known, times = np.split(stored[1:], 2)
        return cls(kind, int(stored[0]), known, times.astype(np.int64))
