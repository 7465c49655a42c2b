"""Regions: the parts of a page that change on their own, each with what it shows.

Version 1: a region is a landmark or an element that a person gave an id to, without the
regions inside it; what is left is the region "page".
"""

from hashlib import blake2b
from html import escape

from statecrawl.core.dom import Element

VERSION = 1
REST = "page"

_LANDMARKS = frozenset("aside dialog footer form header main nav section table".split())


def regions(root: Element) -> dict[str, str]:
    """Return a hash of what each region of a page shows."""
    found: dict[str, list[str]] = {}
    _collect(root, REST, found)
    return {
        name: blake2b("".join(pieces).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        for name, pieces in found.items()
    }


def _collect(element: Element, region: str, found: dict[str, list[str]]) -> None:
    name = element.attributes.get("id", "")
    if name or element.tag in _LANDMARKS:
        region = _free(f"{element.tag}#{name}" if name else element.tag, found)
    pieces = found.setdefault(region, [])
    pieces.append(f"<{element.tag}")
    pieces.extend(f' {key}="{escape(value)}"' for key, value in element.attributes.items())
    pieces.append(">")
    for child in element.children:
        if isinstance(child, str):
            pieces.append(escape(child))
        else:
            _collect(child, region, found)
    pieces.append("</>")


def _free(name: str, found: dict[str, list[str]]) -> str:
    """Return the name, numbered when another region has it."""
    number, free = 1, name
    while free in found:
        number += 1
        free = f"{name} {number}"
    return free
