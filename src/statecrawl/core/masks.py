"""Masks: the parts of a page that differ between loads of the same state, left out of identity.

Only texts and attributes are masked, never structure: what appears, vanishes or moves is
content. A mask names a place by its path; `[*]` stands for every place of a list.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from statecrawl.core.dom import KEPT, Element, places, write

TEXT = "text"
"""The part of an element that is its own text; every other part is an attribute's name."""

_IDS = ("id", "for", "href", "name", "headers", "list", "form", "usemap")
_UNSEEN = ("aria-", "data-")
"""How attributes begin that refer to something, and show nothing themselves."""
_REFERENCES = (
    *("id", "for", "headers", "list", "form", "usemap", "aria-controls", "aria-describedby"),
    *("aria-details", "aria-flowto", "aria-labelledby", "aria-owns"),
)
"""Attributes that only say which elements belong together."""
_INDEX = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"\d+")


class Mask(NamedTuple):
    """One part of one place: its own text, or an attribute."""

    path: str
    part: str
    reason: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """Where the mask is, whatever the reason."""
        return self.path, self.part


@dataclass(frozen=True)
class Masks:
    """All masks of a crawl. Adding some gives another, greater version."""

    masks: tuple[Mask, ...] = ()

    @property
    def version(self) -> int:
        """How many masks there are: they are only ever added to."""
        return len(self.masks)

    def plus(self, found: Iterable[Mask]) -> "Masks":
        """Return these masks and others; places of a list that vary alike become one mask."""
        fresh = list({mask.place: mask for mask in self.unknown(found)}.values())
        alike = Counter(
            (loose, mask.part) for mask in (*self.masks, *fresh) for loose in _loosened(mask.path)
        )
        added = []
        for mask in fresh:
            loose = next((path for path in _loosened(mask.path) if alike[path, mask.part] > 1), "")
            added.append(mask._replace(path=loose) if loose else mask)
        unique = {mask.place: mask for mask in (*self.masks, *added)}
        return Masks(tuple(unique.values()))

    def unknown(self, found: Iterable[Mask]) -> list[Mask]:
        """Return those of the masks found that these do not cover, by one for a list either."""
        known = {mask.place for mask in self.masks}
        return [
            mask
            for mask in found
            if mask.place not in known
            and not any((loose, mask.part) in known for loose in _loosened(mask.path))
        ]

    def apply(self, root: Element) -> Element:
        """Return the tree with everything masked left out."""
        return _apply(root, self.tree) if self.masks else root

    @cached_property
    def tree(self) -> "MaskTree":
        """The masks as a tree, a level for each step of the paths."""
        top = MaskTree()
        for mask in self.masks:
            node = top
            for step in mask.path.split("/")[1:]:
                node = node.below.setdefault(step, MaskTree())
            node.parts.append(mask.part)
        return top


@dataclass(slots=True)
class MaskTree:
    """What is masked at one place, and at the places below it, by their steps."""

    parts: list[str] = field(default_factory=list)
    below: dict[str, "MaskTree"] = field(default_factory=dict)

    def at(self, tag: str, number: int) -> "MaskTree | None":
        """Return what is masked at a child: by its own number, and by `[*]` for all."""
        one, every = self.below.get(f"{tag}[{number}]"), self.below.get(f"{tag}[*]")
        return one.merged(every) if one and every else one or every

    def merged(self, other: "MaskTree") -> "MaskTree":
        """Return what both say."""
        below = {**self.below, **other.below}
        for step in self.below.keys() & other.below.keys():
            below[step] = self.below[step].merged(other.below[step])
        return MaskTree([*self.parts, *other.parts], below)

    def to_json(self) -> dict[str, object]:
        """Return the form that the agent in the page walks along; the parts are under ""."""
        document: dict[str, object] = {step: tree.to_json() for step, tree in self.below.items()}
        if self.parts:
            document[""] = self.parts
        return document


