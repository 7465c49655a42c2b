"""Numbers found by hashes: a few bytes for each, where a dictionary takes a hundred."""

from array import array
from collections.abc import Callable, Iterator

_FREE = -1
_FIRST = 64


class Table:
    """Numbers from 0 on, each once, for whoever can tell whether one is the one looked for.

    Open addressing: a number stands at its hash or behind it, where there was room. Hashes are not
    kept but asked for again when the table grows.
    """

    __slots__ = ("_count", "_hash_of", "_slots")

    def __init__(self, hash_of: Callable[[int], int]) -> None:
        self._hash_of = hash_of
        self._slots = array("i", [_FREE]) * _FIRST
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, number: int) -> None:
        """Put a number in that is not there."""
        self._count += 1
        if 3 * self._count > 2 * len(self._slots):
            before, self._slots = self._slots, array("i", [_FREE]) * (2 * len(self._slots))
            for other in before:
                if other != _FREE:
                    self._place(other)
        self._place(number)

    def _place(self, number: int) -> None:
        slots, mask = self._slots, len(self._slots) - 1
        slot = self._hash_of(number) & mask
        while slots[slot] != _FREE:
            slot = (slot + 1) & mask
        slots[slot] = number

    def candidates(self, hashed: int) -> Iterator[int]:
        """Yield the numbers that may have a hash: those that do are among them."""
        slots, mask = self._slots, len(self._slots) - 1
        slot = hashed & mask
        while (number := slots[slot]) != _FREE:
            yield number
            slot = (slot + 1) & mask
