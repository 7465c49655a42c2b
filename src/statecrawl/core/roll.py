"""Texts with numbers, such as the ids of states: packed, all but those asked for lately."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from statecrawl.core.column import Column
from statecrawl.core.shelf import InMemory, Shelf
from statecrawl.core.table import Table

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

UNPACKED = 10_000
"""So many texts are kept as they are."""

_HEX = b"\xff"
"""Begins what is packed of a text of hexadecimal digits; no text in UTF-8 has such a byte."""


def _packed(text: str) -> bytes:
    """Return a text in few bytes; two digits are one byte. Different texts are never the same."""
    if not len(text) % 2:
        try:
            digits = bytes.fromhex(text)
        except ValueError:
            pass
        else:
            if digits.hex() == text:  # capitals and blanks are digits, too
                return _HEX + digits
    return text.encode("utf-8", "surrogatepass")


def _unpacked(data: bytes) -> str:
    if data.startswith(_HEX):
        return data[1:].hex()
    return data.decode("utf-8", "surrogatepass")


class Packed:
    """Texts one after the other on a shelf, in as few bytes as that takes."""

    __slots__ = ("_data", "_ends")

    def __init__(self, shelf: Shelf) -> None:
        self._data = Column("B", shelf)
        self._ends = Column("Q", shelf, [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, text: str) -> bytes:
        """Add a text, and return what is kept of it."""
        data = _packed(text)
        self._data.extend(data)
        self._ends.append(len(self._data))
        return data

    def __getitem__(self, number: int) -> str:
        return _unpacked(self.data(number))

    def data(self, number: int) -> bytes:
        """Return what is kept of a text."""
        return self._data.part(*self._ends.part(number, number + 2)).tobytes()


class Remembered(dict[Asked, Answer]):
    """What was asked for lately; anything else is looked up."""

    __slots__ = ("_look_up",)

    def __init__(self, look_up: Callable[[Asked], Answer]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, asked: Asked) -> Answer:
        return self._look_up(asked)


class Roll:
    """Different texts, numbered 0, 1, and so on: which number a text has, and which text a number.

    A crawl without end finds millions of states, and goes among the last of them: the ids of others
    are on the shelf. As long as there are few, `texts` and `numbers` are as quick as the
    dictionaries that they are; what is not there is an IndexError and a KeyError.
    """

    __slots__ = ("_length", "_packed", "_table", "numbers", "texts")

    def __init__(self, texts: Iterable[str] = (), shelf: Shelf | None = None) -> None:
        shelf = shelf or InMemory()
        self.texts = Remembered(self._recall)  # and at least all that is not packed
        self.numbers = Remembered(self._number)
        self._packed = Packed(shelf)
        self._table = Table(shelf)
        self._length = 0
        for text in texts:
            self.append(text)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(self._length))

    def __contains__(self, text: str) -> bool:
        return self.number(text) is not None

    def __getitem__(self, number: int) -> str:
        return self.texts[number]

    def number(self, text: str) -> int | None:
        """Return the number of a text; None when it is not there."""
        number = self.numbers.get(text)
        if number is None and len(self.texts) < self._length:
            number = self._find(text)
            if number is not None:
                self._keep(number, text)
        return number

    def add(self, text: str) -> int:
        """Return the number of a text, which may be new."""
        number = self.number(text)
        return self.append(text) if number is None else number

    def append(self, text: str) -> int:
        """Add a text that is not there, and return its number."""
        number = self._length
        self._keep(number, text)
        self._length += 1
        return number

    def _keep(self, number: int, text: str) -> None:
        if len(self.texts) >= UNPACKED:
            self._pack()
        self.texts[number] = text
        self.numbers[text] = number

    def _pack(self) -> None:
        """Pack all that is not, and let go of a tenth: of what has been unpacked longest."""
        for number in range(len(self._packed), self._length):
            self._table.add(number, hash(self._packed.append(self.texts[number])))
        for number in list(islice(self.texts, 1 + UNPACKED // 10)):
            del self.numbers[self.texts.pop(number)]

    def _recall(self, number: int) -> str:
        """Return a text that was packed."""
        if not 0 <= number < self._length:
            raise IndexError(number)
        text = self._packed[number]
        self._keep(number, text)
        return text

    def _number(self, text: str) -> int:
        """Return the number of a text that was packed."""
        number = self.number(text)
        if number is None:
            raise KeyError(text)
        return number

    def _find(self, text: str) -> int | None:
        data = _packed(text)
        for number in self._table.candidates(hash(data)):
            if self._packed.data(number) == data:
                return number
        return None
