"""Learns where to cut pages into regions, from what events changed and what they left as it was.

A part of a page is a region of its own when it sometimes changes while the rest of what it stands
in does not, or stays while the rest changes. Parts that look alike and stand side by side, such as
the items of a list, are regions of their own only if that makes it simpler to say what events do:
widgets are, the items of a list of which one is chosen are not.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from statecrawl.core.dom import HIDDEN, KEPT, Element
from statecrawl.core.regions import Cut, Names, content_of

MAX_REGIONS = 40
"""A page has at most so many regions: those that change most often."""
MAX_ALIKE = 30
"""More parts that look alike than this are a list."""
NOISE = 0.02
"""Two parts that change at the same times, but for such a share of them, change together."""

_DIGITS = re.compile(r"\d+")
_MASK = 2**64 - 1


class Passing(NamedTuple):
    """An event that led from a page to a page, both by their numbers."""

    event: str
    source: int
    target: int


def learn_cut(pages: Sequence[Element], passings: Iterable[Passing]) -> Cut:
    """Return where to cut pages of one application, given some of them and what led where."""
    return _Learner([_Page(root) for root in pages], list(passings)).cut()


class _Page:
    """A page, element by element, with hashes of what each is: its tag, its texts, all of it."""

    def __init__(self, root: Element) -> None:
        self.elements: dict[str, Element] = {}
        self.tags: dict[str, int] = {}
        self.texts: dict[str, int] = {}
        self.whole: dict[str, int] = {}
        self.below: dict[str, list[str]] = {}
        self._names = Names()
        self._take_in(root, root.tag)

    def _take_in(self, element: Element, name: str) -> int:
        self.elements[name] = element
        below = self.below[name] = []
        texts = []
        inside = 0
        for child_name, child in self._names.children(element, name):
            if isinstance(child, str):
                texts.append(child)
            else:
                below.append(child_name)
                inside += self._take_in(child, child_name)
        attributes = [each for each in element.attributes.items() if each[0] not in (HIDDEN, KEPT)]
        self.tags[name] = hash((name, *attributes))
        self.texts[name] = hash((name, *texts))
        self.whole[name] = whole = hash((self.tags[name], self.texts[name])) + inside & _MASK
        return whole


class _Look(NamedTuple):
    """What a part looks like: what it is, the classes it always has, what it may be made of.

    A class that a part has at times says how it is, not what it is.
    """

    part: str
    kind: str
    classes: set[str]
    made_of: set[str]

    def is_like(self, larger: "_Look") -> bool:
        """Tell whether this part, which is not made of more, may be another item of its list."""
        have_one_class = bool(self.classes & larger.classes)
        return (
            self.kind == larger.kind
            and self.made_of <= larger.made_of
            and (have_one_class or not self.classes or not larger.classes)
        )


class _Learner:
    """What parts of pages changed when; a set of times is a number with a bit for each passing."""

    def __init__(self, pages: list[_Page], passings: list[Passing]) -> None:
        self._pages = pages
        self._passings = passings
        self._root = max((next(iter(page.elements)) for page in pages), default="")
        self._changed: defaultdict[str, int] = defaultdict(int)
        self._tag_changed: defaultdict[str, int] = defaultdict(int)
        self._text_changed: defaultdict[str, int] = defaultdict(int)
        self._below: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._cut: dict[str, int] = {}
        self._pages_with: dict[str, int] = {}
        self._touched = [0] * len(pages)
        for number, (_, source, target) in enumerate(passings):
            self._touched[source] |= 1 << number
            self._touched[target] |= 1 << number
            if source != target:
                self._compare(pages[source], pages[target], 1 << number)

    def cut(self) -> Cut:
        """Return the parts that change on their own."""
        if self._root:
            self._divide(self._root, 0)
        often = sorted(self._cut, key=lambda name: (-self._cut[name].bit_count(), name))
        return tuple(sorted(often[:MAX_REGIONS]))

    def _compare(self, one: _Page, other: _Page, bit: int) -> None:
        """Note what differs between two pages."""
        waiting = [self._root]
        while waiting:
            name = waiting.pop()
            self._changed[name] |= bit
            if name not in one.whole or name not in other.whole:
                self._text_changed[name] |= bit
                continue
            if one.tags[name] != other.tags[name]:
                self._tag_changed[name] |= bit
            if one.texts[name] != other.texts[name]:
                self._text_changed[name] |= bit
            for child in dict.fromkeys((*one.below[name], *other.below[name])):
                if one.whole.get(child) != other.whole.get(child):
                    self._below[name][child] = None
                    waiting.append(child)

    def _divide(self, name: str, outside: int) -> int:
        """Find the regions in a part; return when what is left of it changes.

        `outside` is when anything else changes that is not cut off from this part.
        """
        parts, lists = self._parts(name)
        left = self._tag_changed[name]
        content = self._text_changed[name] | _union(self._changed[part] for part in lists)
        if lists and _is_more_than_noise(left & ~content, left | content):
            self._cut[content_of(name)] = content
        else:
            left |= content
        around = outside | left
        for part in parts:
            others = around | _union(
                self._changed[other]
                for other in parts
                if other != part and self._where(part) & self._where(other)
            )
            if self._is_apart(part, self._changed[part], others):
                inside = self._divide(part, 0)
                if inside:
                    self._cut[part] = inside
            else:
                left |= self._divide(part, others)
        return left

    def _is_apart(self, part: str, changed: int, others: int) -> bool:
        """Tell whether a part changes at other times than others, as long as it is there."""
        there = 0
        for number, touched in enumerate(self._touched):
            if self._where(part) >> number & 1:
                there |= touched
        others &= there
        return bool(others) and _is_more_than_noise(changed ^ others, changed | others)

    def _where(self, part: str) -> int:
        """Return which pages have a part: a bit for each."""
        if part not in self._pages_with:
            found = (1 << number for number, page in enumerate(self._pages) if part in page.whole)
            self._pages_with[part] = _union(found)
        return self._pages_with[part]

    def _parts(self, name: str) -> tuple[list[str], list[str]]:
        """Return the parts right in a part that ever change: on their own, or as a list does."""
        groups: list[list[_Look]] = []
        looks = (self._look(child) for child in self._below[name])
        for look in sorted(looks, key=lambda look: (-len(look.made_of), look.part)):
            group = next((each for each in groups if look.is_like(each[0])), None)
            if group is None:
                groups.append([look])
            else:
                group.append(look)
        parts: list[str] = []
        lists: list[str] = []
        for group in groups:
            alike = [look.part for look in group]
            is_list = len(alike) > 1 and not self._are_independent(alike)
            (lists if is_list else parts).extend(alike)
            if len(alike) > 1 and not is_list:
                self._cut_by_analogy(name, group[0])
        return parts, lists

    def _cut_by_analogy(self, name: str, model: "_Look") -> None:
        """Cut out what nobody has changed yet, but looks like others beside it that are apart."""
        beside = dict.fromkeys(part for page in self._pages for part in page.below.get(name, ()))
        still = [part for part in beside if part not in self._below[name]]
        if len(beside) <= MAX_ALIKE:
            self._cut |= {part: 0 for part in still if self._look(part).is_like(model)}

    def _look(self, part: str) -> "_Look":
        """Return what a part looks like on all pages that have it."""
        shown = [page.elements[part] for page in self._pages if part in page.elements]
        roles = {element.attributes.get("role", "") for element in shown}
        given = "" if "/" in part else _DIGITS.sub("", shown[0].attributes["id"])
        kind = " ".join((shown[0].tag, given, *sorted(roles)))
        classes = set.intersection(*(set(e.attributes.get("class", "").split()) for e in shown))
        return _Look(part, kind, classes, {child.tag for e in shown for child in e.elements})

    def _are_independent(self, parts: list[str]) -> bool:
        """Tell whether what events do is said more simply of each part than of all as one."""
        if len(parts) > MAX_ALIKE:
            return False
        shown = [[page.whole.get(part, 0) for page in self._pages] for part in parts]
        together = [sum(values) & _MASK for values in zip(*shown, strict=True)]
        apart = sum(1 + self._complexity(values) for values in shown)
        return apart < 1 + self._complexity(together)

    def _complexity(self, shown: list[int]) -> int:
        """Return how much there is to say of what events do to a part, given what pages show.

        An event keeps it, or sets it to something, which is one thing to say; so is each
        exception.
        """
        effects: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
        for event, source, target in self._passings:
            effects[event].add((shown[source], shown[target]))
        total = 0
        for pairs in effects.values():
            changes = sum(old != new for old, new in pairs)
            if changes > 1:
                usual = max(Counter(new for _, new in pairs).values())
                changes = min(changes, 1 + len(pairs) - usual)
            total += changes
        return total


def _is_more_than_noise(some: int, of: int) -> bool:
    return some.bit_count() > NOISE * of.bit_count()


def _union(times: Iterable[int]) -> int:
    found = 0
    for each in times:
        found |= each
    return found
