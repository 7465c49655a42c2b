"""What becomes of the states of a crawl as the threshold rises: a table to move a slider over.

Every step is the graph that `thinned` gives at one threshold; only what differs from the step
before is kept. When two thresholds give the same decisions, so does every one between them: no
state that was new at the lower one is within the higher one of those before it. So the thresholds
are halved, and few of them are tried.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from statecrawl.core.classes import Edge, thinned
from statecrawl.core.resemblance import Features, NearEquivalence

STEPS = 100
"""How many thresholds are tried at most, where distances are no whole numbers."""

Merged = Mapping[str, str | None]
"""Which state stands for each one; None: nothing leads to it any more."""

Told = Callable[[int, int], None]
"""Told how many thresholds are tried, and of how many at most."""


class Step(NamedTuple):
    """From this threshold on there are so many states; these have changed since the step before."""

    threshold: float
    states: int
    changes: Merged


class MergeTable(NamedTuple):
    """What becomes of the states of a crawl at every threshold, by which equivalence."""

    equivalence: NearEquivalence
    """With the threshold that states were found with, or 0; nothing is known of lower ones."""
    usual: float
    states: tuple[str, ...]
    steps: Sequence[Step]


def thresholds_of(equivalence: NearEquivalence) -> list[float]:
    """Return the thresholds to try: from the one given upward, as far as distances go."""
    farthest = equivalence.resemblance.farthest
    size = 1.0 if farthest > 1 else farthest / STEPS
    rest = (number * size for number in range(1, round(farthest / size) + 1))
    return [equivalence.threshold, *(each for each in rest if each > equivalence.threshold)]


def merge_table(
    equivalence: NearEquivalence,
    features: Mapping[str, Features],
    edges: Iterable[Edge],
    groups: Mapping[str, Hashable] | None = None,
    told: Told | None = None,
) -> list[Step]:
    """Return what the graph would be at every threshold from that of the equivalence upward."""
    thresholds = thresholds_of(equivalence)
    known: dict[int, Merged] = {}
    every = tuple(edges)

    def merged(at: int) -> Merged:
        if at not in known:
            found = thinned(equivalence.at(thresholds[at]), features, every, groups)
            decided = {s: d.representative for s, d in found.classes.decisions.items()}
            known[at] = {state: decided.get(state) for state in features}
            if told is not None:
                told(len(known), len(thresholds))
        return known[at]

    steps: list[Step] = []
    before: Merged = {state: state for state in features}
    for at in (0, *_changes(0, len(thresholds) - 1, merged)):
        now = merged(at)
        changes = {state: stands for state, stands in now.items() if stands != before[state]}
        left = sum(state == stands for state, stands in now.items())
        steps.append(Step(thresholds[at], left, changes))
        before = now
    return steps


def _changes(low: int, high: int, merged: Callable[[int], Merged]) -> Iterator[int]:
    """Yield the numbers of the thresholds that give something else than the one before."""
    if merged(low) == merged(high):
        return
    if high - low == 1:
        yield high
        return
    middle = (low + high) // 2
    yield from _changes(low, middle, merged)
    yield from _changes(middle, high, merged)


def merged_at(steps: Sequence[Step], threshold: float) -> Merged:
    """Return which state stands for each at a threshold, of the table."""
    found: dict[str, str | None] = {}
    for step in steps:
        if step.threshold > threshold:
            break
        found |= step.changes
    return found
