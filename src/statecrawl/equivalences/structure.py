"""Structure: the same tags in the same tree, whatever they say."""

from statecrawl.core.dom import Element


def structure(root: Element) -> str:
    """Return the tree of tags."""
    return f"({root.tag}{''.join(map(structure, root.elements))})"
