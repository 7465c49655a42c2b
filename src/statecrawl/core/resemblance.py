"""What it takes to tell how much alike two pages are: features, a distance, an index."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from statecrawl.core.dom import Element, parse
from statecrawl.core.masks import Masks
from statecrawl.core.snapshot import Event, Snapshot

Features = NDArray[np.uint64]
"""What is kept of a page to compare it by; each resemblance knows what its numbers mean."""


class Page(NamedTuple):
    """What features are taken from: a page after masks, its events, a picture if there is one."""

    root: Element
    events: tuple[Event, ...] = ()
    url: str = ""
    title: str = ""
    picture: bytes = b""

    @classmethod
    def of(cls, snapshot: Snapshot, masks: Masks, picture: bytes = b"") -> "Page":
        """Return what a snapshot shows, without what is masked."""
        root = masks.apply(parse(snapshot.dom))
        return cls(root, snapshot.events, snapshot.url, snapshot.title, picture)


class Near(NamedTuple):
    """Something known that lies within a threshold, and how far away it is."""

    key: int
    distance: float


def closest(
    keys: Sequence[int],
    shortlist: Sequence[int],
    distances: NDArray[np.float64],
    threshold: float,
) -> Near | None:
    """Return the nearest of a shortlist within a threshold, of several the first.

    The shortlist are places among the keys, in order, each with its distance.
    """
    if not len(shortlist):
        return None
    best = int(np.argmin(distances))
    if distances[best] > threshold:
        return None
    return Near(keys[shortlist[best]], float(distances[best]))


class Index(Protocol):
    """Finds the nearest of what was added, as a look at all of them would."""

    def add(self, key: int, features: Features) -> None:
        """Take in one more; keys grow."""
        ...

    def nearest(self, features: Features) -> Near | None:
        """Return the nearest within the threshold, of several the one with the least key."""
        ...


class Resemblance(Protocol):
    """A way to tell how much alike two pages are."""

    @property
    def name(self) -> str:
        """How users name it, with what they chose: equal names, equal features."""
        ...

    @property
    def default_threshold(self) -> float:
        """Up to which distance pages are near-duplicates unless the user says otherwise."""
        ...

    @property
    def farthest(self) -> float:
        """The greatest distance that two pages can have."""
        ...

    @property
    def needs_weights(self) -> bool:
        """Tell whether weights have to be learned before anything is decided."""
        ...

    def learn(self, pages: Iterable[Page]) -> Features:
        """Return weights learned from some pages, as they are stored."""
        ...

    def with_weights(self, weights: Features) -> "Resemblance":
        """Return the same with weights that were learned before, and are frozen."""
        ...

    def features(self, page: Page) -> Features:
        """Return what is kept of a page."""
        ...

    def distance(self, one: Features, other: Features) -> float:
        """Return how far apart two pages are; 0 for a page and itself, the same both ways."""
        ...

    def distances(self, one: Features, others: list[Features]) -> NDArray[np.float64]:
        """Return how far one page is from each of the others."""
        ...

    def index(self, threshold: float) -> Index:
        """Return an empty index for lookups within a threshold."""
        ...


class EventRule(StrEnum):
    """What becomes of events when pages are near-duplicates and one state."""

    SAME = "same"  # pages with other events are other states
    IGNORE = "ignore"  # events do not count: those of the first page are the state's
    UNION = "union"  # a page with other events is kept beside, and only what it adds is explored


@dataclass(frozen=True)
class NearEquivalence:
    """A resemblance with a threshold: pages at most so far apart are near-duplicates."""

    resemblance: Resemblance
    threshold: float
    events: EventRule = EventRule.SAME

    def at(self, threshold: float) -> "NearEquivalence":
        """Return the same with another threshold."""
        return replace(self, threshold=threshold)

    @property
    def name(self) -> str:
        """How users name it: equal names, equal decisions."""
        name = self.resemblance.name
        joint = "," if ":" in name else ":"
        return f"{name}{joint}threshold={self.threshold:g},events={self.events}"

    def with_weights(self, weights: Features) -> "NearEquivalence":
        """Return the same with weights that were learned before."""
        return replace(self, resemblance=self.resemblance.with_weights(weights))

    def same(self, one: Features, other: Features) -> bool:
        """Tell whether two pages are near-duplicates."""
        return self.resemblance.distance(one, other) <= self.threshold
