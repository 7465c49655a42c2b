"""What comes first, last, never: after an earlier crawl, and after what people did."""

import asyncio
from random import Random

from statecrawl.core.application import Application
from statecrawl.core.attention import Attention, Turn, both, focus, since
from statecrawl.core.crawled import Crawled, CrawledTransition
from statecrawl.core.facts import Executed, Fact
from statecrawl.core.login import parse_login
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.snapshot import Event
from statecrawl.core.stopping import StopReason
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.strategies import STRATEGIES

STATES: dict[str, dict[str, str | None]] = {
    "s0": {"dull": "s0", "go": "s1"},
    "s1": {"dull": "s1", "go": "s2", "odd": "s0"},
    "s2": {"dull": "s2", "back": "s0"},
}


def crawled(attention: Attention) -> tuple[Crawl, list[str]]:
    """A crawl, and the events that it explored in their order."""
    application = Application("s0", STATES)
    crawl = Crawl(list(application.all_entries), STRATEGIES["greedy"], identity, 1.0)
    crawl.attention = attention
    explored: list[str] = []

    def hear(fact: Fact) -> None:
        if isinstance(fact, Executed) and fact.source:
            explored.append(fact.event)

    crawl.journal = hear
    asyncio.run(crawl_with(SimulatedBrowser(application, Random(0)), crawl))
    return crawl, explored


EARLIER = Crawled(
    {},
    transitions={
        (source, event): CrawledTransition(source, event, str(target))
        for source, events in STATES.items()
        for event, target in events.items()
    },
)


def test_what_changed_nothing_comes_last() -> None:
    crawl, explored = crawled(since(EARLIER, skips=False))
    assert explored[-3:] == ["dull"] * 3
    assert "dull" not in explored[:-3]
    assert crawl.stop_reason is StopReason.COMPLETE


def test_or_is_passed_by_and_that_is_said() -> None:
    crawl, explored = crawled(since(EARLIER, skips=True))
    assert sorted(explored) == ["back", "go", "go", "odd"]
    assert len(crawl.passed_by) == 3
    assert crawl.stop_reason is StopReason.PASSED_BY


def test_what_people_used_comes_first_or_alone() -> None:
    session = parse_login('open /\nclick "Go  "\nfill "Name" with "x"\n')
    first, only = focus([session], is_all=False), focus([session], is_all=True)
    assert first(Event("a", label="go")) is Turn.NOW
    assert first(Event("b", label="name", kind="input")) is Turn.NOW
    assert (first(Event("c", label="Other")), only(Event("c"))) == (Turn.LATER, Turn.NEVER)
    assert both(first, only)(Event("c")) is Turn.NEVER
