"""The canonical DOM: HTML in one fixed way of writing, and the tree behind it.

The agent in the page writes it: every element is closed except the void ones, attributes are
sorted and in double quotes, white space is collapsed. What is not HTML is written as HTML
writes it: an open shadow root as `<template shadowrootmode="open">`, the document of a frame
inside the frame. Three attributes are ours: HIDDEN marks an element that can't be seen, KEPT
one that is never masked, IGNORED one whose content does not count and was left out.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape, unescape
from typing import Any, NamedTuple, TypeVar

HIDDEN = "statecrawl-hidden"
KEPT = "statecrawl-kept"
IGNORED = "statecrawl-ignored"

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
BLOCK = frozenset(
    "address article aside blockquote body button dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html iframe legend li main nav ol option p "
    "pre section select summary table tbody td textarea tfoot th thead title tr ul".split()
)
TOKEN = re.compile(r'<(/?)([^\s<>"=/]+)((?:\s[^\s<>"=]+="[^"]*")*)>|([^<]+)')
ATTRIBUTE = re.compile(r'\s([^\s<>"=]+)="([^"]*)"')
SPECIAL = re.compile(r'[&<>"\']')

MAX_SHARED = 2**16
"""Parts of more characters are not shared by pages: each would keep its whole source."""
AHEAD = 3
"""So many parts of the page before are tried where one should come again; others may be gone."""

Worth = TypeVar("Worth")


@dataclass(slots=True)
class Element:
    """An element of a canonical DOM; its children are elements and texts.

    One that pages share has the `source` that it was read from, and never changes: what was worked
    out of it is kept with it.
    """

    tag: str
    attributes: Mapping[str, str]
    children: list["Element | str"]
    source: str = field(default="", compare=False, repr=False)
    known: dict[Any, Any] | None = field(default=None, compare=False, repr=False)

    @property
    def elements(self) -> Iterator["Element"]:
        """The children that are elements."""
        return (child for child in self.children if isinstance(child, Element))

    @property
    def own_text(self) -> str:
        """The text that stands right in this element."""
        return " ".join([child for child in self.children if isinstance(child, str)])


class Place(NamedTuple):
    """An element and the way to it from the root, such as `html/body/div[2]`."""

    path: str
    element: Element


def once(work: Callable[[Element], Worth]) -> Callable[[Element], Worth]:
    """Let something be worked out once for a part that several pages share."""

    def known(element: Element) -> Worth:
        if not element.source:
            return work(element)
        if element.known is None:
            element.known = {}
        elif work in element.known:
            return element.known[work]  # type: ignore[no-any-return]
        found = element.known[work] = work(element)
        return found

    return known


class _Open:
    """An element that is being read, and which parts of the page before may come again in it."""

    __slots__ = ("_is_used", "_next", "_parts", "children", "element", "start")

    def __init__(self, element: Element, start: int, before: Element | None) -> None:
        self.element = element
        self.children = element.children
        self.start = start
        self._parts = [] if before is None else list(before.elements)
        self._next = 0
        self._is_used = False

    def again(self, dom: str, start: int) -> Element | None:
        """Return the part of the page before that comes again here, if one does."""
        for number in range(self._next, min(self._next + AHEAD, len(self._parts))):
            part = self._parts[number]
            if part.source and dom.startswith(part.source, start):
                self._next = number + 1
                self._is_used = True
                return part
        return None

    def begin(self, element: Element, start: int) -> "_Open":
        """Read an element in this one that is not as before."""
        before = self._parts[self._next] if self._next < len(self._parts) else None
        return _Open(element, start, before)

    def end(self, inner: "_Open") -> None:
        """Go on behind an element; what it took parts from does not come again itself."""
        if inner._is_used:
            self._next += 1
            self._is_used = True


class PageReader:
    """Reads canonical DOMs. The pages of an application are much alike: what comes again is shared.

    No element is twice in one tree.
    """

    def __init__(self) -> None:
        self._last: Element | None = None

    def read(self, dom: str) -> Element:
        """Return the root of a canonical DOM. What is not canonical is read as well as it goes."""
        top = Element("#document", {}, [])
        here = _Open(top, 0, None if self._last is None else Element("", {}, [self._last]))
        around: list[_Open] = []
        at = 0
        while match := TOKEN.search(dom, at):
            closing, tag, attributes, text = match.groups()
            at = match.end()
            if text is not None:
                here.children.append(unescape(text))
            elif closing:
                if around:
                    closed, here = here, around.pop()
                    here.end(closed)
                    if at - closed.start <= MAX_SHARED:
                        closed.element.source = dom[closed.start : at]
            elif part := here.again(dom, match.start()):
                here.children.append(part)
                at = match.start() + len(part.source)
            else:
                pairs = ATTRIBUTE.findall(attributes) if attributes else ()
                element = Element(tag, {name: unescape(value) for name, value in pairs}, [])
                here.children.append(element)
                if tag in VOID:
                    element.source = match[0]
                else:
                    around.append(here)
                    here = here.begin(element, match.start())
        self._last = next(top.elements, top)
        return self._last


@lru_cache(maxsize=1)
def _reader() -> PageReader:
    return PageReader()


@lru_cache(maxsize=4)
def parse(dom: str) -> Element:
    """Return the root of a canonical DOM. What is not canonical is read as well as it goes.

    Several look at a new page one after the other: the last trees are kept, and never changed.
    """
    return _reader().read(dom)


def escaped(text: str, *, quote: bool = True) -> str:
    """Return a text as HTML writes it; most are written as they are."""
    return escape(text, quote) if SPECIAL.search(text) else text


def opening(element: Element, *left_out: str) -> str:
    """Return an element's own tag as it is written, without some attributes."""
    if not element.attributes:
        return f"<{element.tag}>"
    attributes = [
        f' {name}="{escaped(value)}"'
        for name, value in sorted(element.attributes.items())
        if name not in left_out
    ]
    return f"<{element.tag}{''.join(attributes)}>"


