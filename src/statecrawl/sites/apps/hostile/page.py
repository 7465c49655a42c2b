"""What a hostile page is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape


@dataclass(frozen=True)
class Page:
    """A page that does one thing, under `/NAME`.

    In the HTML `{{outside}}` is the origin that a crawl of this one must leave alone, `{{chance}}`
    a text that is never the same, `{{n}}` the number in the query, `{{next}}` the one after it and
    `{{asked}}` how many requests there were.
    The page has an element `out` and a function `say(text)` that writes into it.
    """

    name: str
    what: str
    html: str
    head: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def button(label: str, code: str) -> str:
    """Return a button that runs a script.

    Names there are the document's before the window's: `window.open` must say so.
    """
    return f'<button onclick="{escape(code)}">{escape(label)}</button>'


def link(label: str, href: str, attributes: str = "") -> str:
    """Return a link, with whatever else stands in its tag."""
    return f'<a href="{escape(href)}" {attributes}>{escape(label)}</a>'


def script(code: str) -> str:
    """Return a script that runs where it stands."""
    return f"<script>{code}</script>"
