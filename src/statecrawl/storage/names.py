"""Which state has which public id today, after masks learned later changed some."""

from collections.abc import Iterator

from statecrawl.storage.database import Database


class Names:
    """States by their numbers in the database, and by every id they ever had.

    States that have become one have one id; the first of them stands for all.
    """

    def __init__(self, database: Database) -> None:
        self.today: list[str] = [""]  # of numbers that were never given there is nothing to tell
        self._numbers: dict[str, int] = {}
        self._former: dict[int, list[str]] = {}
        # Aliases are read last: whatever is renamed meanwhile is renamed as a whole.
        for number, name in database.execute("SELECT id, name FROM states ORDER BY id"):
            self._name(number, name)
        rekeyings: dict[tuple[int, int], dict[str, str]] = {}
        for rekeying, last, old, new in database.execute(
            "SELECT r.id, r.last_state, a.old, a.new FROM aliases a "
            "JOIN rekeyings r ON r.id = a.rekeying ORDER BY a.id"
        ):
            rekeyings.setdefault((rekeying, last), {})[old] = new
        for (_, last), aliases in rekeyings.items():
            self._rename(last, aliases)
        for number, name in enumerate(self.today):
            self._numbers.setdefault(name, number)
        for number, former in list(self._former.items()):
            first = self.first(number)
            if first != number:
                self._former.setdefault(first, []).extend(former)

    def _rename(self, last: int, aliases: dict[str, str]) -> None:
        for number, name in enumerate(self.today):
            new = aliases.get(name) if number <= last else None
            if new is not None and new != name:
                self._former.setdefault(number, []).append(name)
                self.today[number] = new

    def add(self, number: int, name: str) -> None:
        """Take in a new state."""
        self._name(number, name)
        self._numbers[name] = number

    def _name(self, number: int, name: str) -> None:
        self.today.extend([""] * (number + 1 - len(self.today)))
        self.today[number] = name

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def number(self, name: str) -> int:
        """Return the number of a state by the id that it has today."""
        try:
            return self._numbers[name]
        except KeyError:
            raise ValueError(f"a fact about a state that was never found: {name}") from None

    def first(self, number: int) -> int:
        """Return the number of the state that stands for this one."""
        return self._numbers[self.today[number]]

    def states(self) -> Iterator[tuple[str, int]]:
        """Yield every state there is today, in the order of finding."""
        return ((name, number) for name, number in self._numbers.items() if number)

    def find(self, name: str) -> int | None:
        """Return the number of a state by any id that it has or had; not of the blank tab."""
        number = self._numbers.get(name)
        if number is None:
            number = next((n for n, names in self._former.items() if name in names), 0)
            number = self.first(number)
        return number or None

    def of(self, number: int) -> list[str]:
        """Return every id that a state has or had, today's first."""
        return [self.today[number], *self._former.get(number, ())]

    def aliases(self) -> dict[str, str]:
        """Return what ids of the past stand for today."""
        return {
            name: self.today[number]
            for number, names in self._former.items()
            for name in names
            if name not in self._numbers
        }
