"""Warns while a crawl runs: states that multiply, data on the server that moved under us.

What only grows is left at that.
"""

from collections.abc import Callable, Iterable

from statecrawl.core.causes import explain
from statecrawl.core.explosion import Explosion
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.growth import Growth
from statecrawl.core.masks import Masks
from statecrawl.core.model import BLANK, Model
from statecrawl.core.ports import Store
from statecrawl.core.session import Crawl


class Lookout:
    """Hears what is learned, and says each warning once; what is about states is stored."""

    def __init__(self, store: Store, say: Callable[[str], None]) -> None:
        self._store = store
        self._say = say
        self._said: dict[str, str] = store.about.get("warnings", {})
        self._endless: dict[str, None] = dict.fromkeys(store.about.get("endless", ()))
        self._explosion = Explosion(self._said)
        self._growth = Growth(None, Model(()))
        self._due: dict[str, None] = {}
        self._doubtful = 0
        self._loads: set[str] = set()
        self._has_moved = False

    def recall(self, crawl: Crawl, masks: Masks) -> None:
        """Have a new session recall what is stored, and tell it which pages seem never to end."""
        self._growth = Growth(crawl.limits.max_additions, crawl.model)
        crawl.recall(self._growth.hear(self._store.facts()))
        self._bound(crawl, masks)
        for url in self._endless:
            crawl.postpone(url)

    def hear(self, facts: Iterable[Fact], crawl: Crawl, masks: Masks) -> None:
        """Take in what a plan taught; before the next one is made, as this may bound it."""
        fresh: Found | None = None
        for fact in self._growth.hear(facts):
            if isinstance(fact, Found):
                fresh = fact
            elif isinstance(fact, Executed) and fresh is not None:
                url = fresh.snapshot.url
                page = crawl.limiting.page_of(url)
                if self._explosion.found(fresh.state, fact.event, page):
                    self._due[url] = None
                fresh = None
        self._bound(crawl, masks)

    def _bound(self, crawl: Crawl, masks: Masks) -> None:
        """Leave pages that only grow as they are."""
        for found in self._growth.look(self._store.snapshot, masks):
            crawl.bar(found.state, found.event)
            self._warn(found.event, found.warning)

    def _warn(self, about: str, warning: str) -> None:
        """Say something once."""
        if about not in self._said:
            self._said[about] = warning
            self._store.note({"warnings": self._said})
            self._say(warning)

    def look(self, crawl: Crawl, masks: Masks) -> None:
        """Say what there is to say, once masks for what varies have been learned."""
        while self._due:
            url, _ = self._due.popitem()
            page = crawl.limiting.page_of(url)
            found = self._explosion.look(page, self._store.snapshot, masks)
            if found is not None:
                self._warn(found.selector, found.warning)
                self._endless[url] = None
                self._store.note({"endless": list(self._endless)})
                crawl.postpone(url)
        if not self._has_moved and len(crawl.model.outcomes) != self._doubtful:
            self._doubtful = len(crawl.model.outcomes)
            self._look_at_loads(crawl)

    def _look_at_loads(self, crawl: Crawl) -> None:
        """Say so when a page that is loaded is no longer what it was, for the server's sake."""
        for source, number in crawl.model.outcomes:
            event = crawl.model.events[number].identity
            if source != BLANK or event in self._loads:
                continue
            self._loads.add(event)
            crawled = self._store.crawled()
            guesses = explain(crawled, self._store.snapshot, [("", event)])
            moved = crawled.with_guesses(guesses).moved
            if moved:
                self._has_moved = True
                self._say(moved)
                return
