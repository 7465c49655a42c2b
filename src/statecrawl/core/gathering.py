"""Facts, in the order of learning, put together to a crawl that can be read."""

from statecrawl.core.crawled import CrawledState, CrawledTransition, Pair
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, Refused
from statecrawl.core.snapshot import NEW_DOCUMENT


class Gathering:
    """Makes of facts, told in the order of learning, what a `Crawled` holds."""

    def __init__(self) -> None:
        self.states: dict[str, CrawledState] = {}
        self.transitions: dict[Pair, CrawledTransition] = {}
        self.refused: dict[Pair, str] = {}
        self.given_up: dict[Pair, None] = {}
        self.opened: dict[str, tuple[str, ...]] = {}
        self._last: Executed | None = None
        self._fresh: tuple[Found, float] | None = None

    def tell(self, fact: Fact, seconds: float = 0.0) -> None:
        """Take in one fact, and when it was learned."""
        if isinstance(fact, Found):
            self._fresh = fact, seconds
        elif isinstance(fact, Executed):
            self._add_target(fact)
            self._execute(fact)
            self._last = fact
        elif isinstance(fact, Refused):
            self.refused[fact.source, fact.event] = fact.reason
        elif isinstance(fact, Assumed):
            pair = (fact.source, fact.event)
            assumed = CrawledTransition(*pair, fact.target, is_assumed=True)
            self.transitions.setdefault(pair, assumed)
        elif isinstance(fact, EntryFound):
            self._enter(fact.url)
        else:
            self.given_up[fact.source, fact.event] = None

    def _enter(self, url: str) -> None:
        """Take in what the last event brought to light: a link that it is, or a window."""
        if self._last is not None and NEW_DOCUMENT not in self._last.effect.changes:
            known = self.opened.get(self._last.event, ())
            self.opened[self._last.event] = (*known, url)

    def _add_target(self, fact: Executed) -> None:
        if fact.target in self.states or self._fresh is None:
            return
        found, seconds = self._fresh
        page = found.snapshot
        depth = self.states[fact.source].depth + 1 if fact.source else 0
        self.states[found.state] = CrawledState(
            found.state,
            page.url,
            page.title,
            page.events,
            page.regions,
            found.events,
            found.resets,
            seconds,
            depth,
        )
        self._fresh = None

    def _execute(self, fact: Executed) -> None:
        pair = (fact.source, fact.event)
        known = self.transitions.get(pair)
        if known is None or known.is_assumed:
            self.transitions[pair] = CrawledTransition(*pair, fact.target, fact.effect.changes)
        elif known.outcomes or known.target != fact.target:
            outcomes = dict(known.targets)
            outcomes[fact.target] = outcomes.get(fact.target, 0) + 1
            self.transitions[pair] = CrawledTransition(*pair, known.target, known.changes, outcomes)
