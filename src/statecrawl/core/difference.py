"""What differs between two pages: values that changed, and parts that only one of them has."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from statecrawl.core.dom import Element, places
from statecrawl.core.masks import TEXT

MAX_ALIGNED = 300
"""Of so many children in a row the best alignment is looked for; more are taken in order."""


class Changed(NamedTuple):
    """A text or an attribute with another value; the path is that in the second page."""

    path: str
    part: str
    was: str
    now: str


class Part(NamedTuple):
    """An element that only one of the pages has, and where: the path of the parent in the second.

    A row stands in a list: one of the pages has another element of its kind beside it.
    """

    parent: str
    element: Element
    is_row: bool


class Difference(NamedTuple):
    """All that differs: values that changed, parts only the first page has, only the second."""

    changed: tuple[Changed, ...]
    gone: tuple[Part, ...]
    come: tuple[Part, ...]

    @property
    def place(self) -> str:
        """The innermost place of the second page that holds all that differs; "" when nothing."""
        paths = [each.path for each in self.changed]
        paths += [each.parent for each in (*self.gone, *self.come)]
        return common_place(paths)


def common_place(paths: list[str]) -> str:
    """Return the innermost place that holds all of these."""
    if not paths:
        return ""
    first, last = min(paths).split("/"), max(paths).split("/")
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    return "/".join(first[:shared])


def difference(one: Element, other: Element) -> Difference:
    """Compare two pages. Children that are the same stand for each other, then those in order."""
    hashes = _hashes(one) | _hashes(other)
    changed: list[Changed] = []
    gone: list[Part] = []
    come: list[Part] = []
    waiting = [(other.tag, one, other)]
    while waiting:
        path, first, second = waiting.pop()
        changed.extend(_changed(path, first, second))
        ours, theirs = list(first.elements), list(second.elements)
        paths = _paths(path, theirs)
        for mine, partner in _aligned(ours, theirs, hashes):
            if mine is not None and partner is not None:
                if hashes[id(mine)] != hashes[id(partner)]:
                    waiting.append((paths[id(partner)], mine, partner))
            elif mine is not None:
                gone.append(Part(path, mine, _is_row(mine, ours, theirs)))
            elif partner is not None:
                come.append(Part(path, partner, _is_row(partner, ours, theirs)))
    return Difference(tuple(changed), tuple(gone), tuple(come))


def _hashes(root: Element) -> dict[int, int]:
    """Return a hash of what each element and everything in it shows, by the element's id."""
    found: dict[int, int] = {}
    for _, element in reversed(list(places(root))):
        children = [c if isinstance(c, str) else found[id(c)] for c in element.children]
        attributes = sorted(element.attributes.items())
        found[id(element)] = hash((element.tag, tuple(attributes), tuple(children)))
    return found


def _changed(path: str, first: Element, second: Element) -> Iterator[Changed]:
    if first.own_text != second.own_text:
        yield Changed(path, TEXT, first.own_text, second.own_text)
    if first.attributes != second.attributes:
        for name in sorted({*first.attributes, *second.attributes}):
            was, now = first.attributes.get(name), second.attributes.get(name)
            if was != now:
                yield Changed(path, name, was or "", now or "")


def _paths(path: str, children: list[Element]) -> dict[int, str]:
    numbers: dict[str, int] = {}
    found = {}
    for child in children:
        number = numbers[child.tag] = numbers.get(child.tag, 0) + 1
        found[id(child)] = f"{path}/{child.tag}[{number}]"
    return found


Pairing = Iterator[tuple[Element | None, Element | None]]


def _aligned(ours: list[Element], theirs: list[Element], hashes: dict[int, int]) -> Pairing:
    """Yield children that stand for each other, and with None those that have no partner."""
    if [child.tag for child in ours] == [child.tag for child in theirs]:
        yield from zip(ours, theirs, strict=True)
        return
    if max(len(ours), len(theirs)) > MAX_ALIGNED:
        yield from _in_order(ours, theirs)
        return
    matcher = SequenceMatcher(
        None, [hashes[id(c)] for c in ours], [hashes[id(c)] for c in theirs], autojunk=False
    )
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind != "equal":
            yield from _in_order(ours[start:end], theirs[other_start:other_end])


def _in_order(ours: list[Element], theirs: list[Element]) -> Pairing:
    """Pair children of the same tag in their order."""
    waiting: dict[str, list[Element]] = {}
    for child in theirs:
        waiting.setdefault(child.tag, []).append(child)
    for child in ours:
        alike = waiting.get(child.tag)
        yield child, alike.pop(0) if alike else None
    for rest in waiting.values():
        for child in rest:
            yield None, child


def _is_row(part: Element, ours: list[Element], theirs: list[Element]) -> bool:
    alike = [sum(child.tag == part.tag for child in children) for children in (ours, theirs)]
    return max(alike) > 1