def write(root: Element) -> str:
    """Return the canonical DOM of a tree."""
    pieces: list[str] = []
    _write(root, pieces)
    return "".join(pieces)


def _write(element: Element, pieces: list[str]) -> None:
    pieces.append(opening(element))
    for child in element.children:
        if isinstance(child, str):
            pieces.append(escaped(child, quote=False))
        else:
            _write(child, pieces)
    if element.tag not in VOID:
        pieces.append(f"</{element.tag}>")


def places(root: Element) -> Iterator[Place]:
    """Yield every element with its path: tags, each numbered among its like where not alone."""
    waiting = [Place(root.tag, root)]
    while waiting:
        here = waiting.pop()
        yield here
        path, element = here
        numbers: dict[str, int] = {}
        below = []
        for child in element.children:
            if isinstance(child, Element):
                tag = child.tag
                number = numbers[tag] = numbers.get(tag, 0) + 1
                below.append(Place(f"{path}/{tag}[{number}]", child))
        below.reverse()
        waiting += below


@once
def skeleton(root: Element) -> str:
    """Return the tree of tags, whatever they say."""
    pieces = ["(", root.tag]
    for child in root.children:
        if isinstance(child, Element):
            pieces.append(skeleton(child))  # noqa: PERF401 - a frame less for each level
    pieces.append(")")
    return "".join(pieces)


def visible_text(root: Element) -> str:
    """Return what can be read on the page, a line for each block."""
    reader = _Reader()
    reader.read(root)
    reader.end_line()
    return "\n".join(reader.lines)


class _Reader:
    """Gathers the lines of a page."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []

    def read(self, element: Element) -> None:
        """Read an element, with all that is in it."""
        if HIDDEN in element.attributes:
            return
        is_block = element.tag in BLOCK
        if is_block or element.tag == "br":
            self.end_line()
        if element.tag == "input" and element.attributes.get("type") != "hidden":
            self._line.append(f" {element.attributes.get('value', '')} ")
        for child in element.children:
            if isinstance(child, str):
                self._line.append(f" {child}" if self._line else child)
            else:
                self.read(child)
        if is_block:
            self.end_line()

    def end_line(self) -> None:
        """Take in what was read since the last line, if there is anything to read in it."""
        if self._line:
            lines = "".join(self._line).split("\n")
            self.lines += [text for line in lines if (text := line.strip())]
            self._line.clear()
