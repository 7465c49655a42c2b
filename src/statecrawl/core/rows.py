"""Rows of numbers under headings that many share: packed, and unpacked when asked for."""

from array import array
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from statecrawl.core.roll import Roll

Heading = TypeVar("Heading")

_KINDS = {"B": 2**8, "H": 2**16, "i": 2**31}
"""Arrays by how large numbers in them may be."""


class Rows(Generic[Heading]):
    """Maps from headings to numbers, which are not negative; headings are kept once.

    As long as all numbers are small, each takes a byte or two.
    """

    __slots__ = ("_headings", "_known", "_starts", "_under", "_values")

    def __init__(self) -> None:
        self._known: dict[tuple[Heading, ...], int] = {}
        self._headings: list[tuple[Heading, ...]] = []
        self._under = array("i")
        self._starts = array("I")
        self._values = array("B")

    def __len__(self) -> int:
        return len(self._starts)

    def append(self, row: Mapping[Heading, int]) -> None:
        """Add a row."""
        self._under.append(0)
        self._starts.append(0)
        self[len(self) - 1] = row

    def __getitem__(self, number: int) -> dict[Heading, int]:
        start, headings = self._starts[number], self._headings[self._under[number]]
        return dict(zip(headings, self._values[start : start + len(headings)], strict=True))

    def __setitem__(self, number: int, row: Mapping[Heading, int]) -> None:
        """Replace a row, which is seldom done: the old one takes its place as before."""
        headings = tuple(row)
        under = self._known.get(headings)
        if under is None:
            under = self._known[headings] = len(self._headings)
            self._headings.append(headings)
        self._under[number] = under
        self._starts[number] = len(self._values)
        largest = max(row.values(), default=0)
        if largest >= _KINDS[self._values.typecode]:
            kind = next(kind for kind, bound in _KINDS.items() if largest < bound)
            self._values = array(kind, self._values)
        self._values.extend(row.values())


class Texts:
    """Maps from names to texts, such as what the regions of states show; each text is kept once."""

    def __init__(self) -> None:
        self._rows: Rows[str] = Rows()
        self._texts = Roll()

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
