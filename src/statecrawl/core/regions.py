"""Regions: the parts of a page that change on their own, each with what it shows.

A cut names the elements at which pages are divided. The region of such an element is what it
shows without the regions inside it, and "" on pages that do not have it; all that is left is the
region "page". A name that ends in `/*` divides an element from its content, which is the region.
Nothing gets lost: pages with equal regions are equal.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from statecrawl.core.dom import HIDDEN, KEPT, Element, escaped, once, opening

Cut = tuple[str, ...]
"""The names of the elements at which pages are divided, in their order as texts."""

EARLIER_CUTS = "earlier_cuts"
"""The setting of a crawl with the cuts before today's, each with the number of events and resets
until which it was the one."""

REST = "page"
ABSENT = ""

_ID = re.compile(r"[A-Za-z][\w.-]{0,63}", re.ASCII)


def content_of(name: str) -> str:
    """Return the name of the region that is the content of an element."""
    return f"{name}/*"


def regions(root: Element, cut: Cut) -> dict[str, str]:
    """Return a hash of what each region of a page shows."""
    division = _Division(cut)
    division.walk(root, root.tag, REST)
    found = dict.fromkeys(cut, ABSENT)
    for name, pieces in division.pieces.items():
        raw = "".join(pieces).encode("utf-8", "surrogatepass")
        found[name] = blake2b(raw, digest_size=8).hexdigest()
    return found


class Names:
    """Names elements of one page, in the order of the page; no two elements share one.

    An element is named by its id, if it is the first to have it. Any other is named by its
    parent's name and its tag, with its number among its like: `html/body/div[2]`.
    """

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def pass_by(self, element: Element) -> None:
        """Name nothing in an element, but know which ids were there."""
        self._ids |= _ids(element)

    def children(self, parent: Element, name: str) -> Iterator[tuple[str, Element | str]]:
        """Yield each child with its name, a text with none.

        Name all that is in a child before asking for the next one.
        """
        numbers: dict[str, int] = {}
        for child in parent.children:
            if isinstance(child, str):
                yield "", child
                continue
            given = child.attributes.get("id", "")
            if given and given not in self._ids and _ID.fullmatch(given):
                self._ids.add(given)
                yield f"{child.tag}#{given}", child
                continue
            number = numbers[child.tag] = numbers.get(child.tag, 0) + 1
            step = f"{child.tag}[{number}]" if number > 1 else child.tag
            yield f"{name}/{step}", child


class _Marks(NamedTuple):
    """A cut, and where anybody has to look for what is cut out: around such names and ids."""

    cut: frozenset[str]
    around: frozenset[str]
    ids: frozenset[str]


@lru_cache(maxsize=4)
def _marks(cut: Cut) -> _Marks:
    """Return what a cut says; one is asked for again and again."""
    around = {name[:end] for name in cut for end, letter in enumerate(name) if letter == "/"}
    ids = {name.partition("/")[0].partition("#")[2] for name in cut}
    return _Marks(frozenset(cut), frozenset(around), frozenset(ids))


class _Division:
    """What each region of one page is made of."""

    def __init__(self, cut: Cut) -> None:
        self._cut, self._around, self._ids = _marks(cut)
        self._names = Names()
        self.pieces: dict[str, list[str]] = {REST: []}

    def walk(self, element: Element, name: str, region: str) -> None:
        """Write an element down in its region.

        The part that is cut out of it says where it stood: behind which child that was not cut
        out. Where several stood there they are in the order of their names, or say so.
        """
        if name not in self._around and self._ids.isdisjoint(_ids(element)):
            self._names.pass_by(element)
            self.pieces[region].append(_shown(element))
            return
        self.pieces[region].append(_tag(element))
        around, content = region, content_of(name)
        if content in self._cut:
            region = content
            self.pieces[region] = []
        pieces = self.pieces[region]
        behind = ""
        cut_out: list[str] = []
        for child_name, child in self._names.children(element, name):
            if isinstance(child, str):
                pieces.append(f"{escaped(child)}<>")
                behind, cut_out = f"{behind}.", []
            elif child_name in self._cut:
                later = [other for other in cut_out if other > child_name]
                self.pieces[child_name] = [" ".join((name, behind, *later))]
                cut_out.append(child_name)
                self.walk(child, child_name, child_name)
            else:
                self.walk(child, child_name, region)
                behind, cut_out = child_name, []
        self.pieces[around].append("</>")


@once
def _ids(element: Element) -> frozenset[str]:
    """Return all ids inside an element that something can be named by."""
    found: set[str] = set()
    for child in element.children:
        if isinstance(child, Element):
            if (given := child.attributes.get("id", "")) and _ID.fullmatch(given):
                found.add(given)
            found |= _ids(child)
    return frozenset(found)


@once
def _shown(element: Element) -> str:
    """Return an element with all that is in it, of which nothing is cut out."""
    pieces = [_tag(element)]
    for child in element.children:
        piece = f"{escaped(child)}<>" if isinstance(child, str) else _shown(child)
        pieces.append(piece)
    pieces.append("</>")
    return "".join(pieces)


def _tag(element: Element) -> str:
    """Return an element's own tag as it counts for identity: without our marks."""
    return opening(element, HIDDEN, KEPT)
