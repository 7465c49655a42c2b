"""Everything that can be measured by one name: what crawls can use, and what to compare it with."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.dom import Element, write
from statecrawl.core.identity import Equivalence
from statecrawl.core.resemblance import Page
from statecrawl.equivalences import EQUIVALENCES, RESEMBLANCES, near_equivalence
from statecrawl.equivalences.spec import split
from statecrawl.errors import InputError

EXACT = "exact"
MAX_LETTERS = 20_000
"""Of longer pages Levenshtein compares the beginnings: it takes time by the square of them."""


class Measure(Protocol):
    """A distance between pages, over what is taken from each of them."""

    @property
    def name(self) -> str:
        """How users name it, without a threshold."""
        ...

    @property
    def farthest(self) -> float:
        """The greatest distance that there is."""
        ...

    def features(self, page: Page) -> Any:
        """Return what is kept of a page."""
        ...

    def distances(self, one: Any, others: list[Any]) -> NDArray[np.float64]:
        """Return how far one page is from each of the others."""
        ...


@dataclass(frozen=True)
class Equality:
    """Pages are the same or they are not: the flat plane in the figures of the thesis."""

    name: str
    key: Equivalence
    farthest: ClassVar[float] = 1.0

    def features(self, page: Page) -> str:
        """Return the page's key."""
        return self.key(page.root)

    def distances(self, one: str, others: list[str]) -> NDArray[np.float64]:
        """Return 0 for the same, 1 for others."""
        return np.array([one != other for other in others], dtype=np.float64)


def stripped(root: Element) -> str:
    """Return tags and texts without any attribute, as Crawljax compared pages before the thesis."""
    return write(Element("html", {}, [_bare(root)]))


def _bare(element: Element) -> Element:
    below = [child if isinstance(child, str) else _bare(child) for child in element.children]
    return Element(element.tag, {}, below)


@dataclass(frozen=True)
class Levenshtein:
    """How many letters of the page have to change, as a share of the longer page."""

    name: ClassVar[str] = "levenshtein"
    farthest: ClassVar[float] = 1.0

    def features(self, page: Page) -> str:
        """Return the page without attributes."""
        return stripped(page.root)[:MAX_LETTERS]

    def distances(self, one: str, others: list[str]) -> NDArray[np.float64]:
        """Return the edit distance to each of the others, by the length of the longer."""
        try:
            from rapidfuzz.distance.Levenshtein import normalized_distance  # noqa: PLC0415
        except ImportError:
            raise InputError("levenshtein needs rapidfuzz: pip install 'statecrawl[lab]'") from None
        return np.array([normalized_distance(one, other) for other in others], dtype=np.float64)


BASELINES: dict[str, Callable[[], Measure]] = {
    **{name: partial(Equality, name, key) for name, key in EQUIVALENCES.items()},
    "stripped": lambda: Equality("stripped", stripped),
    "levenshtein": Levenshtein,
}


def measure_of(spec: str, pages: Iterable[Page] = ()) -> Measure:
    """Return what a name stands for, or say what there is; weights are learned from the pages."""
    name, _ = split(spec)
    if spec in BASELINES:
        return BASELINES[spec]()
    if name not in RESEMBLANCES:
        raise InputError(
            f"unknown equivalence {name[:40]!r}: "
            f"give one of {', '.join([*RESEMBLANCES, *BASELINES])}"
        )
    found = near_equivalence(spec).resemblance
    return found.with_weights(found.learn(pages)) if found.needs_weights else found
