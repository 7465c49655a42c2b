"""Exact: the same elements, attributes and texts, apart from what is masked."""

from statecrawl.core.dom import HIDDEN, KEPT, VOID, Element, escaped, once, opening


@once
def exact(root: Element) -> str:
    """Return the whole canonical DOM, but not our marks: what can be seen is not in the DOM."""
    pieces = [opening(root, HIDDEN, KEPT)]
    for child in root.children:
        piece = escaped(child, quote=False) if isinstance(child, str) else exact(child)
        pieces.append(piece)
    if root.tag not in VOID:
        pieces.append(f"</{root.tag}>")
    return "".join(pieces)
