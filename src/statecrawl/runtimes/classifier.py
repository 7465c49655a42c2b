"""Sorts the states of a crawl into near-duplicate classes as they are found."""

from collections.abc import Iterable

from statecrawl.core.classes import Decision, Resolver
from statecrawl.core.facts import Fact, Found
from statecrawl.core.masks import Masks
from statecrawl.core.ports import WEIGHTS, Store
from statecrawl.core.resemblance import Features, NearEquivalence, Page
from statecrawl.core.snapshot import Snapshot


class Classifier:
    """Decides about every state, and has features and decisions stored.

    Nothing that a crawl does next hangs on that, so it is done while the browser is at work.
    What needs weights waits for the end: then they are learned from all states, and frozen.
    """

    def __init__(self, store: Store, equivalence: NearEquivalence) -> None:
        self._store = store
        known = store.features(equivalence.resemblance.name)
        if equivalence.resemblance.needs_weights and WEIGHTS in known:
            equivalence = equivalence.with_weights(known[WEIGHTS])
        self._equivalence = equivalence
        self._resolver = Resolver(equivalence)
        self._waiting: list[tuple[str, Snapshot]] = []
        self._undecided: set[str] = set()
        for fact in store.facts():
            if not isinstance(fact, Found):
                continue
            if fact.state in known:
                self._resolver.decide(fact.state, known.pop(fact.state))
            else:  # of an earlier run that was killed
                self._undecided.add(fact.state)

    def hear(self, facts: Iterable[Fact]) -> None:
        """Take in what a plan taught."""
        if not self._equivalence.resemblance.needs_weights:
            found = (fact for fact in facts if isinstance(fact, Found))
            self._waiting += [(fact.state, fact.snapshot) for fact in found]

    def work(self, masks: Masks) -> None:
        """Decide about the states that wait for it."""
        waiting, self._waiting = self._waiting, []
        self._decide(waiting, masks)

    def finish(self, masks: Masks) -> None:
        """Decide about what is left; learn weights, if they are needed, and decide by them."""
        self.work(masks)
        resemblance = self._equivalence.resemblance
        if resemblance.needs_weights:
            weights = resemblance.learn(Page.of(page, masks) for _, page in self._store.doms())
            self._store.keep_features(resemblance.name, {WEIGHTS: weights})
            self._equivalence = self._equivalence.with_weights(weights)
            self.begin_anew(masks)
        elif self._undecided:
            left = ((state, page) for state, page in self._store.doms() if state in self._undecided)
            self._decide(left, masks)
            self._undecided.clear()

    def begin_anew(self, masks: Masks) -> None:
        """Decide about all states again, under other masks."""
        self._waiting.clear()
        self._undecided.clear()
        if not self._equivalence.resemblance.needs_weights:
            self._resolver = Resolver(self._equivalence)
            self._decide(self._store.doms(), masks)

    def _decide(self, states: Iterable[tuple[str, Snapshot]], masks: Masks) -> None:
        resemblance = self._equivalence.resemblance
        decided: list[tuple[Decision, Features]] = []
        for state, snapshot in states:
            features = resemblance.features(Page.of(snapshot, masks))
            decided.append((self._resolver.decide(state, features), features))
        if decided:
            self._store.decide(self._equivalence.name, resemblance.name, decided)
