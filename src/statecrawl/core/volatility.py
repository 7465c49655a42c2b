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
from collections.abc import Iterator
from itertools import chain

from statecrawl.core.dom import Element, once, parse, places, skeleton
from statecrawl.core.masks import TEXT, Mask, Masks, counted, leaves, volatile
from statecrawl.core.snapshot import Snapshot

_INDEX = re.compile(r"\[\d+\]")

REASON_LOADS = "differs between loads of the same state"
REASON_TIMER = "changed by a repeating timer"
REASON_WAYS = "differs between ways to the same state"

MAX_SUSPICIONS = 3
"""How many pages of one structure are checked: after that, what differs is content."""

Place = tuple[str, str]

_ELEMENT = ""
"""The part of every element that says that it begins."""


class _Page:
    """Hashes of the parts of a page, element by element, and of their values.

    In pages of one structure the same elements come in the same order.
    """

    __slots__ = ("_places", "parts", "values")

    def __init__(self, root: Element) -> None:
        found = _flat(root)
        self.parts = array("q", found[::2])
        self.values = array("q", found[1::2])
        self._places = array("q")

    def places(self, root: Element) -> "array[int]":
        """Return the hash of each part's place, as loose as places are compared, given the page."""
        if not self._places:
            for path, element in places(root):
                loose = _INDEX.sub("[*]", path)
                self._places.extend(hash((loose, part)) for part, _ in _parts(element))
        return self._places


def _parts(element: Element) -> list[tuple[str, str]]:
    """Return what an element is made of: that it begins, its own text, its attributes."""
    text = element.own_text
    own = [(_ELEMENT, ""), (TEXT, text)] if text else [(_ELEMENT, "")]
    return [*own, *element.attributes.items()]


@once
def _flat(element: Element) -> list[int]:
    """Return the hashes of every part of an element and of its value, in the order of the page."""
    found = list(map(hash, chain.from_iterable(_parts(element))))
    for child in element.children:
        if isinstance(child, Element):
            found += _flat(child)
    return found


class Volatility:
    """What is known of how pages vary."""

    def __init__(self) -> None:
        self._seen: dict[int, _Page] = {}
        self._content: set[int] = set()  # hashes of loose places
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
        page, first = _Page(root), self._seen.get(structure)
        if first is None:
            is_first = not self._seen and not masks.version
            self._seen[structure] = page
            return is_first
        is_suspect = self._is_other(first, page, root)
        self._suspected[structure] += is_suspect
        return is_suspect

    def is_checked(self, snapshot: Snapshot, masks: Masks) -> bool:
        """Tell whether a page that was suspect differs only where somebody has looked since."""
        root = masks.apply(parse(snapshot.dom))
        first = self._seen.get(hash(skeleton(root)))
        return first is not None and not self._is_other(first, _Page(root), root)

    def _is_other(self, first: _Page, page: _Page, root: Element) -> bool:
        """Tell whether a page differs from the first of its structure where nobody has checked."""
        if first.parts == page.parts:
            found = first.places(root)
            pairs = enumerate(zip(first.values, page.values, strict=True))
            return any(was != now and found[n] not in self._content for n, (was, now) in pairs)
        known = dict(_by_element(first))
        differing = [
            place
            for place, (part, value) in zip(page.places(root), _by_element(page), strict=True)
            if known.pop(part, None) != value
        ]
        return bool(known) or any(place not in self._content for place in differing)

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
        self._content.update(map(hash, checked - masked))
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


def _by_element(page: _Page) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the number of each part's element with the hash of the part, and that of its value."""
    number, begins = 0, hash(_ELEMENT)
    for part, value in zip(page.parts, page.values, strict=True):
        number += part == begins
        yield (number, part), value
