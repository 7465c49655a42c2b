"""Buckets: shingles are spread over k buckets; pages are alike when enough checksums agree."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Index, Near, Page, closest
from statecrawl.equivalences.hashing import as_set, mixed
from statecrawl.equivalences.shingles import Shingling
from statecrawl.equivalences.spec import Range, written


@dataclass(frozen=True)
class Buckets(Shingling):
    """Pages as one checksum for each bucket; the distance is how many of them differ.

    That two pages leave a bucket empty says nothing, or all short pages would be alike: the share
    of the others that differs is taken for all.
    """

    buckets: Annotated[int, Range(1, 1024)] = 16

    default_threshold: ClassVar[float] = 4

    @property
    def name(self) -> str:
        """How users name it, with what they chose."""
        return written("buckets", self)

    @property
    def farthest(self) -> float:
        """All buckets."""
        return float(self.buckets)

    def features(self, page: Page) -> Features:
        """Return the checksum of every bucket: a sum, as order does not count."""
        hashes = as_set(self.shingles(page))
        sums = np.zeros(self.buckets, dtype=np.uint64)
        np.add.at(sums, (hashes % np.uint64(self.buckets)).astype(np.int64), mixed(hashes))
        return sums

    def distance(self, one: Features, other: Features) -> float:
        """Return how many checksums differ."""
        return float(self.distances(one, [other])[0])

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return how many checksums of each of several pages differ."""
        if not others:
            return np.zeros(0)
        sums = np.array(others)
        differing = np.count_nonzero(sums != one, axis=1)
        filled = np.count_nonzero(sums | one, axis=1)
        return np.asarray(self.buckets * differing / np.maximum(filled, 1), dtype=np.float64)

    def index(self, threshold: float) -> Index:
        """Return an empty index."""
        return BucketIndex(self, threshold)


class BucketIndex:
    """Finds the nearest checksums within a threshold.

    Of k + 1 groups of buckets one agrees wholly in any two pages that differ in k buckets, and
    no more than the distance differ.
    """

    def __init__(self, buckets: Buckets, threshold: float) -> None:
        self._buckets = buckets
        self._threshold = threshold
        groups = min(buckets.buckets, int(threshold) + 1)
        self._cuts = np.linspace(0, buckets.buckets, groups + 1).astype(int).tolist()
        self._has_groups = threshold < buckets.buckets
        self._tables: list[dict[bytes, list[int]]] = [{} for _ in range(groups)]
        self._known: list[Features] = []
        self._keys: list[int] = []

    def add(self, key: int, features: Features) -> None:
        """Take in one more."""
        for table, group in zip(self._tables, self._groups(features), strict=True):
            table.setdefault(group, []).append(len(self._known))
        self._known.append(features)
        self._keys.append(key)

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold, of several the first that was added."""
        found: set[int] = set() if self._has_groups else set(range(len(self._known)))
        for table, group in zip(self._tables, self._groups(features), strict=True):
            found.update(table.get(group, ()))
        shortlist = sorted(found)
        distances = self._buckets.distances(features, [self._known[each] for each in shortlist])
        return closest(self._keys, shortlist, distances, self._threshold)

    def _groups(self, features: Features) -> list[bytes]:
        return [features[start:end].tobytes() for start, end in pairwise(self._cuts)]
