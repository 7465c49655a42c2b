"""CSS selectors over the tree of a page, as far as people name parts of pages with them.

A selector is steps apart by blanks (anywhere inside) or `>` (right inside); a step is a tag, an
id, classes and attributes: `main .ad`, `#clock`, `ul > li.sponsored`, `[role=banner]`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.core.dom import Element
from statecrawl.errors import InputError

_PART = re.compile(
    r"(?P<tag>\*|[A-Za-z][\w-]*)|\#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)"
    r"|\[(?P<name>[\w-]+)(=\"?(?P<value>[^\]\"]*)\"?)?\]"
)
SEPARATOR = "|"
"""What stands between selectors, as a comma is taken in a text of settings."""


@dataclass(frozen=True)
class Step:
    """What one element has to have."""

    tag: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str | None], ...] = ()
    is_child: bool = False

    def fits(self, element: Element) -> bool:
        """Tell whether an element has all of it."""
        has = element.attributes
        return (
            self.tag in ("", "*", element.tag)
            and self.classes <= set(has.get("class", "").split())
            and all(name in has and value in (None, has[name]) for name, value in self.attributes)
        )


@dataclass(frozen=True)
class Selector:
    """Steps from the outside in."""

    steps: tuple[Step, ...]

    def matches(self, element: Element, around: Sequence[Element]) -> bool:
        """Tell whether an element is selected; around it are these, from the outside in."""
        return self.steps[-1].fits(element) and _leads(self.steps, around)


def _leads(steps: tuple[Step, ...], around: Sequence[Element]) -> bool:
    """Tell whether all steps but the last fit elements around, in order."""
    if len(steps) == 1:
        return True
    is_child, step = steps[-1].is_child, steps[-2]
    depths = range(len(around) - 1, (len(around) - 2) if is_child else -1, -1)
    return any(
        depth >= 0 and step.fits(around[depth]) and _leads(steps[:-1], around[:depth])
        for depth in depths
    )


def parse_selectors(text: str) -> list[Selector]:
    """Return the selectors in a text, apart by `|`; say so when one is not understood."""
    return [_selector(part.strip()) for part in text.split(SEPARATOR) if part.strip()]


def _selector(text: str) -> Selector:
    steps: list[Step] = []
    is_child = False
    for word in re.sub(r"\s*>\s*", " > ", text).split():
        if word == ">" and steps and not is_child:
            is_child = True
            continue
        steps.append(_step(word, text, is_child=is_child))
        is_child = False
    if is_child or not steps:
        raise InputError(f"the selector {text[:80]!r} is not whole")
    return Selector(tuple(steps))


def _step(word: str, text: str, *, is_child: bool) -> Step:
    tag = ""
    classes: list[str] = []
    attributes: list[tuple[str, str | None]] = []
    at = 0
    while at < len(word):
        match = _PART.match(word, at)
        if match is None or (match["tag"] and at):
            raise InputError(
                f"the selector {text[:80]!r} is not understood: "
                "give tags, #ids, .classes and [attributes=values]"
            )
        at = match.end()
        if match["tag"]:
            tag = match["tag"].lower()
        elif match["id"]:
            attributes.append(("id", match["id"]))
        elif match["class"]:
            classes.append(match["class"])
        else:
            attributes.append((match["name"], match["value"]))
    return Step(tag, frozenset(classes), tuple(attributes), is_child)
