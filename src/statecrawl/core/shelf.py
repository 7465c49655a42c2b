"""A shelf: where a crawl puts what it needs of each state for good, and seldom."""

from collections.abc import Callable
from typing import Protocol


class Shelf(Protocol):
    """Holds bytes at places, as long as somebody holds the shelf.

    A crawl without end finds millions of states. What has to be known of the first of them need
    not be in memory: it is looked at again now and then, a few bytes at a time.
    """

    def put(self, data: bytes) -> int:
        """Take bytes, and return at which place they are."""
        ...

    def replace(self, at: int, data: bytes) -> None:
        """Take other bytes at a place where there were so many."""
        ...

    def get(self, at: int, size: int) -> bytes:
        """Return so many bytes that are at a place."""
        ...


Shelving = Callable[[], Shelf]
"""Gives whoever has much to keep a shelf of its own."""


class InMemory:
    """A shelf for those who have no other: it saves no memory."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = bytearray()

    def put(self, data: bytes) -> int:
        """Take bytes, and return at which place they are."""
        at = len(self._data)
        self._data += data
        return at

    def replace(self, at: int, data: bytes) -> None:
        """Take other bytes at a place where there were so many."""
        self._data[at : at + len(data)] = data

    def get(self, at: int, size: int) -> bytes:
        """Return so many bytes that are at a place."""
        return bytes(self._data[at : at + size])
