"""Pages of a list: each is explored for itself, one after the other."""

from random import Random

import pytest

from statecrawl.core.application import Application
from statecrawl.core.plan import Plan
from statecrawl.core.session import Crawl
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.strategies import STRATEGIES

PAGES, STATES = 4, 3


def listed(strategy: str) -> tuple[Application, Crawl]:
    """Pages with a ring of states each, and a crawl of them."""
    states: dict[str, dict[str, str | None]] = {
        f"{page}.{state}": {
            "next": f"{page}.{(state + 1) % STATES}",
            "first": f"{page}.0",
        }
        for page in range(PAGES)
        for state in range(STATES)
    }
    application = Application("0.0", states, entries=[f"{page}.0" for page in range(PAGES)])
    crawl = Crawl(list(application.all_entries), STRATEGIES[strategy], identity, 2.0)
    crawl.stay()
    return application, crawl


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_page_is_loaded_when_nothing_is_left_of_those_before(strategy: str) -> None:
    application, crawl = listed(strategy)
    browser = SimulatedBrowser(application, Random(0))
    loaded = []
    while (plan := crawl.plan()) is not None:
        if plan.entry is not None and plan.entry not in loaded:
            assert crawl.frontier.total == 0
            loaded.append(plan.entry)
        crawl.observe(browser.run(plan))
    assert loaded == [f"{page}.0" for page in range(PAGES)]
    assert crawl.model.state_count == PAGES * STATES
    assert crawl.left == 0


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_second_cursor_takes_the_next_page(strategy: str) -> None:
    application, crawl = listed(strategy)
    browser = SimulatedBrowser(application, Random(0))
    tabs = [browser, browser.sibling()]
    loads: list[str] = []
    plans: list[Plan | None] = [crawl.plan(0), crawl.plan(1)]
    while any(plans):
        for cursor, tab in enumerate(tabs):
            if (plan := plans[cursor]) is not None:
                loads += [plan.entry] if plan.entry else []
                crawl.observe(tab.run(plan), cursor)
            plans[cursor] = crawl.plan(cursor)
    assert loads[:2] == ["0.0", "1.0"]
    assert list(dict.fromkeys(loads)) == [f"{page}.0" for page in range(PAGES)]
    assert crawl.model.state_count == PAGES * STATES
    assert crawl.left == 0
