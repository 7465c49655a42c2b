"""What is taken out of a page before it is compared; any of them together, in one walk."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from statecrawl.core.css import Selector, parse_selectors
from statecrawl.core.dom import HIDDEN, Element

_DATE = re.compile(
    r"\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}(T|\b)"
    r"|\b\d{1,2}:\d{2}(:\d{2})?(\.\d+)?( ?[AaPp]\.?[Mm]\b\.?)?(Z|[+-]\d{2}:?\d{2}\b)?"
    r"|\b(\d{1,2}(st|nd|rd|th)?\.? )?(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
    r"( \d{1,2}(st|nd|rd|th)?\b)?(,? \d{4}\b)"
    r"|\b(\d+|an?) (second|minute|hour|day|week|month|year)s? ago\b"
)
_NUMBER = re.compile(r"[-+]?\d[\d.,]*%?")


class Stripper(NamedTuple):
    """What one of them takes out: elements, attributes, parts of texts."""

    drops: Callable[[Element], bool] = lambda _: False
    keeps_attribute: Callable[[str], bool] = lambda _: True
    text: Callable[[str], str] | None = None


_SCRIPTS = frozenset({"script", "noscript"})
_STYLES = frozenset({"style", "link"})
_HEAD = frozenset({"head", "title", "meta", "base"})

STRIPPERS: dict[str, Stripper] = {
    "scripts": Stripper(lambda e: e.tag in _SCRIPTS, lambda name: not name.startswith("on")),
    "styles": Stripper(lambda e: e.tag in _STYLES, lambda name: name != "style"),
    "head": Stripper(lambda e: e.tag in _HEAD),
    "hidden": Stripper(lambda e: HIDDEN in e.attributes or e.attributes.get("type") == "hidden"),
    "attributes": Stripper(keeps_attribute=lambda _: False),
    "dates": Stripper(text=lambda text: _DATE.sub(" ", text)),
    "numbers": Stripper(text=lambda text: _NUMBER.sub(" ", text)),
}


def stripped(root: Element, names: Collection[str], without: str = "") -> Element:
    """Return a page without what the strippers of these names and some selectors take out.

    Dates go before numbers, whatever the order of the names: they are made of them.
    """
    chosen = [STRIPPERS[name] for name in STRIPPERS if name in names]
    selectors = parse_selectors(without)
    return _strip(root, chosen, selectors, ()) if chosen or selectors else root


def _strip(
    element: Element,
    chosen: list[Stripper],
    selectors: list[Selector],
    around: tuple[Element, ...],
) -> Element:
    here = (*around, element) if selectors else around
    children: list[Element | str] = []
    for child in element.children:
        if isinstance(child, str):
            for stripper in chosen:
                if stripper.text is not None:
                    child = stripper.text(child)  # noqa: PLW2901 - one after the other
            children.append(child)
        elif not any(stripper.drops(child) for stripper in chosen) and not any(
            selector.matches(child, here) for selector in selectors
        ):
            children.append(_strip(child, chosen, selectors, here))
    return Element(element.tag, _attributes(element.attributes, chosen), children)


def _attributes(attributes: Mapping[str, str], chosen: list[Stripper]) -> Mapping[str, str]:
    return {
        name: value
        for name, value in attributes.items()
        if all(stripper.keeps_attribute(name) for stripper in chosen)
    }
