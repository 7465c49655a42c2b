"""Which functional page a state of a built-in site is: the sites labelled, one rule for each.

The definition is that of the study which the PetClinic set comes from: pages that show other data,
or more of the same rows, are near-duplicates; a page that shows a kind of element which the other
has not is distinct.
"""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from statecrawl.core.dom import Element, visible_text
from statecrawl.core.resemblance import Page


def bank(page: Page, text: str) -> object:
    """Forms and printed pages are pages of their own, texts are one inside and one outside."""
    signs = ("wrong password", "Your message", "Transfer", "Print the annual", "Print a statement")
    return len(page.events) == 0, len(page.events) < 20, *(sign in text for sign in signs)


def modern(page: Page, _: str) -> object:
    """By route; all products are one page; an answer below is something else than none."""
    path = urlsplit(page.url).path
    part = _with_id(page.root, "part")
    has_answer = part is not None and bool(visible_text(part))
    return "product" if path.startswith("/catalogue/") else path, has_answer


def sections(page: Page, text: str) -> object:
    """The list, wares, and each of the sections."""
    if len(page.events) > 10:
        return "list"
    return "ware" if "Ware" in text else text.split("\n")[1]


def videos(page: Page, _: str) -> object:
    """With or without further pages of comments."""
    return any("comments" in each.identity or "next" in each.identity for each in page.events)


def periodic(_: Page, text: str) -> object:
    """What is shown beside the table: an element, a compound, the legend."""
    return "Compound" in text, bool(re.search(r"Element \d", text)), "\nlegend" in text


def bibliography(_: Page, text: str) -> object:
    """The start, lists, abstracts, BibTeX."""
    return "publications, from" in text, "back to the list" in text, "@" in text


def clips(_: Page, text: str) -> object:
    """Lists, clips, notes, the dialog, the page outside."""
    heading = re.search(r"^(channel|tag|user|clip|note|dialog|outside)$", text, re.MULTILINE)
    return (
        "list" if heading and heading[1] in {"channel", "tag", "user"} else heading and heading[1]
    )


def files(page: Page, text: str) -> object:
    """What is open: welcome, icons or list, a selection, its preview."""
    labels = {event.label for event in page.events}
    preview = _with_id(page.root, "preview")
    view = _with_id(page.root, "view")
    shown = next(view.elements, None) if view else None
    return (
        "Welcome!" in text,
        shown.attributes.get("class", shown.tag) if shown else "",
        *(label in labels for label in ("up", "deselect", "open")),
        preview is not None and bool(visible_text(preview)),
    )


def has_class(element: Element, name: str) -> bool:
    """Tell whether an element, or one inside it, is of a class."""
    own = element.attributes.get("class", "").split()
    return name in own or any(has_class(each, name) for each in element.elements)


def _with_id(element: Element, name: str) -> Element | None:
    if element.attributes.get("id") == name:
        return element
    return next((found for each in element.elements if (found := _with_id(each, name))), None)


SITES: dict[str, Callable[[Page, str], object]] = {
    "bank": bank,
    "modern": modern,
    "sections:links=40,sections=6": sections,
    "videos:videos=12,comment_pages=4": videos,
    "clips:clips=20,tags=8,users=8": clips,
    "periodic:elements=40": periodic,
    "bibliography:publications=12,authors=4,years=3,topics=3,per_page=5": bibliography,
}
ASIDE = {"files:folders=12,top=4,per_folder=6": files}
"""Kept aside: nothing was chosen on it."""
