"""Rows of numbers under headings that many share: on a shelf, and unpacked when asked for."""

from array import array
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from statecrawl.core.column import Column
from statecrawl.core.roll import Roll
from statecrawl.core.shelf import Shelf

Heading = TypeVar("Heading")

_KINDS = {"B": 2**8, "H": 2**16, "i": 2**31}
"""Arrays by how large numbers in them may be."""

_Layout = tuple[str, tuple[Heading, ...]]
"""The kind of array that a row is kept as, and its headings."""


class Rows(Generic[Heading]):
    """Maps from headings to numbers, which are not negative; headings are kept once.

    Where all numbers of a row are small, each takes a byte or two.
    """

    __slots__ = ("_known", "_layouts", "_starts", "_under", "_values")

    def __init__(self, shelf: Shelf) -> None:
        self._known: dict[_Layout[Heading], int] = {}
        self._layouts: list[_Layout[Heading]] = []
        self._under = Column("i", shelf)
        self._starts = Column("Q", shelf)
        self._values = Column("B", shelf)

    def __len__(self) -> int:
        return len(self._starts)

    def append(self, row: Mapping[Heading, int]) -> None:
        """Add a row."""
        self._under.append(0)
        self._starts.append(0)
        self[len(self) - 1] = row

    def __getitem__(self, number: int) -> dict[Heading, int]:
        kind, headings = self._layouts[self._under[number]]
        start = self._starts[number]
        row = array(kind)
        data = self._values.part(start, start + len(headings) * row.itemsize)
        row.frombytes(data.tobytes())
        return dict(zip(headings, row, strict=True))

    def __setitem__(self, number: int, row: Mapping[Heading, int]) -> None:
        """Replace a row, which is seldom done: the old one takes its place as before."""
        largest = max(row.values(), default=0)
        kind = next(kind for kind, bound in _KINDS.items() if largest < bound)
        layout = kind, tuple(row)
        under = self._known.get(layout)
        if under is None:
            under = self._known[layout] = len(self._layouts)
            self._layouts.append(layout)
        self._under[number] = under
        self._starts[number] = len(self._values)
        self._values.extend(array(kind, row.values()).tobytes())


class Texts:
    """Maps from names to texts, such as what the regions of states show; each text is kept once."""

    def __init__(self, shelf: Shelf) -> None:
        self._rows: Rows[str] = Rows(shelf)
        self._texts = Roll(shelf=shelf)

    def __len__(self) -> int:
        return len(self._rows)

    def append(self, texts: Mapping[str, str]) -> None:
        """Add a map."""
        self._rows.append(self._packed(texts))

    def __iter__(self) -> Iterator[Mapping[str, str]]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> Mapping[str, str]:
        return {name: self._texts[text] for name, text in self._rows[number].items()}

    def __setitem__(self, number: int, texts: Mapping[str, str]) -> None:
        """Replace a map."""
        self._rows[number] = self._packed(texts)

    def _packed(self, texts: Mapping[str, str]) -> dict[str, int]:
        return {name: self._texts.add(text) for name, text in texts.items()}
