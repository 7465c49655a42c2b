"""Canonical trees for tests: random ones, and small changes to them."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from statecrawl.core.dom import KEPT, Element, parse, places
from statecrawl.core.masks import TEXT, Mask

TAGS = ("div", "p", "ul", "li", "span", "main", "nav", "a")
NAMES = ("class", "href", "id", "title")
WORDS = st.sampled_from(["a", "b", "1", "<b>", 'x="y"', "a/b", "&amp;", "'", "ü ", "\U0001f600"])


@st.composite
def trees(
    draw: st.DrawFn, tags: Sequence[str] = TAGS, names: Sequence[str] = NAMES, depth: int = 3
) -> Element:
    """Small canonical trees: no empty texts, no two texts side by side, attributes sorted."""
    return _element(draw, "html", tags, names, depth)


def _element(
    draw: st.DrawFn, tag: str, tags: Sequence[str], names: Sequence[str], depth: int
) -> Element:
    attributes = draw(st.dictionaries(st.sampled_from(names), WORDS, max_size=2)) if names else {}
    children: list[Element | str] = []
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        if draw(st.booleans()) and not (children and isinstance(children[-1], str)):
            children.append(draw(WORDS))
        else:
            below = draw(st.sampled_from(tags))
            children.append(_element(draw, below, tags, names, depth - 1))
    return Element(tag, dict(sorted(attributes.items())), children)


def changed(root: Element, change: Callable[[str, Element], Element]) -> Element:
    """A copy of a tree; the function is given each element's copy, the root first."""
    paths = {id(element): path for path, element in places(root)}

    def copy(element: Element) -> Element:
        again = Element(element.tag, dict(element.attributes), list(element.children))
        again = change(paths[id(element)], again)
        again.children = [c if isinstance(c, str) else copy(c) for c in again.children]
        return again

    return copy(root)


def other_words(root: Element, suffix: str) -> Element:
    """The same tree with another text in every place, and another id where there is one."""

    def change(path: str, element: Element) -> Element:
        attributes = dict(element.attributes)
        if "id" in attributes:
            attributes["id"] = f"{path}{suffix}"
        texts = [f"{path}{suffix}" if isinstance(c, str) else c for c in element.children]
        return Element(element.tag, attributes, texts)

    return changed(root, change)


def marked(root: Element, mark: str, which: Callable[[str], bool]) -> Element:
    """The same tree with one of our marks on some elements."""
    return changed(
        root,
        lambda path, element: (
            Element(element.tag, {**element.attributes, mark: ""}, element.children)
            if which(path)
            else element
        ),
    )


def masks_of(root: Element) -> list[Mask]:
    """A mask for every text and attribute of a tree, but for our marks."""
    return [
        Mask(path, part)
        for path, element in places(root)
        for part in (TEXT, *element.attributes)
        if part != KEPT
    ]


def page(body: str) -> Element:
    """A page around some HTML."""
    return parse(f"<html><body>{body}</body></html>")


def tags(root: Element) -> list[str]:
    """The structure of a tree: the paths of its elements in order."""
    return [path for path, _ in places(root)]
