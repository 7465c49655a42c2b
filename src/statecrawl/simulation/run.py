"""One simulated crawl from beginning to end."""

import asyncio
import gc
from collections.abc import Callable
from dataclasses import replace
from random import Random

from statecrawl.core.application import Application
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.parts import Coverage
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity

Watcher = Callable[[Crawl], None]

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

    The watcher looks at it before every so many plans are executed.
    """
    crawl = new_crawl(application, strategy, limits, coverage)
    browser = SimulatedBrowser(application, Random(seed))  # noqa: S311 - chances, not secrets
    watched = browser if watcher is None else _Watched(browser, crawl, watcher, every)
    # A crawl makes no cycles; looking for them among half a million objects takes a fifth of it.
    collects = gc.isenabled()
    gc.disable()
    try:
        asyncio.run(crawl_with(watched, crawl))
    finally:
        if collects:
            gc.enable()
    return crawl


def new_crawl(
    application: Application,
    strategy: StrategyFactory,
    limits: Limits = NO_LIMITS,
    coverage: Coverage = Coverage.FULL,
) -> Crawl:
    """Return a crawl session for a simulated application, not yet begun."""
    entries, cost = list(application.all_entries), application.reset_cost
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
