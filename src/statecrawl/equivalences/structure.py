"""Structure: the same tags in the same tree, whatever they say."""

from statecrawl.core.dom import Element, skeleton


def structure(root: Element) -> str:
    """Return the tree of tags."""
    return skeleton(root)
