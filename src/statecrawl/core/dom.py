"""The canonical DOM: HTML in one fixed way of writing, and the tree behind it.

The agent in the page writes it: every element is closed except the void ones, attributes are
sorted and in double quotes, white space is collapsed. What is not HTML is written as HTML
writes it: an open shadow root as `<template shadowrootmode="open">`, the document of a frame
inside the frame. Three attributes are ours: HIDDEN marks an element that can't be seen, KEPT
one that is never masked, IGNORED one whose content does not count and was left out.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from typing import NamedTuple

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


@dataclass(slots=True)
class Element:
    """An element of a canonical DOM; its children are elements and texts."""

    tag: str
    attributes: Mapping[str, str]
    children: list["Element | str"]

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


@lru_cache(maxsize=4)
def parse(dom: str) -> Element:
    """Return the root of a canonical DOM. What is not canonical is read as well as it goes.

    Several look at a new page one after the other: the last trees are kept, and never changed.
    """
    top = Element("#document", {}, [])
    ancestors = [top]
    for match in TOKEN.finditer(dom):
        closing, tag, attributes, text = match.groups()
        if text is not None:
            ancestors[-1].children.append(unescape(text))
        elif closing:
            if len(ancestors) > 1:
                ancestors.pop()
        else:
            pairs = ATTRIBUTE.findall(attributes) if attributes else ()
            element = Element(tag, {name: unescape(value) for name, value in pairs}, [])
            ancestors[-1].children.append(element)
            if tag not in VOID:
                ancestors.append(element)
    return next(top.elements, top)


def escaped(text: str, *, quote: bool = True) -> str:
    """Return a text as HTML writes it; most are written as they are."""
    return escape(text, quote) if SPECIAL.search(text) else text


def write(root: Element, left_out: tuple[str, ...] = ()) -> str:
    """Return the canonical DOM of a tree, without some attributes."""
    pieces: list[str] = []
    _write(root, left_out, pieces)
    return "".join(pieces)


def _write(element: Element, left_out: tuple[str, ...], pieces: list[str]) -> None:
    pieces.append(f"<{element.tag}")
    for name, value in sorted(element.attributes.items()):
        if name not in left_out:
            pieces.append(f' {name}="{escaped(value)}"')
    pieces.append(">")
    for child in element.children:
        if isinstance(child, str):
            pieces.append(escaped(child, quote=False))
        else:
            _write(child, left_out, pieces)
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


def skeleton(root: Element) -> str:
    """Return the tree of tags, whatever they say."""
    below = [skeleton(child) for child in root.children if isinstance(child, Element)]
    return f"({root.tag}{''.join(below)})"


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