def _loosened(path: str) -> list[str]:
    """Return the path with one of its numbers open, for each number, the innermost first."""
    found = [match.span() for match in _INDEX.finditer(path)]
    return [f"{path[:start]}[*]{path[end:]}" for start, end in reversed(found)]


def _apply(element: Element, masks: MaskTree | None) -> Element:
    if masks is None or KEPT in element.attributes:
        return element
    attributes = {
        name: value for name, value in element.attributes.items() if name not in masks.parts
    }
    numbers: dict[str, int] = {}
    children: list[Element | str] = []
    for child in element.children:
        if isinstance(child, Element):
            number = numbers[child.tag] = numbers.get(child.tag, 0) + 1
            children.append(_apply(child, masks.at(child.tag, number)))
        elif TEXT not in masks.parts:
            children.append(child)
    return Element(element.tag, attributes, children)


def volatile(one: Element, other: Element, reason: str) -> list[Mask]:
    """Return masks for what differs between two loads of one state.

    Where the structure differs nothing is masked. Nor is a list in another order: the same
    texts in other places are content.
    """
    found = []
    for path, first, second in _pairs(one, other):
        if first.own_text != second.own_text and _is_leaf(first):
            found.append((Mask(path, TEXT, reason), first.own_text, second.own_text))
        for name in sorted({*first.attributes, *second.attributes}):
            values = first.attributes.get(name, ""), second.attributes.get(name, "")
            is_unseen = name in _IDS or name.startswith(_UNSEEN)
            if values[0] != values[1] and (is_unseen or _is_leaf(first)):
                found.append((Mask(path, name, reason), *values))
    return _without_shuffled(found)


def counted(one: Element, other: Element, reason: str) -> list[Mask]:
    """Return masks for references that differ between two ways to one state.

    A program that numbers what it makes (`dialog-1`, `dialog-2`) counts what was done before. Where
    anything else differs, these are two states, and nothing is masked.
    """
    found = []
    for path, first, second in _pairs(one, other):
        for name in _REFERENCES:
            values = first.attributes.get(name, ""), second.attributes.get(name, "")
            if values[0] != values[1] and len({_NUMBER.sub("#", value) for value in values}) == 1:
                found.append(Mask(path, name, reason))
    rest = [write(Masks(tuple(found)).apply(tree)) for tree in (one, other)]
    return found if rest[0] == rest[1] else []


def _without_shuffled(found: list[tuple[Mask, str, str]]) -> list[Mask]:
    """Drop the differences that only put the same values into another order."""
    groups: dict[tuple[str, str], list[tuple[Mask, str, str]]] = {}
    for difference in found:
        mask = difference[0]
        groups.setdefault((_INDEX.sub("", mask.path), mask.part), []).append(difference)
    masks: list[Mask] = []
    for group in groups.values():
        is_shuffled = sorted(was for _, was, _ in group) == sorted(now for _, _, now in group)
        if not is_shuffled:
            masks.extend(mask for mask, _, _ in group)
    return masks


def _pairs(one: Element, other: Element) -> Iterable[tuple[str, Element, Element]]:
    """Yield the places of two trees that stand for each other.

    Below a place where the children are not alike, none do; what is kept is passed over.
    """
    partners = {id(one): other}
    for path, element in places(one):
        partner = partners.get(id(element))
        if partner is None:
            continue
        if KEPT in element.attributes:
            continue
        yield path, element, partner
        ours, theirs = list(element.elements), list(partner.elements)
        if [child.tag for child in ours] == [child.tag for child in theirs]:
            partners.update(zip(map(id, ours), theirs, strict=True))


def _is_leaf(element: Element) -> bool:
    return next(element.elements, None) is None or bool(element.own_text)


def leaves(root: Element) -> dict[tuple[str, str], str]:
    """Return every text and attribute of a tree by its place."""
    found = {}
    for path, element in places(root):
        if text := element.own_text:
            found[path, TEXT] = text
        for name, value in element.attributes.items():
            found[path, name] = value
    return found
