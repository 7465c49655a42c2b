"""Near-duplicates: the classes of a stored crawl, and two pages compared."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from statecrawl.config import NO_CLASSES, checked_equivalence
from statecrawl.core.classes import Classes, Edge, classes
from statecrawl.core.crawled import Crawled
from statecrawl.core.html import read_html
from statecrawl.core.merging import MergeTable, Told, merge_table
from statecrawl.core.ports import WEIGHTS, Store
from statecrawl.core.resemblance import (
    EventRule,
    Features,
    NearEquivalence,
    Page,
    Resemblance,
)
from statecrawl.equivalences import (
    DEFAULT_CLASSES,
    DEFAULT_EQUIVALENCE,
    EQUIVALENCES,
    near_equivalence,
)
from statecrawl.errors import InputError

MAX_PAGE_BYTES = 32 * 2**20


def features_of(
    store: Store, resemblance: Resemblance, states: Iterable[str] | None = None
) -> tuple[Resemblance, Mapping[str, Features]]:
    """Return the features of the states of a crawl, all unless some are given, in their order.

    Those that are not stored are taken from the stored pages. Where weights are needed and not
    stored, they are learned from all states; the resemblance that is returned has them.
    """
    known = store.features(resemblance.name)
    if resemblance.needs_weights:
        weights = known.get(WEIGHTS)
        if weights is None:
            weights = resemblance.learn(page for _, page in _pages(store))
        resemblance = resemblance.with_weights(weights)
    states = list(store.crawled().states if states is None else states)
    if any(state not in known for state in states):
        for state, page in _pages(store):
            if state not in known:
                known[state] = resemblance.features(page)
    return resemblance, {state: known[state] for state in states}


def _pages(store: Store) -> Iterator[tuple[str, Page]]:
    masks = store.masks
    for state, snapshot in store.doms():
        yield state, Page.of(snapshot, masks, store.screenshot(state) or b"")


def classes_of(
    store: Store, equivalence: NearEquivalence, states: Iterable[str] | None = None
) -> Classes:
    """Return the near-duplicate classes of the states of a crawl."""
    resemblance, features = features_of(store, equivalence.resemblance, states)
    return classes(replace(equivalence, resemblance=resemblance), features)


def stored_classes(store: Store, crawled: Crawled) -> Classes:
    """Return the classes that a crawl was told to make; none if it was told so."""
    spec = crawled.about.get("classes", DEFAULT_CLASSES)
    if spec == NO_CLASSES:
        return Classes()
    return classes_of(store, near_equivalence(spec), crawled.states)


def decided_classes(store: Store, crawled: Crawled) -> Classes:
    """Return the same as far as it was decided while the crawl ran: nothing is computed."""
    spec = crawled.about.get("classes", DEFAULT_CLASSES)
    decided = [] if spec == NO_CLASSES else store.decisions(near_equivalence(spec).name)
    return Classes({each.state: each for each in decided})


def merges_of(store: Store, told: Told | None = None) -> MergeTable:
    """Return what becomes of the states of a crawl as the threshold rises.

    Near-duplicates are what the crawl took for them: as states or, if pages have to be the same for
    that, as the classes over its states.
    """
    crawled = store.crawled()
    near = checked_equivalence(str(crawled.about.get("equivalence", DEFAULT_EQUIVALENCE)))
    if near is None:
        spec = str(crawled.about.get("classes", DEFAULT_CLASSES))
        near = near_equivalence(DEFAULT_CLASSES if spec == NO_CLASSES else spec)
        usual, near = near.threshold, near.at(0.0)
    else:
        usual = near.threshold
    resemblance, features = features_of(store, near.resemblance, crawled.states)
    near = replace(near, resemblance=resemblance)
    edges = [
        Edge(found.source, found.event, target)
        for found in crawled.transitions.values()
        for target in found.targets
    ]
    groups = {
        state.id: frozenset(event.identity for event in state.events)
        for state in crawled.states.values()
        if near.events is EventRule.SAME
    }
    steps = merge_table(near, features, edges, groups, told)
    return MergeTable(near, usual, tuple(crawled.states), steps)


class Resembling(NamedTuple):
    """How far apart two pages are, and whether that is the same state."""

    equivalence: str
    threshold: float
    distance: float
    same: bool


def compare_pages(one: Path, other: Path, equivalence: str) -> Resembling:
    """Compare two HTML files; a key is the same or not, and no distance lies between."""
    near = checked_equivalence(equivalence)
    if near is None:
        keys = [EQUIVALENCES[equivalence](read_page(file).root) for file in (one, other)]
        return Resembling(equivalence, 0.0, float(keys[0] != keys[1]), keys[0] == keys[1])
    features = [near.resemblance.features(read_page(file)) for file in (one, other)]
    distance = near.resemblance.distance(*features)
    return Resembling(near.name, near.threshold, distance, distance <= near.threshold)


def read_page(file: Path) -> Page:
    """Return the page in an HTML file, whatever its encoding."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_PAGE_BYTES + 1)
    except OSError as error:
        raise InputError(f"can't read {str(file)[:200]!r}: {error.strerror}") from None
    if len(raw) > MAX_PAGE_BYTES:
        raise InputError(f"{str(file)[:200]!r} has more than {MAX_PAGE_BYTES >> 20} MB")
    return Page(read_html(raw.decode("utf-8", "replace")))
