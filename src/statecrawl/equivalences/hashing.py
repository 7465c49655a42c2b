"""Hashes of many pieces of one text at once.

The hash of a piece is a polynomial of its characters, as in Java's `hashCode`, which it is with
base 31 and 32 bits. Sums of all characters so far, each times an inverse power of the base, give
the hash of any piece by one subtraction; so that numpy can do all of it.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features

JAVA = 31
BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse

Numbers = NDArray[np.int64]


def codes(text: str) -> NDArray[np.uint16]:
    """Return the characters of a text as UTF-16 has them, whatever is in it."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)


def piece_hashes(
    characters: NDArray[np.uint16], starts: Numbers, ends: Numbers, base: int = BASE
) -> Features:
    """Return a hash of each piece of a text, given where the pieces begin and end."""
    powers, inverses = _powers(base, 1 << max(12, len(characters).bit_length()))
    sums = np.zeros(len(characters) + 1, dtype=np.uint64)
    np.cumsum(characters * inverses[: len(characters)], out=sums[1:])
    hashes = sums[ends] - sums[starts]
    hashes *= powers[np.maximum(ends, 1) - 1]
    return hashes if base == JAVA else mixed(hashes)


def mixed(hashes: Features) -> Features:
    """Spread what tells hashes apart over all of their bits (the end of splitmix64)."""
    hashes = (hashes ^ (hashes >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashes = (hashes ^ (hashes >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return hashes ^ (hashes >> np.uint64(31))


def as_set(hashes: Features) -> Features:
    """Return hashes sorted, each once; numpy's own way to do so takes ten times as long."""
    hashes = np.sort(hashes)
    is_first = np.ones(len(hashes), dtype=bool)
    np.not_equal(hashes[1:], hashes[:-1], out=is_first[1:])
    return hashes[is_first]


@lru_cache(maxsize=4)
def _powers(base: int, count: int) -> tuple[Features, Features]:
    """Return powers of the base and of its inverse, modulo 2 to the 64th."""
    both = []
    for factor in (base, pow(base, -1, 1 << 64)):
        steps = np.full(count, factor, dtype=np.uint64)
        steps[0] = 1
        both.append(np.cumprod(steps))
    return both[0], both[1]
