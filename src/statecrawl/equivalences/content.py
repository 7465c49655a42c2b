"""Content: the same text to read, however it is marked up."""

from statecrawl.core.dom import Element, visible_text


def content(root: Element) -> str:
    """Return the visible text, words apart by one blank."""
    return " ".join(visible_text(root).split())
