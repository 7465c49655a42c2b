"""A column of numbers, such as one for each state, of which only the latest are in memory."""

from array import array
from collections.abc import Iterable, Iterator

from statecrawl.core.shelf import Shelf

CHUNK = 4_096
"""So many numbers are put on the shelf at a time."""

LATEST = 4 * CHUNK
"""So many are in memory: a crawl goes among the states that it found last."""


class Column:
    """Numbers as in an array, of a kind that arrays have; all but the latest are on a shelf."""

    __slots__ = ("_chunks", "_first", "_latest", "_shelf")

    def __init__(self, kind: str, shelf: Shelf, numbers: Iterable[int] = ()) -> None:
        self._shelf = shelf
        self._chunks = array("Q")  # where on the shelf
        self._latest = array(kind)
        self._first = 0  # place of the first number in memory
        self.extend(numbers)

    def __len__(self) -> int:
        return self._first + len(self._latest)

    def __iter__(self) -> Iterator[int]:
        for start in range(0, len(self), CHUNK):
            yield from self.part(start, min(start + CHUNK, len(self)))

    def __getitem__(self, place: int) -> int:
        if place >= self._first:
            return self._latest[place - self._first]
        return self.part(place, place + 1)[0]

    def __setitem__(self, place: int, number: int) -> None:
        if place >= self._first:
            self._latest[place - self._first] = number
        else:
            data = array(self._latest.typecode, [number]).tobytes()
            self._shelf.replace(self._at(place), data)

    def append(self, number: int) -> None:
        """Add a number."""
        self._latest.append(number)
        if len(self._latest) > LATEST:
            self._put_away()

    def extend(self, numbers: Iterable[int]) -> None:
        """Add numbers."""
        self._latest.extend(numbers)
        if len(self._latest) > LATEST:
            self._put_away()

    def part(self, start: int, stop: int) -> "array[int]":
        """Return the numbers from one place to before another."""
        first, size = self._first, self._latest.itemsize
        if start >= first:
            return self._latest[start - first : stop - first]
        found = array(self._latest.typecode)
        while start < min(stop, first):
            count = min(stop - start, CHUNK - start % CHUNK)
            found.frombytes(self._shelf.get(self._at(start), count * size))
            start += count
        found += self._latest[: max(0, stop - first)]
        return found

    def _at(self, place: int) -> int:
        """Return where on the shelf a number is."""
        if place < 0:
            raise IndexError(place)
        chunk, rest = divmod(place, CHUNK)
        return self._chunks[chunk] + rest * self._latest.itemsize

    def _put_away(self) -> None:
        stop = (len(self._latest) - LATEST + CHUNK - 1) // CHUNK * CHUNK
        for start in range(0, stop, CHUNK):
            chunk = self._latest[start : start + CHUNK]
            self._chunks.append(self._shelf.put(chunk.tobytes()))
        del self._latest[:stop]
        self._first += stop
