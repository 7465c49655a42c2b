"""Many small maps from number to number, and lists of numbers; most have one entry or none."""

from array import array
from collections.abc import Collection, Iterable

_NONE = -1
"""In place of a key, or of what is in a list: there is nothing, or there were several."""


class SmallMaps:
    """A map for each of the numbers 0, 1, and so on; entries come in the order of putting them in.

    A crawl without end finds millions of states with a transition each: a map of one entry takes
    a few bytes in two arrays, and only one of several is a dictionary, which is looked at first:
    where there are many maps it is those that are asked. Keys are not negative.
    """

    __slots__ = ("_keys", "_more", "_values")

    def __init__(self, kind: str = "q") -> None:
        self._keys = array("i")
        self._values = array(kind)
        self._more: list[dict[int, int] | None] = []

    def __len__(self) -> int:
        return len(self._keys)

    def append(self) -> None:
        """Add a map without entries."""
        self._keys.append(_NONE)
        self._values.append(0)
        self._more.append(None)

    def __getitem__(self, number: int) -> Collection[int]:
        """Return the keys of a map."""
        more = self._more[number]
        if more is not None:
            return more.keys()
        key = self._keys[number]
        return () if key == _NONE else (key,)

    def get(self, number: int, key: int) -> int | None:
        """Return the value of a key in a map; None when it is not there."""
        more = self._more[number]
        if more is not None:
            return more.get(key)
        return self._values[number] if self._keys[number] == key else None

    def put(self, number: int, key: int, value: int = 0) -> None:
        """Set the value of a key in a map."""
        more, only = self._more[number], self._keys[number]
        if more is not None:
            more[key] = value
        elif only in (_NONE, key):
            self._keys[number], self._values[number] = key, value
        else:
            self._more[number] = {only: self._values[number], key: value}

    def setdefault(self, number: int, key: int, value: int = 0) -> int | None:
        """Return the value of a key in a map; None when there was none, which is now this one."""
        more = self._more[number]
        if more is not None:
            known = more.get(key)
            if known is None:
                more[key] = value
            return known
        if self._keys[number] == key:
            return self._values[number]
        self.put(number, key, value)
        return None

    def merge(self, number: int, entries: dict[int, int]) -> Collection[int]:
        """Set what a map has not got yet, and return the keys of that.

        The entries are given away: nobody may change them later.
        """
        known = self[number]
        if not known and len(entries) > 1:
            self._more[number] = entries
            return entries
        fresh = {key: value for key, value in entries.items() if key not in known}
        for key, value in fresh.items():
            self.put(number, key, value)
        return fresh

    def remove(self, number: int, key: int) -> None:
        """Take a key out of a map that has it."""
        more = self._more[number]
        if more is not None:
            del more[key]
        else:
            self._keys[number] = _NONE

    def items(self, number: int) -> Collection[tuple[int, int]]:
        """Return the entries of a map."""
        more = self._more[number]
        if more is not None:
            return more.items()
        key = self._keys[number]
        return () if key == _NONE else ((key, self._values[number]),)


class SmallLists:
    """A list for each of the numbers 0, 1, and so on; what is in it is not negative.

    As with `SmallMaps` a list of one takes a few bytes, and only a longer one is an object.
    """

    __slots__ = ("_more", "_only")

    def __init__(self) -> None:
        self._only = array("i")
        self._more: list[array[int] | None] = []

    def __len__(self) -> int:
        return len(self._only)

    def append(self) -> None:
        """Add a list without anything."""
        self._only.append(_NONE)
        self._more.append(None)

    def __getitem__(self, number: int) -> Collection[int]:
        """Return what is in a list."""
        more = self._more[number]
        if more is not None:
            return more
        only = self._only[number]
        return () if only == _NONE else (only,)

    def add(self, numbers: Iterable[int], value: int) -> None:
        """Put a value at the end of some lists, none of which has it."""
        lists = self._more
        for number in numbers:
            more = lists[number]
            if more is not None:
                more.append(value)
                continue
            only = self._only[number]
            if only == _NONE:
                self._only[number] = value
            else:
                lists[number] = array("i", (only, value))

    def remove(self, number: int, value: int) -> None:
        """Take a value out of a list that has it."""
        more = self._more[number]
        if more is not None:
            more.remove(value)
        else:
            self._only[number] = _NONE
