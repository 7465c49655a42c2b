"""Broder: the share of shingles that two pages do not have in common (Jaccard distance)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Index, Page
from statecrawl.equivalences.jaccard import Scan, jaccard, jaccards
from statecrawl.equivalences.shingles import Shingling
from statecrawl.equivalences.spec import written


@dataclass(frozen=True)
class Broder(Shingling):
    """Pages as sets of shingles."""

    default_threshold: ClassVar[float] = 0.2
    farthest: ClassVar[float] = 1.0

    @property
    def name(self) -> str:
        """How users name it, with what they chose."""
        return written("broder", self)

    def features(self, page: Page) -> Features:
        """Return the set of hashed shingles, sorted."""
        return np.unique(self.shingles(page))

    def distance(self, one: Features, other: Features) -> float:
        """Return the Jaccard distance."""
        return jaccard(one, other)

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return the Jaccard distance to each of the others."""
        return jaccards(one, others)

    def index(self, threshold: float) -> Index:
        """Return an empty index."""
        return Scan(threshold)
