"""Which states show which value: lists of states, in few bytes for each entry, on a shelf."""

from array import array
from collections.abc import Iterator
from itertools import chain

from statecrawl.core.shelf import Shelf

_NONE, _MANY = -1, -2
"""In place of the only state: there is none, or there were several."""

_BITS = 7
_MORE = 1 << _BITS

BLOCK = 4_096
"""So many bytes of a list are put on the shelf at a time."""


class _Rising:
    """Numbers that rise, each kept as how far it is from the one before, in a byte or two."""

    __slots__ = ("_blocks", "_gaps", "_last", "_length", "_shelf")

    def __init__(self, first: int, shelf: Shelf) -> None:
        self._shelf = shelf
        self._blocks: tuple[int, ...] = ()  # where on the shelf are those before the latest
        self._gaps = bytearray()
        self._last = self._length = 0
        self.append(first)

    def __len__(self) -> int:
        return self._length

    def append(self, number: int) -> None:
        """Add a number that is no smaller than the last."""
        gap = number - self._last
        while gap >= _MORE:
            self._gaps.append(gap % _MORE | _MORE)
            gap >>= _BITS
        self._gaps.append(gap)
        self._last = number
        self._length += 1
        if len(self._gaps) >= BLOCK:
            self._blocks += (self._shelf.put(bytes(self._gaps[:BLOCK])),)
            del self._gaps[:BLOCK]

    def __iter__(self) -> Iterator[int]:
        number = shift = 0
        blocks = (self._shelf.get(at, BLOCK) for at in self._blocks)
        for part in chain(chain.from_iterable(blocks), self._gaps):
            number += (part & ~_MORE) << shift
            if part & _MORE:
                shift += _BITS
            else:
                shift = 0
                yield number


class Showing:
    """For each value, numbered from 0 on, the states that show it, in their order.

    Many values are shown by one state only, others by half of them.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._only = array("i")
        self._several: dict[int, _Rising] = {}

    def append(self) -> None:
        """Add a value that no state shows."""
        self._only.append(_NONE)

    def add(self, value: int, state: int) -> None:
        """Take in that a state shows a value; states come in order."""
        only = self._only[value]
        if only == _NONE:
            self._only[value] = state
            return
        if only != _MANY:
            self._several[value] = _Rising(only, self._shelf)
            self._only[value] = _MANY
        self._several[value].append(state)

    def count(self, value: int) -> int:
        """Return how many states show a value."""
        only = self._only[value]
        return len(self._several[value]) if only == _MANY else int(only != _NONE)

    def states(self, value: int) -> Iterator[int]:
        """Yield the states that show a value."""
        only = self._only[value]
        if only == _MANY:
            yield from self._several[value]
        elif only != _NONE:
            yield only
