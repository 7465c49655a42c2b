"""Divides the pages of a crawl into regions, and learns where."""

from dataclasses import replace
from itertools import zip_longest
from sys import intern

from statecrawl.core.cutting import Passing, learn_cut
from statecrawl.core.dom import Element, parse
from statecrawl.core.identity import StateIdentity
from statecrawl.core.model import Model
from statecrawl.core.plan import Execution
from statecrawl.core.ports import Store
from statecrawl.core.regions import EARLIER_CUTS, regions
from statecrawl.core.snapshot import Snapshot

FIRST = 4
"""With so many states it is first asked what changes on its own; then whenever they doubled."""
MANY = 64
"""From so many states on there must be four times as many: then there is less to learn."""
MAX_PAGES = 100
MAX_CHARACTERS = 1_000_000
MAX_PASSINGS = 4_000
"""It is learned from so much, evenly taken from all of the crawl, that nobody has to wait."""


class Divider:
    """Knows today's cut. What varies by itself is masked, as for identity."""

    def __init__(self, store: Store, identity: StateIdentity) -> None:
        self._store = store
        self._identity = identity
        self._cut = store.cut
        self._learned_at = 0

    def divided(self, execution: Execution, model: Model) -> Execution:
        """Return what was seen, with the regions of every new state."""
        if not any(snapshot.dom for snapshot in execution.snapshots):
            return execution
        snapshots = (
            replace(snapshot, regions=self.regions(snapshot))
            if snapshot.dom and model.state(self._identity(snapshot)) is None
            else snapshot
            for snapshot in execution.snapshots
        )
        return execution._replace(snapshots=tuple(snapshots))

    def regions(self, snapshot: Snapshot) -> dict[str, str]:
        """Return what each region of a page shows; what many states show is kept once."""
        found = regions(self._tree(snapshot), self._cut)
        return {name: intern(shown) for name, shown in found.items()}

    def _tree(self, snapshot: Snapshot) -> Element:
        return self._identity.masks.apply(parse(snapshot.dom))

    def is_due(self, model: Model) -> bool:
        """Tell whether so much was found that there may be something to learn."""
        growth = 2 if self._learned_at < MANY else 4
        return model.state_count >= max(FIRST, growth * self._learned_at)

    def learn(self, model: Model) -> bool:
        """Learn from what is known by now where to cut pages; tell whether that is news.

        Until when the cut before was the one is kept, so that the crawl can be simulated.
        """
        if model.state_count == self._learned_at:
            return False
        self._learned_at = model.state_count
        before = self._cut
        self._cut = learn_cut(*self._examples(model))
        if self._cut == before:
            return False
        counts = self._store.counts
        earlier = self._store.about.get(EARLIER_CUTS, [])
        self._store.note({EARLIER_CUTS: [*earlier, [counts.events + counts.resets, before]]})
        return True

    def divide_all(self) -> None:
        """Divide the pages of all states, at today's cut and under today's masks."""
        found = {state: self.regions(snapshot) for state, snapshot in self._store.doms()}
        self._store.divide(self._cut, found)

    def _examples(self, model: Model) -> tuple[list[Element], list[Passing]]:
        """Return pages from the whole of the crawl, and what led from one of them to another."""
        numbers: dict[int, int] = {}
        pages: list[Element] = []
        characters = 0
        for state in _sample(model):
            snapshot = self._store.snapshot(model.states[state])
            characters += len(snapshot.dom) if snapshot else 0
            if characters > MAX_CHARACTERS and pages:
                break
            if snapshot is not None:
                numbers[state] = len(pages)
                pages.append(self._tree(snapshot))
        passings = [
            Passing(transition.step.event, number, numbers[transition.target])
            for state, number in numbers.items()
            for transition in model.transitions(state)
            if transition.target in numbers and not (transition.outcomes or transition.is_assumed)
        ]
        return pages, passings[:: 1 + len(passings) // MAX_PASSINGS]


def _sample(model: Model) -> list[int]:
    """Return states from the whole of the crawl, and as many of each as it leads to."""
    step = 1 + 4 * model.state_count // MAX_PAGES
    chosen = dict.fromkeys(range(1, model.state_count + 1, step))
    leads_to = [list(model.successors[state]) for state in chosen]
    for targets in zip_longest(*leads_to):
        chosen |= dict.fromkeys(target for target in targets if target is not None)
    return list(chosen)[:MAX_PAGES]
