"""Many small maps from number to number, and lists of numbers; most have one entry or none."""

from array import array
from collections.abc import Collection, Iterable

_NONE, _MANY = -1, -2
"""In place of a key: there is no entry, or there were several."""


class SmallMaps:
    """A map for each of the numbers 0, 1, and so on; entries come in the order of putting them in.

    A crawl without end finds millions of states with a transition each: a map of one entry takes
    a few bytes in two arrays, and only one of several is a dictionary. Keys are not negative.
    """

    __slots__ = ("_keys", "_more", "_values")

    def __init__(self, kind: str = "q") -> None:
        self._keys = array("i")
        self._values = array(kind)
        self._more: dict[int, dict[int, int]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def append(self) -> None:
        """Add a map without entries."""
        self._keys.append(_NONE)
        self._values.append(0)

    def __getitem__(self, number: int) -> Collection[int]:
        """Return the keys of a map."""
        key = self._keys[number]
        if key >= 0:
            return (key,)
        return self._more[number].keys() if key == _MANY else ()

    def get(self, number: int, key: int) -> int | None:
        """Return the value of a key in a map; None when it is not there."""
        only = self._keys[number]
        if only == _MANY:
            return self._more[number].get(key)
        return self._values[number] if only == key else None

    def put(self, number: int, key: int, value: int = 0) -> None:
        """Set the value of a key in a map."""
        only = self._keys[number]
        if only == _MANY:
            self._more[number][key] = value
        elif only in (_NONE, key):
            self._keys[number], self._values[number] = key, value
        else:
            self._more[number] = {only: self._values[number], key: value}
            self._keys[number] = _MANY

    def setdefault(self, number: int, key: int, value: int = 0) -> int | None:
        """Return the value of a key in a map; None when there was none, which is now this one."""
        only = self._keys[number]
        if only == _MANY:
            more = self._more[number]
            known = more.get(key)
            if known is None:
                more[key] = value
            return known
        if only == key:
            return self._values[number]
        self.put(number, key, value)
        return None

    def merge(self, number: int, entries: dict[int, int]) -> Collection[int]:
        """Set what a map has not got yet, and return the keys of that.

        The entries are given away: nobody may change them later.
        """
        only = self._keys[number]
        if only == _NONE and len(entries) > 1:
            self._keys[number] = _MANY
            self._more[number] = entries
            return entries
        known = self._more[number] if only == _MANY else (only,)
        fresh = {key: value for key, value in entries.items() if key not in known}
        for key, value in fresh.items():
            self.put(number, key, value)
        return fresh

    def remove(self, number: int, key: int) -> None:
        """Take a key out of a map that has it."""
        if self._keys[number] == _MANY:
            del self._more[number][key]
        else:
            self._keys[number] = _NONE

    def items(self, number: int) -> Collection[tuple[int, int]]:
        """Return the entries of a map."""
        key = self._keys[number]
        if key == _MANY:
            return self._more[number].items()
        return () if key == _NONE else ((key, self._values[number]),)


class SmallLists:
    """A list for each of the numbers 0, 1, and so on; what is in it is not negative.

    As with `SmallMaps` a list of one takes a few bytes, and only a longer one is an object.
    """

    __slots__ = ("_more", "_only")

    def __init__(self) -> None:
        self._only = array("i")
        self._more: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self._only)

    def append(self) -> None:
        """Add a list without anything."""
        self._only.append(_NONE)

    def __getitem__(self, number: int) -> Collection[int]:
        """Return what is in a list."""
        only = self._only[number]
        if only >= 0:
            return (only,)
        return self._more[number] if only == _MANY else ()

    def add(self, numbers: Iterable[int], value: int) -> None:
        """Put a value at the end of some lists, none of which has it."""
        lists = self._more
        for number in numbers:
            more = lists.get(number)
            if more is not None:
                more.append(value)
                continue
            only = self._only[number]
            if only == _NONE:
                self._only[number] = value
            else:
                lists[number] = array("i", (only, value))
                self._only[number] = _MANY

    def remove(self, number: int, value: int) -> None:
        """Take a value out of a list that has it."""
        if self._only[number] == _MANY:
            self._more[number].remove(value)
        else:
            self._only[number] = _NONE
