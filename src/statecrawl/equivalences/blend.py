"""Blend: what a page is made of, what can be done there and what it says, each with its share."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.resemblance import Features, Index, Near, Page, closest
from statecrawl.equivalences import pieces
from statecrawl.equivalences.hashing import as_set
from statecrawl.equivalences.jaccard import PrefixIndex, jaccards
from statecrawl.equivalences.spec import Range, SomeOf, written
from statecrawl.equivalences.strippers import STRIPPERS, stripped
from statecrawl.equivalences.units import controls, places, visible
from statecrawl.errors import InputError

Share = Annotated[float, Range(0, 1)]

_KIND_BITS = 2
_BORDERS = np.arange(1, 3, dtype=np.uint64) << np.uint64(64 - _KIND_BITS)
"""The first two bits of a hash say which part it belongs to: structure, controls, text."""


@dataclass(frozen=True)
class Blend:
    """Pages as three sets: places of elements, controls, words; the mean of their distances.

    Places are tags on the way to an element and its classes. How often something is there does
    not count: a list with three rows and one with thirty are made of the same.
    """

    structure: Share = 0.7
    controls: Share = 0.3
    text: Share = 0.0
    strip: Annotated[tuple[str, ...], SomeOf(tuple(STRIPPERS))] = ("scripts", "styles", "head")
    without: str = ""

    default_threshold: ClassVar[float] = 0.0
    farthest: ClassVar[float] = 1.0
    needs_weights: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not any(self.shares):
            raise InputError("blend: give structure, controls or text a share above 0")

    @property
    def shares(self) -> tuple[float, ...]:
        """How much each part counts."""
        given = (self.structure, self.controls, self.text)
        return tuple(share / (sum(given) or 1) for share in given)

    @property
    def name(self) -> str:
        """How users name it, with what they chose."""
        return written("blend", self)

    def learn(self, pages: Iterable[Page]) -> Features:  # noqa: ARG002 - there is nothing to
        """Learn nothing: there are no weights."""
        return np.zeros(0, dtype=np.uint64)

    def with_weights(self, weights: Features) -> "Blend":  # noqa: ARG002 - there are none
        """Return the same: there are no weights."""
        return self

    def features(self, page: Page) -> Features:
        """Return the hashes of all parts that count, each marked with its part, sorted."""
        page = page._replace(root=stripped(page.root, self.strip, self.without))
        found = []
        for kind, share in enumerate(self.shares):
            if share:
                hashes = as_set(_part(kind, page).shingles(1) >> np.uint64(_KIND_BITS))
                found.append(hashes | np.uint64(kind << (64 - _KIND_BITS)))
        return np.concatenate(found)

    def distance(self, one: Features, other: Features) -> float:
        """Return the mean of the parts' Jaccard distances, by their shares."""
        return float(self.distances(one, [other])[0])

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return the mean distance to each of the others."""
        total = np.zeros(len(others))
        parts = [split(other) for other in others]
        for kind, (share, own) in enumerate(zip(self.shares, split(one), strict=True)):
            if share:
                total += share * jaccards(own, [part[kind] for part in parts])
        return total

    def index(self, threshold: float) -> Index:
        """Return an empty index."""
        return BlendIndex(self, threshold)


def _part(kind: int, page: Page) -> pieces.Pieces:
    if kind == 2:
        return pieces.words(visible(page.root).casefold())
    return pieces.given(places(page) if kind == 0 else controls(page))


def split(features: Features) -> list[Features]:
    """Return the parts of features."""
    cuts = [0, *np.searchsorted(features, _BORDERS).tolist(), len(features)]
    return [features[start:end] for start, end in pairwise(cuts)]


class BlendIndex:
    """Finds the nearest within a threshold by the part that counts most.

    If the mean of the distances is at most t, that of a part with share s is at most t / s.
    """

    def __init__(self, blend: Blend, threshold: float) -> None:
        self._blend = blend
        self._threshold = threshold
        self._kind = int(np.argmax(blend.shares))
        self._index = PrefixIndex(min(1.0, threshold / blend.shares[self._kind]))
        self._known: list[Features] = []
        self._keys: list[int] = []
        self._alike: dict[bytes, int] = {}

    def add(self, key: int, features: Features) -> None:
        """Take in one more."""
        self._index.add(len(self._known), split(features)[self._kind])
        self._alike.setdefault(features.tobytes(), key)
        self._known.append(features)
        self._keys.append(key)

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold, of several the first that was added."""
        twin = self._alike.get(features.tobytes())
        if twin is not None:
            return Near(twin, 0.0)
        shortlist = self._index.shortlist(split(features)[self._kind])
        distances = self._blend.distances(features, [self._known[each] for each in shortlist])
        return closest(self._keys, shortlist, distances, self._threshold)
