"""What is taken out of a page before it is compared; any of them together, in one walk."""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

from statecrawl.core.css import Selector, parse_selectors
from statecrawl.core.dom import HIDDEN, Element

_DATE = re.compile(
    r"\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}(T|\b)"
    r"|\b\d{1,2}:\d{2}(:\d{2})?(\.\d+)?( ?[AaPp]\.?[Mm]\b\.?)?(Z|[+-]\d{2}:?\d{2}\b)?"
    r"|\b(\d{1,2}(st|nd|rd|th)?\.? )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
    r"( \d{1,2}(st|nd|rd|th)?\b)?(,? \d{4}\b)"
    r"|\b(\d+|an?) (second|minute|hour|day|week|month|year)s? ago\b"
)
_NUMBER = re.compile(r"[-+]?\d[\d.,]*%?")


Test = Callable[[Element], bool]


class Stripper(NamedTuple):
    """What one of them takes out: elements by tag or otherwise, attributes, parts of texts."""

    tags: frozenset[str] = frozenset()
    drops: Test | None = None
    attribute: Callable[[str], bool] | None = None
    text: Callable[[str], str] | None = None


STRIPPERS: dict[str, Stripper] = {
    "scripts": Stripper(
        frozenset({"script", "noscript"}), attribute=lambda name: name.startswith("on")
    ),
    "styles": Stripper(frozenset({"style", "link"}), attribute=lambda name: name == "style"),
    "head": Stripper(frozenset({"head", "title", "meta", "base"})),
    "hidden": Stripper(
        drops=lambda e: HIDDEN in e.attributes or e.attributes.get("type") == "hidden"
    ),
    "attributes": Stripper(attribute=lambda _: True),
    "dates": Stripper(text=lambda text: _DATE.sub(" ", text)),
    "numbers": Stripper(text=lambda text: _NUMBER.sub(" ", text)),
}


def stripped(root: Element, names: Collection[str], without: str = "") -> Element:
    """Return a page without what the strippers of these names and some selectors take out.

    Dates go before numbers, whatever the order of the names: they are made of them.
    """
    walk = _walk(tuple(name for name in STRIPPERS if name in names), without)
    return walk.strip(root, ())


@lru_cache(maxsize=64)
def _walk(names: tuple[str, ...], without: str) -> "_Walk":
    return _Walk([STRIPPERS[name] for name in names], parse_selectors(without))


class _Walk:
    """Several strippers in one walk; what they leave as it is stays the same object."""

    def __init__(self, chosen: list[Stripper], selectors: list[Selector]) -> None:
        self._tags = frozenset(tag for each in chosen for tag in each.tags)
        self._drops = [each.drops for each in chosen if each.drops]
        self._texts = [each.text for each in chosen if each.text]
        self._selectors = selectors
        tests = [each.attribute for each in chosen if each.attribute]
        self._is_dropped = lru_cache(1024)(lambda name: any(test(name) for test in tests))

    def strip(self, element: Element, around: tuple[Element, ...]) -> Element:
        """Return an element without what is taken out; around it are these."""
        here = (*around, element) if self._selectors else around
        children: list[Element | str] = []
        is_same = True
        for child in element.children:
            left = self._text(child) if isinstance(child, str) else self._element(child, here)
            is_same = is_same and left is child
            if left is not None:
                children.append(left)
        attributes = element.attributes
        if any(map(self._is_dropped, attributes)):
            attributes = {n: value for n, value in attributes.items() if not self._is_dropped(n)}
            is_same = False
        return element if is_same else Element(element.tag, attributes, children)

    def _element(self, element: Element, around: tuple[Element, ...]) -> Element | None:
        if element.tag in self._tags:
            return None
        if self._drops and any(drops(element) for drops in self._drops):
            return None
        if self._selectors and any(each.matches(element, around) for each in self._selectors):
            return None
        return self.strip(element, around)

    def _text(self, text: str) -> str:
        for change in self._texts:
            text = change(text)
        return text
