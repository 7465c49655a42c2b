"""Every plan can be told in one line, with its reason where the strategy has one."""

import pytest

from statecrawl.core.application import Application
from statecrawl.core.explanation import explained
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.strategy import Explaining, StrategyFactory
from statecrawl.simulation.run import new_crawl, simulate
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.greedy import Greedy

ITEMS = 4
SHELF = Application(
    "shelf 0",
    {
        f"{place} {item}": {
            **{f"item {n}": f"{place} {n}" for n in range(ITEMS)},
            "shelf": f"shelf {item}",
            "basket": f"basket {item}",
        }
        for place in ("shelf", "basket")
        for item in range(ITEMS)
    },
    reset_cost=2,
    regions={
        f"{place} {item}": {"place": place, "item": str(item)}
        for place in ("shelf", "basket")
        for item in range(ITEMS)
    },
    groups={f"item {n}": "items" for n in range(ITEMS)},
)
"""Two places, and in each the same items to look at."""


def lines(strategy: StrategyFactory) -> list[str]:
    told: list[str] = []
    simulate(SHELF, strategy, watcher=lambda crawl: told.append(explained(crawl)), every=1)
    return told


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_plan_is_a_line_that_begins_where_the_cursor_is(name: str) -> None:
    told = lines(STRATEGIES[name])
    crawl = new_crawl(SHELF, STRATEGIES[name])
    assert told[0].startswith('a blank tab: load "shelf 0"')
    assert all(": fire " in line and "\n" not in line for line in told[1:])
    reasons = ["(" in line.split(" after ")[0] for line in told]
    assert set(reasons) == {isinstance(crawl.strategy, Explaining)}


def test_effects_says_what_should_become_new_and_when_nothing_does() -> None:
    told = lines(Effects)
    new = [line for line in told if "(new: sets item; chance 0." in line]
    assert new
    assert all('fire "item ' in line for line in new)
    assert "(nothing new is predicted)" in told[-1]


def page(dom: str, *events: Event) -> Snapshot:
    return Snapshot(dom, events)


def test_a_way_is_told_by_its_steps() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    go, stay = Event("go"), Event("x1", label="Stay\n\x1b[31m here", kind="hover")
    assert explained(crawl) == ""
    assert crawl.plan() == Plan("/", None, ())
    assert explained(crawl) == 'a blank tab: load "/"'
    crawl.observe(Execution((page("home", go, stay),)))
    crawl.plan()
    assert explained(crawl) == 'home: fire "go"'
    crawl.observe(Execution((page("end"),)))
    assert crawl.plan() == Plan("/", "home", (Step("x1", None),))
    assert explained(crawl) == 'end: fire hover "Stay [31m here" in home after a reset'
    crawl.observe(Execution((page("monday"),), Halt.DIVERGED))
    assert crawl.plan() is not None
    what = 'monday: fire hover "Stay [31m here" in home'
    assert explained(crawl) == f"{what} (no reliable way leads on) after a reset"
