"""The signatures of states, and which state has one."""

from collections.abc import Iterator
from itertools import islice

from statecrawl.core.column import Column
from statecrawl.core.shelf import Shelf
from statecrawl.core.table import Table

QUICK = 10_000
"""So many of the last states are found at once; others a little later, on the shelf."""


class Signatures:
    """Numbers of 64 bits, each that of a state; states come in the order of their numbers."""

    __slots__ = ("_all", "_latest", "_table")

    def __init__(self, shelf: Shelf) -> None:
        self._all = Column("Q", shelf)
        self._latest: dict[int, int] = {}
        self._table = Table(shelf)

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __getitem__(self, state: int) -> int:
        return self._all[state]

    def append(self, signature: int) -> None:
        """Take in the signature of the next state, which no other has."""
        if len(self._latest) >= QUICK:
            for known in list(islice(self._latest, 1 + QUICK // 10)):
                self._table.add(self._latest.pop(known), known)
        self._latest[signature] = len(self._all)
        self._all.append(signature)

    def state(self, signature: int) -> int | None:
        """Return the state that has a signature; None: nobody has seen it."""
        state = self._latest.get(signature)
        if state is None and self._table:
            for other in self._table.candidates(signature):
                if self._all[other] == signature:
                    return other
        return state
