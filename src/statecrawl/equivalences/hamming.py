"""Fingerprints of 64 bits: in how many they differ, and where to find the nearest without a scan.

The index is a pigeonhole: of two fingerprints that differ in at most k bits, some quarter differs
in at most k/4. So each quarter is looked up, with every way to change so few of its bits.
"""

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Near

_QUARTERS = 4
_BITS = 16
_RECENT = 1024
"""So many of the last fingerprints are looked at one by one, until they are sorted in."""


def hamming(one: Features, other: Features) -> float:
    """Return in how many bits two fingerprints differ."""
    return float(np.bitwise_count(one ^ other).sum())


def hammings(one: Features, others: list[Features]) -> NDArray[np.float64]:
    """Return in how many bits each of several fingerprints differs from one."""
    if not others:
        return np.zeros(0)
    return np.asarray(np.bitwise_count(np.concatenate(others) ^ one), dtype=np.float64)


class PigeonholeIndex:
    """Finds the nearest fingerprint within a threshold."""

    def __init__(self, threshold: float) -> None:
        self._threshold = int(threshold)
        self._all = np.zeros(_RECENT, dtype=np.uint64)
        self._keys: list[int] = []
        self._sorted = 0
        self._orders: list[NDArray[np.int64]] = []
        self._begins: list[NDArray[np.int64]] = []

    def add(self, key: int, features: Features) -> None:
        """Take in one more."""
        if len(self._keys) == len(self._all):
            self._all = np.concatenate((self._all, np.zeros_like(self._all)))
        self._all[len(self._keys)] = features[0]
        self._keys.append(key)
        if len(self._keys) - self._sorted > max(_RECENT, self._sorted // 4):
            self._sort()

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold, of several the first that was added."""
        known = len(self._keys)
        shortlist = np.arange(self._sorted, known)
        if self._sorted:
            shortlist = np.concatenate((self._shortlist(int(features[0])), shortlist))
        if not len(shortlist):
            return None
        distances = np.bitwise_count(self._all[shortlist] ^ features[0])
        least = int(distances.min())
        if least > self._threshold:
            return None
        first = int(shortlist[distances == least].min())
        return Near(self._keys[first], float(least))

    def _shortlist(self, fingerprint: int) -> NDArray[np.int64]:
        """Return the sorted fingerprints of which some quarter is nearly the same."""
        changes = _changes(min(_BITS, self._threshold // _QUARTERS))
        found = []
        for quarter, (order, begins) in enumerate(zip(self._orders, self._begins, strict=True)):
            values = ((fingerprint >> (_BITS * quarter)) & 0xFFFF) ^ changes
            starts, ends = begins[values], begins[values + 1]
            lengths = ends - starts
            some = lengths > 0
            starts, lengths = starts[some], lengths[some]
            shifts = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
            found.append(order[np.arange(len(shifts)) + shifts])
        return np.concatenate(found)

    def _sort(self) -> None:
        """Sort all fingerprints by each of their quarters."""
        self._sorted = len(self._keys)
        known = self._all[: self._sorted]
        self._orders, self._begins = [], []
        for quarter in range(_QUARTERS):
            values = (known >> np.uint64(_BITS * quarter)).astype(np.uint16)
            self._orders.append(np.argsort(values, kind="stable"))
            counts = np.bincount(values, minlength=1 << _BITS)
            self._begins.append(np.concatenate(([0], np.cumsum(counts))))


@lru_cache(maxsize=_BITS + 1)
def _changes(bits: int) -> NDArray[np.int64]:
    """Return every number of 16 bits of which at most so many are set."""
    found = [
        sum(1 << bit for bit in chosen)
        for count in range(bits + 1)
        for chosen in combinations(range(_BITS), count)
    ]
    return np.array(found, dtype=np.int64)
