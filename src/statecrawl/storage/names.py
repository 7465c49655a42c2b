"""Which state has which public id today, after masks learned later changed some."""

from collections.abc import Iterator

from statecrawl.core.column import Column
from statecrawl.core.roll import Roll
from statecrawl.core.shelf import InMemory, Shelf
from statecrawl.storage.database import Database


class Names:
    """States by their numbers in the database, and by every id they ever had.

    States that have become one have one id; the first of them stands for all.
    """

    def __init__(self, database: Database, shelf: Shelf | None = None) -> None:
        shelf = shelf or InMemory()
        self._names = Roll(shelf=shelf)
        self._first = Column("i", shelf)  # the first number of each name
        # Of numbers that were never given there is nothing to tell.
        self._name_of = Column("i", shelf)
        self._former: dict[int, list[str]] = {}
        today = [""]
        # Aliases are read last: whatever is renamed meanwhile is renamed as a whole.
        for number, name in database.execute("SELECT id, name FROM states ORDER BY id"):
            today.extend([""] * (number + 1 - len(today)))
            today[number] = name
        rekeyings: dict[tuple[int, int], dict[str, str]] = {}
        for rekeying, last, old, new in database.execute(
            "SELECT r.id, r.last_state, a.old, a.new FROM aliases a "
            "JOIN rekeyings r ON r.id = a.rekeying ORDER BY a.id"
        ):
            rekeyings.setdefault((rekeying, last), {})[old] = new
        for (_, last), aliases in rekeyings.items():
            self._rename(today, last, aliases)
        for number, name in enumerate(today):
            self.add(number, name)
        for number, former in list(self._former.items()):
            first = self.first(number)
            if first != number:
                self._former.setdefault(first, []).extend(former)

    def _rename(self, today: list[str], last: int, aliases: dict[str, str]) -> None:
        for number, name in enumerate(today):
            new = aliases.get(name) if number <= last else None
            if new is not None and new != name:
                self._former.setdefault(number, []).append(name)
                today[number] = new

    @property
    def last(self) -> int:
        """The number of the state that was found last."""
        return len(self._name_of) - 1

    def add(self, number: int, name: str) -> None:
        """Take in a state; of several with one name the first comes first."""
        place = self._names.add(name)
        if place == len(self._first):
            self._first.append(number)
        self._name_of.extend([0] * (number + 1 - len(self._name_of)))
        self._name_of[number] = place

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def number(self, name: str) -> int:
        """Return the number of a state by the id that it has today."""
        place = self._names.number(name)
        if place is None:
            raise ValueError(f"a fact about a state that was never found: {name}")
        return self._first[place]

    def today(self, number: int) -> str:
        """Return the id that a state has today."""
        return self._names[self._name_of[number]]

    def first(self, number: int) -> int:
        """Return the number of the state that stands for this one."""
        return self._first[self._name_of[number]]

    def states(self) -> Iterator[tuple[str, int]]:
        """Yield every state there is today, in the order of finding."""
        return (
            (name, number) for name, number in zip(self._names, self._first, strict=True) if number
        )

    def find(self, name: str) -> int | None:
        """Return the number of a state by any id that it has or had; not of the blank tab."""
        if name in self._names:
            return self.number(name) or None
        former = next((n for n, names in self._former.items() if name in names), 0)
        return self.first(former) or None

    def of(self, number: int) -> list[str]:
        """Return every id that a state has or had, today's first."""
        return [self.today(number), *self._former.get(number, ())]

    def aliases(self) -> dict[str, str]:
        """Return what ids of the past stand for today."""
        return {
            name: self.today(number)
            for number, names in self._former.items()
            for name in names
            if name not in self._names
        }
