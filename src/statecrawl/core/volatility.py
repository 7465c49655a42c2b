"""Finds out which parts of pages differ between loads of the same state.

A new page with the structure of a known one that differs from it in places nobody has checked
is suspect: the way to it is gone again with another clock and another seed. What differs then
is volatile and gets masked; what does not is content, and not checked again at such a place.

A program that numbers what it makes gives the same number at each of these visits, and another one
after a detour. That shows when an event leads elsewhere than before, and only references differ.
"""

import re
from array import array
from collections import Counter

from statecrawl.core.dom import parse, skeleton
from statecrawl.core.masks import Mask, Masks, counted, leaves, volatile
from statecrawl.core.snapshot import Snapshot

_INDEX = re.compile(r"\[\d+\]")

REASON_LOADS = "differs between loads of the same state"
REASON_TIMER = "changed by a repeating timer"
REASON_WAYS = "differs between ways to the same state"

MAX_SUSPICIONS = 3
"""How many pages of one structure are checked: after that, what differs is content."""

Place = tuple[str, str]


class Volatility:
    """What is known of how pages vary."""

    def __init__(self) -> None:
        # For each structure the first page that had it: hashes of its places and their values.
        self._seen: dict[int, tuple[array[int], array[int]]] = {}
        self._content: set[Place] = set()
        self._suspected: Counter[int] = Counter()
        self._masks_version = 0

    def is_suspect(self, snapshot: Snapshot, masks: Masks) -> bool:
        """Tell whether a page may be a known one in other words; remember the page.

        The first page of all is always looked at twice.
        """
        if masks.version != self._masks_version:
            self._masks_version = masks.version
            self._seen.clear()
        root = masks.apply(parse(snapshot.dom))
        structure = hash(skeleton(root))
        if self._suspected[structure] >= MAX_SUSPICIONS:
            return False
        found = leaves(root)
        if structure not in self._seen:
            is_first = not self._seen and not masks.version
            hashes = array("q", map(hash, found)), array("q", map(hash, found.values()))
            self._seen[structure] = hashes
            return is_first
        known = dict(zip(*self._seen[structure], strict=True))
        differing = [
            place for place, value in found.items() if known.pop(hash(place), None) != hash(value)
        ]
        is_suspect = bool(known) or any(_loose(each) not in self._content for each in differing)
        self._suspected[structure] += is_suspect
        return is_suspect

    def compare(self, one: Snapshot, again: Snapshot, masks: Masks) -> list[Mask]:
        """Return masks for what differs after going the same way twice; the rest is content."""
        trees = [masks.apply(parse(snapshot.dom)) for snapshot in (one, again)]
        found = volatile(trees[0], trees[1], REASON_LOADS)
        others = {(path, part): value for path, part, value in again.made_up}
        found += [
            Mask(path, part, REASON_LOADS)
            for path, part, value in one.made_up
            if others.get((path, part), value) != value
        ]
        masked = {_loose(mask.place) for mask in found}
        checked = {_loose(place) for place in leaves(trees[0])}
        self._content |= checked - masked
        return found

    @staticmethod
    def counted(one: Snapshot, other: Snapshot, masks: Masks) -> list[Mask]:
        """Return masks for what differs between two pages that one event of a state led to."""
        trees = [masks.apply(parse(snapshot.dom)) for snapshot in (one, other)]
        return counted(trees[0], trees[1], REASON_WAYS)

    @staticmethod
    def ticking(snapshot: Snapshot, masks: Masks) -> list[Mask]:
        """Return masks for what a page's repeating timers change."""
        return masks.unknown(Mask(path, part, REASON_TIMER) for path, part in snapshot.volatile)


def _loose(place: Place) -> Place:
    return _INDEX.sub("[*]", place[0]), place[1]
