"""What reading and writing a crawl needs of a database."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement gave."""

    def fetchone(self) -> Any:
        """Return the next row; None when there is none left."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """The tables of one crawl (`schema.py`).

    Statements are such that every database of ours understands, with `?` for values.
    """

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Rows:
        """Carry out a statement."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Carry out a statement for each row of values."""
        ...

    def blaming(self) -> AbstractContextManager[None]:
        """Turn an error of the database that is not our fault into one line."""
        ...

    def reading(self) -> AbstractContextManager[None]:
        """Likewise, and any error about rows that are not as we write them."""
        ...

    def writing(self) -> AbstractContextManager[None]:
        """Do all of the following, or nothing."""
        ...

    def moment(self) -> AbstractContextManager[None]:
        """Let all that follows see the crawl at one moment."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...
