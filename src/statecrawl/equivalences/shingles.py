"""Shingles: every so many words, characters or other pieces of a page in a row, hashed."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from statecrawl.core.dom import visible_text
from statecrawl.core.resemblance import Features, Page
from statecrawl.equivalences.hashing import BASE, codes, piece_hashes
from statecrawl.equivalences.spec import OneOf, Range

UNITS = ("words",)


@dataclass(frozen=True)
class Shingling:
    """What is taken from a page, and how many pieces in a row are one feature."""

    unit: Annotated[str, OneOf(UNITS)] = "words"
    size: Annotated[int, Range(1, 100)] = 3

    def shingles(self, page: Page, base: int = BASE) -> Features:
        """Return the hash of every shingle in order, repeated ones too.

        A page of fewer pieces is one shingle; one of none has none.
        """
        words = visible_text(page.root).split()
        if not words:
            return np.zeros(0, dtype=np.uint64)
        ends = np.cumsum([len(word) for word in words])
        starts = np.concatenate(([0], ends[:-1]))
        last = min(self.size, len(words)) - 1
        return piece_hashes(codes("".join(words)), starts[: len(ends) - last], ends[last:], base)
