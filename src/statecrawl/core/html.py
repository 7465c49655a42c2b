"""HTML as anybody writes it, read into the tree of a canonical DOM (`core.dom`)."""

import re
from html.parser import HTMLParser

from statecrawl.core.dom import VOID, Element

_SPACE = re.compile(r"\s+")

MAX_DEPTH = 400
"""What is nested more deeply is put side by side there, as browsers do it."""


def read_html(text: str) -> Element:
    """Return the root element of a document; what is broken is read as well as it goes.

    White space is collapsed, comments are left out. Where there is not one root, it is added.
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    top = reader.top
    elements = list(top.elements)
    is_whole = len(elements) == 1 and not top.own_text.strip()
    return elements[0] if is_whole else Element("html", {}, top.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.top = Element("#document", {}, [])
        self._open = [self.top]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: _SPACE.sub(" ", value or "") for name, value in attrs}
        element = Element(tag, attributes, [])
        self._open[-1].children.append(element)
        if tag not in VOID and len(self._open) < MAX_DEPTH:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self._open[-1].tag == tag and tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(_SPACE.sub(" ", data))
