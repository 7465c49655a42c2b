"""Exact: the same elements, attributes and texts, apart from what is masked."""

from statecrawl.core.dom import HIDDEN, KEPT, Element, write


def exact(root: Element) -> str:
    """Return the whole canonical DOM."""
    return write(_without_marks(root))


def _without_marks(element: Element) -> Element:
    """Return the tree without our marks: whether something can be seen is not in the DOM."""
    return Element(
        element.tag,
        {name: value for name, value in element.attributes.items() if name not in (HIDDEN, KEPT)},
        [child if isinstance(child, str) else _without_marks(child) for child in element.children],
    )
