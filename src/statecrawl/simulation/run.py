"""One simulated crawl from beginning to end, and what it cost."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

from statecrawl.core.application import Application
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity


def shuffled(application: Application, seed: int) -> Application:
    """Return the application with the events of each state in a random order."""
    random = Random(seed)  # noqa: S311 - an order, not a secret
    states = {}
    for state, targets in application.states.items():
        events = list(targets)
        random.shuffle(events)
        states[state] = {event: targets[event] for event in events}
    return replace(application, states=states)


def simulate(application: Application, strategy: StrategyFactory, seed: int = 0) -> Crawl:
    """Crawl the application with one cursor to the end."""
    crawl = Crawl(list(application.all_entries), strategy, identity, application.reset_cost)
    browser = SimulatedBrowser(application, Random(seed))
    asyncio.run(crawl_with(browser, crawl))
    return crawl
