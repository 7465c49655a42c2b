"""Finds out which parts of pages differ between loads of the same state.

A new page with the structure of a known one that differs from it in places nobody has checked
is suspect: the way to it is gone again with another clock and another seed. What differs then
is volatile and gets masked; what does not is content, and not checked again at such a place.
"""

import re
from array import array
from hashlib import blake2b

from statecrawl.core.dom import parse
from statecrawl.core.masks import Mask, Masks, leaves, volatile
from statecrawl.core.snapshot import Snapshot

_INDEX = re.compile(r"\[\d+\]")

REASON_LOADS = "differs between loads of the same state"
REASON_TIMER = "changed by a repeating timer"

Place = tuple[str, str]


class Volatility:
    """What is known of how pages vary."""

    def __init__(self) -> None:
        self._seen: dict[bytes, array[int]] = {}
        self._content: set[Place] = set()

    def is_suspect(self, snapshot: Snapshot, masks: Masks) -> bool:
        """Tell whether a page may be a known one in other words; remember the page.

        The first page of all is always looked at twice.
        """
        found = leaves(masks.apply(parse(snapshot.dom)))
        structure = _digest("\0".join(f"{path} {part}" for path, part in found)).to_bytes(8)
        values = array("Q", map(_digest, found.values()))
        is_first = not self._seen
        known = self._seen.setdefault(structure, values)
        return is_first or any(
            value != before and _loose(place) not in self._content
            for place, value, before in zip(found, values, known, strict=True)
        )

    def compare(self, one: Snapshot, again: Snapshot, masks: Masks) -> list[Mask]:
        """Return masks for what differs between two visits of a state; the rest is content."""
        trees = [masks.apply(parse(snapshot.dom)) for snapshot in (one, again)]
        found = volatile(trees[0], trees[1], REASON_LOADS)
        masked = {_loose(mask.place) for mask in found}
        places = {_loose(place) for place in leaves(trees[0])}
        self._content |= places - masked
        return found

    @staticmethod
    def ticking(snapshot: Snapshot, masks: Masks) -> list[Mask]:
        """Return masks for what a page's repeating timers change."""
        known = {mask.place for mask in masks.masks}
        found = (Mask(path, part, REASON_TIMER) for path, part in snapshot.volatile)
        return [mask for mask in found if mask.place not in known]


def _loose(place: Place) -> Place:
    return _INDEX.sub("[*]", place[0]), place[1]


def _digest(value: str) -> int:
    raw = value.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest())
