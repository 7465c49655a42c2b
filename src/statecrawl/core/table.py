"""Numbers found by hashes, on a shelf: a dictionary takes a hundred bytes of memory for each."""

from array import array
from collections.abc import Iterator
from itertools import chain

from statecrawl.core.shelf import Shelf

_HASH = 2**32 - 1
"""So much of a hash is kept."""

_MARK = 24
"""The bits of a hash from here on are kept in memory, too."""

_ROOM = 64
"""So many numbers are in a bucket."""

_SIZE = 2 * array("I").itemsize


class Table:
    """Numbers of 32 bits, each once, for whoever can tell whether one is the one looked for.

    Extendible hashing: the last bits of a hash say in which bucket a number is, and a bucket that
    is full is divided by one bit more. The first bits are its mark: nearly always the marks say
    without the shelf that there is no such number, which is what is asked of new states.
    """

    __slots__ = ("_bits", "_buckets", "_count", "_filled", "_marks", "_places", "_rest", "_shelf")

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._count = 0
        self._buckets = array("I", [0])  # by the last bits
        self._places = array("Q")  # of the buckets: pairs of a hash and a number
        self._marks = bytearray()
        self._filled = bytearray()
        self._bits = bytearray()  # in how many all hashes of a bucket are alike
        self._rest: dict[int, list[int]] = {}  # what no number of bits would tell apart

    def __len__(self) -> int:
        return self._count

    def add(self, number: int, hashed: int) -> None:
        """Put a number in that is not there."""
        kept = hashed & _HASH
        if not self._count:
            self._add_bucket(0)
        self._count += 1
        while self._filled[bucket := self._bucket(kept)] == _ROOM:
            if self._bits[bucket] > self._count.bit_length():
                self._rest.setdefault(kept, []).append(number)
                return
            self._divide(bucket, kept)
        self._put(bucket, [(kept, number)])

    def candidates(self, hashed: int) -> Iterator[int]:
        """Yield the numbers that may have a hash: those that do are among them."""
        if not self._count:
            return
        kept = hashed & _HASH
        bucket, mark = self._bucket(kept), kept >> _MARK
        start = bucket * _ROOM
        stop = start + self._filled[bucket]
        place = self._marks.find(mark, start, stop)
        while place >= 0:
            at = self._places[bucket] + (place - start) * _SIZE
            found, number = array("I", self._shelf.get(at, _SIZE))
            if found == kept:
                yield number
            place = self._marks.find(mark, place + 1, stop)
        yield from self._rest.get(kept, ())

    def _bucket(self, kept: int) -> int:
        return self._buckets[kept & (len(self._buckets) - 1)]

    def _add_bucket(self, bits: int) -> None:
        self._places.append(self._shelf.put(bytes(_ROOM * _SIZE)))
        self._marks += bytes(_ROOM)
        self._filled.append(0)
        self._bits.append(bits)

    def _put(self, bucket: int, pairs: list[tuple[int, int]]) -> None:
        filled = self._filled[bucket]
        start = bucket * _ROOM + filled
        self._marks[start : start + len(pairs)] = bytes([kept >> _MARK for kept, _ in pairs])
        data = array("I", chain.from_iterable(pairs)).tobytes()
        self._shelf.replace(self._places[bucket] + filled * _SIZE, data)
        self._filled[bucket] = filled + len(pairs)

    def _divide(self, bucket: int, kept: int) -> None:
        """Divide a full bucket by the first bit in which hashes in it may differ."""
        bits, other = self._bits[bucket], len(self._places)
        found = array("I", self._shelf.get(self._places[bucket], _ROOM * _SIZE))
        pairs = list(zip(found[::2], found[1::2], strict=True))
        if len(self._buckets) == 1 << bits:
            self._buckets *= 2
        for place in range(kept & ((1 << bits) - 1) | 1 << bits, len(self._buckets), 2 << bits):
            self._buckets[place] = other
        self._add_bucket(bits + 1)
        self._bits[bucket], self._filled[bucket] = bits + 1, 0
        self._put(bucket, [pair for pair in pairs if not pair[0] >> bits & 1])
        self._put(other, [pair for pair in pairs if pair[0] >> bits & 1])
