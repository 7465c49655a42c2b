"""Keeps what many crawlers find, in one crawl folder, with the sum of what they did."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from time import monotonic

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.findings import Passage, Sighting
from statecrawl.core.masks import Masks
from statecrawl.core.ports import Store
from statecrawl.core.session import Crawl
from statecrawl.runtimes.classifier import Classifier
from statecrawl.runtimes.divider import Divider
from statecrawl.runtimes.spending import together

CRAWLERS = "crawlers"
"""The setting that says what each crawler has done; its name proves who it is."""
FORMER = "former_crawlers"
"""The setting that says what those did together who are known no more."""
SCOUTED = "scouted"
"""The setting that says what was executed before the crawlers began."""
NOTE_EVERY_SECONDS = 1.0


class Recorder:
    """Writes facts as they come, and remembers the account of every crawler that ever was.

    Accounts are told anew as a whole, so one that comes twice counts once.
    """

    def __init__(self, store: Store, classifier: Classifier | None = None) -> None:
        self._store = store
        self._classifier = classifier
        about = store.about
        self._accounts = {
            name: Counts(**{**counts, "tabs": ()})
            for name, counts in about.get(CRAWLERS, {}).items()
        }
        self._former = Counts(**{**about.get(FORMER, {}), "tabs": ()})
        self._scouted = Counts(**about.get(SCOUTED, {}))
        self._seconds_before = store.counts.seconds
        self._started = self._noted_at = monotonic()
        self._recall()

    def _recall(self) -> None:
        """Know what the store does, by the ids that states have today."""
        self._masks: Masks = self._store.masks
        self._known = {_key(fact) for fact in self._store.facts()}
        self.states = len(self._store.crawled().states)

    @property
    def crawlers(self) -> Mapping[str, Counts]:
        """What each crawler has done."""
        return self._accounts

    def enter(self, name: str) -> None:
        """Take in a crawler; it is known even if we die at once."""
        self._accounts[name] = Counts()
        self._note()

    def tell(self, name: str, counts: Counts) -> None:
        """Hear what a crawler has done up to now."""
        self._accounts[name] = counts
        if monotonic() >= self._noted_at + NOTE_EVERY_SECONDS:
            self._note()

    def forget_crawlers(self) -> None:
        """Know no crawler any more, even if we die at once; what they did is kept."""
        for counts in self._accounts.values():
            self._former = self._former.plus(counts)
        self._accounts.clear()
        self._note()

    def begin_anew(self) -> None:
        """Take notice that states have other ids, under other masks."""
        self._recall()
        if self._classifier is not None:
            self._classifier.begin_anew(self._masks)

    def is_known(self, state: str) -> bool:
        """Tell whether a state was found."""
        return (Found, state) in self._known

    def record(self, facts: Sequence[Fact]) -> None:
        """Make facts durable; those that are known are passed over."""
        total = self.counts()
        fresh: list[Fact] = []
        for fact in facts:
            key = _key(fact)
            if key not in self._known:
                self._known.add(key)
                fresh.append(_at(fact, total))
        if not fresh:
            return
        self._store.append(fresh, total, sightings=[s for fact in fresh for s in _sightings(fact)])
        self.states += sum(isinstance(fact, Found) for fact in fresh)
        if self._classifier is not None:
            self._classifier.hear(fresh)
            self._classifier.work(self._masks)

    def counts(self, stop_reason: str = "") -> Counts:
        """Return what all crawlers did together."""
        accounts = (self._scouted, self._former, *self._accounts.values())
        failures: Counter[str] = Counter()
        for each in accounts:
            failures.update(each.failures)
        return Counts(
            events=sum(each.events for each in accounts),
            resets=sum(each.resets for each in accounts),
            seconds=self._seconds_before + monotonic() - self._started,
            requests=sum(each.requests for each in accounts),
            requests_cached=sum(each.requests_cached for each in accounts),
            probe_events=sum(each.probe_events for each in accounts),
            probe_resets=sum(each.probe_resets for each in accounts),
            stop_reason=stop_reason,
            failures=dict(failures),
            spent=together(each.spent for each in accounts),
            tabs=tuple(state for each in accounts for state in each.tabs),
        )

    def finish(self, stop_reason: str, divider: Divider, crawl: Crawl) -> None:
        """Divide the pages of all states into regions, and say why the crawl ended."""
        crawl.recall(self._store.facts())
        divider.learn(crawl.model)
        divider.divide_all()
        if self._classifier is not None:
            self._classifier.finish(self._masks)
        self._note()
        self._store.append((), replace(self.counts(stop_reason), tabs=()))

    def _note(self) -> None:
        self._noted_at = monotonic()
        accounts = {name: asdict(counts) for name, counts in self._accounts.items()}
        self._store.note({CRAWLERS: accounts, FORMER: asdict(self._former)})


def _key(fact: Fact) -> tuple[object, ...]:
    """Return what a fact says, without how it looked and when it was learned."""
    if isinstance(fact, Found):
        return (Found, fact.state)
    if isinstance(fact, Executed):
        return (Executed, fact.source, fact.event, fact.target)
    return (type(fact), *fact)


def _at(fact: Fact, total: Counts) -> Fact:
    """Return a fact with what all crawlers had done when it was learned."""
    if isinstance(fact, Found):
        return fact._replace(events=total.events, resets=total.resets)
    return fact


def _sightings(fact: Fact) -> list[Sighting]:
    """Return the problems that a fact tells of."""
    if not isinstance(fact, Executed):
        return []
    passage = Passage(fact.source, fact.event, fact.target)
    return [Sighting(passage, problem) for problem in fact.effect.problems]
