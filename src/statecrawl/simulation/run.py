"""One simulated crawl from beginning to end."""

import asyncio
import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random

from statecrawl.core.application import Application, Division, Regions
from statecrawl.core.facts import Fact, Found
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.parts import Coverage
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.simulation.documents import DocumentBrowser

Watcher = Callable[[Crawl], None]

_TO_THE_END = sys.maxsize

WATCH_EVERY = 2_000
"""How many plans are executed between two looks of a watcher."""


def shuffled(application: Application, seed: int) -> Application:
    """Return the application with the events of each state in a random order."""
    random = Random(seed)  # noqa: S311 - an order, not a secret
    states = {}
    for state, targets in application.states.items():
        events = list(targets)
        random.shuffle(events)
        states[state] = {event: targets[event] for event in events}
    return replace(application, states=states)


def simulate(
    application: Application,
    strategy: StrategyFactory,
    seed: int = 0,
    watcher: Watcher | None = None,
    every: int = WATCH_EVERY,
    limits: Limits = NO_LIMITS,
    coverage: Coverage = Coverage.FULL,
) -> Crawl:
    """Crawl the application with one cursor, to the end or to a limit; the seed is for its chances.

    Regions that a crawl learned on its way are learned after as many events and resets again.
    The watcher looks at it before every so many plans are executed.
    """
    browser = _browser(application, Random(seed))  # noqa: S311 - chances, not secrets
    crawl = new_crawl(application, strategy, limits, coverage)
    facts: list[Fact] = []
    # A crawl makes no cycles; looking for them among half a million objects takes a fifth of it.
    collects = gc.isenabled()
    gc.disable()
    try:
        for until, regions in (*application.earlier, Division(_TO_THE_END, application.regions)):
            browser.divide(regions)
            if facts:
                anew = new_crawl(application, strategy, limits, coverage)
                crawl = _recalled(crawl, anew, _divided(facts, regions))
            if application.earlier:
                crawl.journal = facts.append
            watched = browser if watcher is None else _Watched(browser, crawl, watcher, every)
            asyncio.run(crawl_with(watched, crawl, until=until))
    finally:
        if collects:
            gc.enable()
    return crawl


def _browser(application: Application, random: Random) -> SimulatedBrowser:
    if application.documents is None:
        return SimulatedBrowser(application, random)
    return DocumentBrowser(application, random, application.documents)


def _recalled(before: Crawl, crawl: Crawl, facts: Iterable[Fact]) -> Crawl:
    """Return a session that knows what another one learned, and goes on where that one is."""
    crawl.recall(facts)
    crawl.events, crawl.resets, crawl.failures = before.events, before.resets, before.failures
    crawl.place(0, before.model.states[before.where()])
    return crawl


def _divided(facts: Iterable[Fact], regions: Regions) -> Iterator[Fact]:
    """Yield facts with the pages of states divided into other regions."""
    for fact in facts:
        if isinstance(fact, Found):
            snapshot = replace(fact.snapshot, regions=regions.get(fact.state, {}))
            yield fact._replace(snapshot=snapshot)
        else:
            yield fact


def new_crawl(
    application: Application,
    strategy: StrategyFactory,
    limits: Limits = NO_LIMITS,
    coverage: Coverage = Coverage.FULL,
) -> Crawl:
    """Return a crawl session for a simulated application, not yet begun."""
    documents, cost = application.documents, application.reset_cost
    entries = list(application.all_entries if documents is None else documents.given)
    return Crawl(entries, strategy, identity, cost, limits, coverage=coverage)


class _Watched:
    """A browser that lets somebody look at the crawl now and then."""

    def __init__(
        self, browser: SimulatedBrowser, crawl: Crawl, watcher: Watcher, every: int
    ) -> None:
        self._browser = browser
        self._every = every
        self._crawl = crawl
        self._watcher = watcher
        self._executed = 0

    async def execute(self, plan: Plan) -> Execution:
        self._executed += 1
        if self._executed % self._every == 0:
            self._watcher(self._crawl)
        return await self._browser.execute(plan)
