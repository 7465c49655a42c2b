"""Crawlhash (simhash): a fingerprint whose bits are votes of all shingles of a page."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Index, Page
from statecrawl.equivalences.hamming import PigeonholeIndex, hamming, hammings
from statecrawl.equivalences.hashing import BASE, JAVA
from statecrawl.equivalences.shingles import Shingling
from statecrawl.equivalences.spec import OneOf, written
from statecrawl.equivalences.weights import Weights

_BITS_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")


@dataclass(frozen=True)
class Crawlhash(Shingling):
    """Pages as fingerprints; 32 bits are hashed as Java does it."""

    bits: Annotated[str, OneOf(("64", "32"))] = "64"

    default_threshold: ClassVar[float] = 3

    @property
    def name(self) -> str:
        """How users name it, with what they chose."""
        return written("crawlhash", self)

    @property
    def farthest(self) -> float:
        """All bits."""
        return float(self.bits)

    def features(self, page: Page) -> Features:
        """Return the fingerprint: a bit is set when more shingles have it than have not."""
        hashes = self.shingles(page, BASE if self.bits == "64" else JAVA)
        return fingerprint(hashes, int(self.bits), self.learned)

    def distance(self, one: Features, other: Features) -> float:
        """Return in how many bits two fingerprints differ."""
        return hamming(one, other)

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return in how many bits each of several fingerprints differs."""
        return hammings(one, others)

    def index(self, threshold: float) -> Index:
        """Return an empty index."""
        return PigeonholeIndex(threshold)


def fingerprint(hashes: Features, bits: int, weigh: Weights | None = None) -> Features:
    """Return the bits that more than half of the hashes have set, by weight, as one number."""
    votes = None if weigh is None else weigh(hashes)
    columns = hashes.astype("<u8").view(np.uint8).reshape(-1, 8)[:, : bits // 8]
    counts = [np.bincount(column, votes, 256) @ _BITS_OF_BYTES for column in columns.T]
    is_set = np.zeros(64, dtype=bool)
    is_set[:bits] = 2 * np.concatenate(counts) > (len(hashes) if votes is None else votes.sum())
    return np.packbits(is_set, bitorder="little").view("<u8").astype(np.uint64)
