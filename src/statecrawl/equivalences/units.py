"""What a page can be cut into, by name: pieces of its text, of its structure, of what it offers.

Each is a function from a page, with what is stripped taken out, to texts in the page's order.
"""

from collections.abc import Callable, Iterator
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from statecrawl.core.dom import BLOCK, HIDDEN, VOID, Element
from statecrawl.core.resemblance import Page

WINDOW = 5
"""So many words on either side of a link are its window."""
_PICTURE = 16
"""A picture is looked at as so many cells across and down."""
_PRESSED = frozenset({"submit", "button", "reset", "image"})
_FILLED = frozenset({"input", "select", "textarea"})
_LINKING = frozenset({"a", "area", "form", "iframe", "frame"})

Unit = Callable[[Page], list[str]]


def visible(root: Element) -> str:
    """Return what can be read on a page, a line for each block; what fields hold is left out."""
    parts: list[str] = []
    waiting: list[Element | str] = [root]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            parts.append(here)
        elif HIDDEN not in here.attributes:
            if here.tag in BLOCK:
                parts.append("\n")
                waiting.append("\n")
            waiting += reversed(here.children)
    return " ".join(parts)


def markup(root: Element) -> str:
    """Return the HTML of a page, attributes in the order in which they stand there."""
    parts: list[str] = []
    waiting: list[Element | str] = [root]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            parts.append(here)
            continue
        said = "".join(f' {name}="{value}"' for name, value in here.attributes.items())
        parts.append(f"<{here.tag}{said}>")
        if here.tag not in VOID:
            waiting.append(f"</{here.tag}>")
            waiting += reversed(here.children)
    return "".join(parts)


def body(root: Element) -> str:
    """Return the HTML of a page's body, or of the whole page where there is none."""
    return markup(next((element for element in root.elements if element.tag == "body"), root))


def tags(page: Page) -> list[str]:
    """Return the tag of every element."""
    return [element.tag for _, element in _paths(page.root)]


def paths(page: Page) -> list[str]:
    """Return the tags on the way to every element."""
    return [path for path, _ in _paths(page.root)]


def places(page: Page) -> list[str]:
    """Return the tags on the way to every element, and its classes."""
    return [f"{path}#{element.attributes.get('class', '')}" for path, element in _paths(page.root)]


def _paths(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield every element with the tags on the way to it, each path ending with a slash."""
    waiting = [("/", root)]
    while waiting:
        above, element = waiting.pop()
        path = f"{above}{element.tag}/"
        yield path, element
        below = [(path, child) for child in element.children if isinstance(child, Element)]
        below.reverse()
        waiting += below


def controls(page: Page) -> list[str]:
    """Return what can be done: links by their place, buttons by what they say, fields by name."""
    found = []
    for path, element in _paths(page.root):
        has = element.attributes
        if element.tag == "button" or (element.tag == "input" and has.get("type") in _PRESSED):
            said = " ".join(visible(element).split()) or has.get("value", "")
            found.append(f"{path}#{said}\n")
        elif element.tag in _FILLED:
            found.append(f"{path}#{has.get('type', '')} {has.get('name', '')}\n")
        elif element.tag in _LINKING:
            found.append(f"{path}#{has.get('class', '')}\n")
    return found


def events(page: Page) -> list[str]:
    """Return the identity of every event."""
    return [f"{event.identity}\n" for event in page.events]


def links(page: Page) -> list[str]:
    """Return what the page is connected with: where its links and forms lead."""
    found = [event.url for event in page.events if event.url]
    for _, element in _paths(page.root):
        if element.tag in _LINKING:
            leads = (element.attributes.get(name) for name in ("href", "action", "src"))
            found += [url for url in leads if url]
    return [f"{url}\n" for url in found]


def anchors(page: Page) -> list[str]:
    """Return the words that links say."""
    said, inside = _words_and_links(page.root)
    return [word for word, is_link in zip(said, inside, strict=True) if is_link]


def windows(page: Page) -> list[str]:
    """Return the words that links say, and those around them."""
    said, inside = _words_and_links(page.root)
    near = bytearray(len(said))
    for number, is_link in enumerate(inside):
        if is_link:
            start, end = max(0, number - WINDOW), min(len(said), number + WINDOW + 1)
            near[start:end] = b"\1" * (end - start)
    return [word for word, is_near in zip(said, near, strict=True) if is_near]


def _words_and_links(root: Element) -> tuple[list[str], list[bool]]:
    """Return the words of a page, and for each whether it is part of a link."""
    said: list[str] = []
    inside: list[bool] = []
    waiting: list[tuple[Element | str, bool]] = [(root, False)]
    while waiting:
        here, is_link = waiting.pop()
        if isinstance(here, str):
            found = here.split()
            said += found
            inside += [is_link] * len(found)
        elif HIDDEN not in here.attributes:
            is_link = is_link or here.tag == "a"
            waiting += [(child, is_link) for child in reversed(here.children)]
    return said, inside


def metadata(page: Page) -> list[str]:
    """Return what the document says about itself: title, language, encoding, descriptions."""
    found = [f"title={page.title}\n"] if page.title else []
    for _, element in _paths(page.root):
        if element.tag == "title":
            found.append(f"title={element.own_text}\n")
        elif element.tag == "html" and "lang" in element.attributes:
            found.append(f"lang={element.attributes['lang']}\n")
        elif element.tag == "meta":
            found.append(" ".join(f"{k}={v}" for k, v in sorted(element.attributes.items())) + "\n")
    return list(dict.fromkeys(found))


def picture(page: Page) -> list[str]:
    """Return where the picture of a page becomes brighter to the right, and where darker.

    That is a perceptual hash: it hardly changes when few of the pixels do.
    """
    try:
        with Image.open(BytesIO(page.picture)) as image:
            small = image.convert("L").resize((_PICTURE + 1, _PICTURE), Image.Resampling.BILINEAR)
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return []
    cells = small.tobytes()
    found = []
    for number in range(_PICTURE * _PICTURE):
        at = number + number // _PICTURE
        if abs(cells[at + 1] - cells[at]) > 2:  # less is noise
            found.append(f"{number}{'+' if cells[at + 1] > cells[at] else '-'}\n")
    return found


UNITS: dict[str, Unit] = {
    "tags": tags,
    "paths": paths,
    "places": places,
    "controls": controls,
    "events": events,
    "links": links,
    "anchors": anchors,
    "windows": windows,
    "metadata": metadata,
    "picture": picture,
}
"""Besides words, characters and sentences, which are cut from the text."""
