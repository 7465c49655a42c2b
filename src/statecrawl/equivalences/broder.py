"""Broder: the share of shingles that two pages do not have in common (Jaccard distance)."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Index, Page
from statecrawl.equivalences.hashing import as_set, mixed
from statecrawl.equivalences.jaccard import PrefixIndex, equally, jaccard, jaccards
from statecrawl.equivalences.shingles import Shingling, counted
from statecrawl.equivalences.spec import Range, Yes, written


@dataclass(frozen=True)
class Broder(Shingling):
    """Pages as sets of shingles; with `count` how often each is there matters, too.

    With `together` above 1 that many shingles in a row, sorted, are one super shingle: to have one
    of them in common is enough to be near.
    """

    count: Yes = False
    together: Annotated[int, Range(1, 1000)] = 1

    farthest: ClassVar[float] = 1.0

    @property
    def name(self) -> str:
        """How users name it, with what they chose."""
        return written("broder", self)

    @property
    def default_threshold(self) -> float:
        """A fifth, or all but one super shingle."""
        return 0.2 if self.together == 1 else 0.999_999

    def features(self, page: Page) -> Features:
        """Return the set of hashed shingles, sorted."""
        hashes = self.shingles(page)
        found = counted(hashes) if self.count else as_set(hashes)
        return found if self.together == 1 else _super(found, self.together)

    def distance(self, one: Features, other: Features) -> float:
        """Return the Jaccard distance."""
        return jaccard(one, other, self.learned or equally)

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return the Jaccard distance to each of the others."""
        return jaccards(one, others, self.learned or equally)

    def index(self, threshold: float) -> Index:
        """Return an empty index."""
        return PrefixIndex(threshold, self.learned or equally)


def _super(hashes: Features, size: int) -> Features:
    """Return a hash of every so many in a row; of fewer one of all."""
    if not len(hashes):
        return hashes
    windows = np.lib.stride_tricks.sliding_window_view(hashes, min(size, len(hashes)))
    found = np.zeros(len(windows), dtype=np.uint64)
    for column in windows.T:
        found = mixed(found ^ column)
    return as_set(found)
