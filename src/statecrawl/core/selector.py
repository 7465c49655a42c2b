"""A CSS selector for a place of a canonical DOM, such as people write them."""

import re
from collections.abc import Iterator

from statecrawl.core.dom import Element, places

_NAME = re.compile(r"-?[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
_STEP = re.compile(r"(.+?)(?:\[(\d+|\*)\])?")
_BOUNDARIES = ("template", "iframe", "frame", "object")
"""A selector can't reach into another document or a shadow root."""


def selector(root: Element, path: str) -> str:
    """Return a selector of the place with this path; `[*]` in it stands for every number.

    It selects that place in the page and nothing else: by an id that only it has, by a class,
    or by the way to it. "" when there is none.
    """
    wanted = elements_at(root, path)
    if not wanted or any(tag in _BOUNDARIES for tag in _tags(path)[:-1]):
        return ""
    everything = [element for _, element in places(root)]
    for candidate, having in _by_name(wanted[0]):
        if [id(e) for e in everything if having in _names(e)] == [id(e) for e in wanted]:
            return candidate
    return _by_way(root, path, everything)


def elements_at(root: Element, path: str) -> list[Element]:
    """Return the elements with this path; `[*]` in it stands for every number."""
    pattern = re.compile(re.escape(path).replace(re.escape("[*]"), r"\[\d+\]"))
    return [element for found, element in places(root) if pattern.fullmatch(found)]


def _tags(path: str) -> list[str]:
    return [step.partition("[")[0] for step in path.split("/")]


Name = tuple[str, str, str]


def _names(element: Element) -> set[Name]:
    """Return what can name an element: its id, its classes, and those with its tag."""
    found = {("", "#", element.attributes.get("id", ""))}
    for name in element.attributes.get("class", "").split():
        found |= {("", ".", name), (element.tag, ".", name)}
    return found


def _by_name(element: Element) -> Iterator[tuple[str, Name]]:
    """Yield selectors by one name, the best first."""
    for tag, kind, name in sorted(_names(element), key=lambda n: (n[1] != "#", n[0], n[2])):
        if _NAME.fullmatch(name) and (not tag or _NAME.fullmatch(tag)):
            yield f"{tag}{kind}{name}", (tag, kind, name)


def _by_way(root: Element, path: str, everything: list[Element]) -> str:
    """Return a selector by the tags on the way from the nearest id, or from the root."""
    steps: list[str] = []
    way = path.split("/")
    for length in range(len(way), 0, -1):
        here = elements_at(root, "/".join(way[:length]))[0]
        name = here.attributes.get("id", "")
        is_only = [e.attributes.get("id") for e in everything].count(name) == 1
        if length < len(way) and _NAME.fullmatch(name) and is_only:
            steps.append(f"#{name}")
            break
        match = _STEP.fullmatch(way[length - 1])
        tag, number = match.groups() if match else ("", None)
        if not _NAME.fullmatch(tag):
            return ""
        is_numbered = number not in {None, "*"} and tag not in {"html", "body"}
        steps.append(f"{tag}:nth-of-type({number})" if is_numbered else tag)
    return " > ".join(reversed(steps))
