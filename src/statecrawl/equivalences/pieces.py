"""Texts cut into pieces, all in one array: words, characters, sentences, or pieces given."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features
from statecrawl.equivalences.hashing import BASE, Numbers, codes, piece_hashes

MAX_CHARACTERS = 8_000_000
"""What comes after so many characters does not count any more."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SPACES = np.zeros(1 << 16, dtype=bool)
_SPACES[[ord(c) for c in map(chr, range(1 << 16)) if c.isspace()]] = True
_NOTHING = np.zeros(0, dtype=np.int64)


class Pieces(NamedTuple):
    """Characters without the space between pieces, and where each piece begins and ends."""

    characters: NDArray[np.uint16]
    starts: Numbers
    ends: Numbers

    def shingles(self, size: int, base: int = BASE) -> Features:
        """Return a hash for every so many pieces in a row, in order, repeated ones too.

        Fewer pieces are one shingle; no pieces have none.
        """
        if not len(self.ends):
            return np.zeros(0, dtype=np.uint64)
        last = min(size, len(self.ends)) - 1
        starts = self.starts[: len(self.starts) - last]
        return piece_hashes(self.characters, starts, self.ends[last:], base)


def words(text: str) -> Pieces:
    """Return what stands between white space."""
    characters = codes(text[:MAX_CHARACTERS])
    is_word = ~_SPACES[characters]
    edges = np.flatnonzero(np.diff(is_word, prepend=False, append=False))
    lengths = edges[1::2] - edges[::2]
    ends = np.cumsum(lengths)
    return Pieces(characters[is_word], ends - lengths, ends)


def characters(text: str) -> Pieces:
    """Return every character, with single blanks for white space."""
    found = codes(" ".join(text[:MAX_CHARACTERS].split()))
    starts = np.arange(len(found))
    return Pieces(found, starts, starts + 1)


def sentences(text: str) -> Pieces:
    """Return what ends with a full stop, a mark or a line; white space in it is collapsed."""
    found = (" ".join(part.split()) for part in _SENTENCE.split(text[:MAX_CHARACTERS]))
    return given([sentence for sentence in found if sentence])


def given(texts: Sequence[str]) -> Pieces:
    """Return texts as they are, one piece each."""
    if not texts:
        return Pieces(codes(""), _NOTHING, _NOTHING)
    found = codes("".join(texts))
    lengths = [len(text) for text in texts]
    if sum(lengths) < len(found):  # UTF-16 takes two for some characters
        lengths = [len(codes(text)) for text in texts]
    ends = np.cumsum(lengths)
    return Pieces(found, np.concatenate(([0], ends[:-1])), ends)
