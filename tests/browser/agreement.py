"""Compares the regions that a crawl learned with those of the true model."""

from collections.abc import Mapping

from statecrawl.core.application import Application
from statecrawl.core.ports import Store
from tests.browser.truth import compared

Regions = Mapping[str, Mapping[str, str]]
"""What each region shows in each state of a crawl."""
Step = tuple[str, str, str]
"""A state, an event, and the state that it led to."""


def steps(store: Store) -> list[Step]:
    """Every transition that a crawl explored."""
    return [(each.source, each.event, each.target) for each in store.crawled().explored]


def learned_regions(store: Store) -> Regions:
    """What the regions show that the crawl learned."""
    return {state.id: state.regions for state in store.crawled().states.values()}


def true_regions(store: Store, truth: Application) -> Regions:
    """What the regions of the true model show in each state that the crawl found."""
    names, _ = compared(store, truth.initial, truth.states)
    return {state: truth.regions[name] for state, name in names.items()}


def changes(regions: Regions, done: list[Step]) -> dict[str, set[int]]:
    """When each region changed: the numbers of the steps."""
    names = next(iter(regions.values()))
    return {
        name: {
            number
            for number, (source, _, target) in enumerate(done)
            if regions[source][name] != regions[target][name]
        }
        for name in names
    }


def agreement(wanted: set[int], learned: Mapping[str, set[int]], count: int) -> float:
    """The share of steps at which a set of learned regions changes just when a true one does.

    The set is put together one by one, each time the region that helps most.
    """
    chosen: set[int] = set()
    while True:
        best = min(
            (chosen | each for each in learned.values()), key=lambda each: len(each ^ wanted)
        )
        if len(best ^ wanted) >= len(chosen ^ wanted):
            return 1 - len(chosen ^ wanted) / count
        chosen = best


def agreements(learned: Regions, true: Regions, done: list[Step]) -> dict[str, float]:
    """For each true region, how well a set of learned ones tells when it changes."""
    found = changes(learned, done)
    return {name: agreement(times, found, len(done)) for name, times in changes(true, done).items()}
