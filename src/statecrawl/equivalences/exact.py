"""Exact: the same elements, attributes and texts, apart from what is masked."""

from statecrawl.core.dom import HIDDEN, KEPT, Element, write


def exact(root: Element) -> str:
    """Return the whole canonical DOM, but not our marks: what can be seen is not in the DOM."""
    return write(root, left_out=(HIDDEN, KEPT))
