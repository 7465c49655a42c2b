"""A node whose coordinator learns what varies: it joins anew, with the browser that it has."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import Credentials
from statecrawl.core.counts import Counts
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.ports import Workshop
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Snapshot
from statecrawl.equivalences.exact import exact
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.line import ForgottenError, Line, Mail, Visits
from statecrawl.runtimes.node import crawl_for
from statecrawl.runtimes.spending import Spending

MASK = ["html/body[1]/p[1]", "text", "why"]


class Workbench:
    """A browser that goes anywhere, and counts how often it went twice."""

    def __init__(self) -> None:
        self.masked: list[Masks] = []
        self.blanked = self.probes = 0
        self.now = 0.0

    def tab(self, cursor: int = 0) -> "Workbench":
        del cursor
        return self

    async def execute(self, plan: Plan) -> Execution:
        del plan
        return Execution((Snapshot("<html></html>", ()),))

    async def twice(self, plan: Plan, stops: Sequence[int]) -> None:
        del plan, stops
        self.now += 5.0

    async def blank(self) -> None:
        self.blanked += 1

    def mask(self, masks: Masks) -> None:
        self.masked.append(masks)

    def tally(self) -> Counts:
        return Counts(probe_resets=self.probes, failures={"hang": self.probes})


class Forgetful(Line):
    """A coordinator that says what it is told to, in each of its lives."""

    def __init__(self, *lives: dict[str, Any]) -> None:
        super().__init__("nowhere", 1.0, print)
        self._lives = list(lives)
        self.names = 0

    async def ask_to_join(self) -> dict[str, Any]:
        self.names += 1
        return self._lives.pop(0)

    async def deliver(self, envelopes: Sequence[Envelope], counts: Counts) -> float:
        del envelopes, counts
        return 0.0

    async def deliver_visits(self, state: str, visits: Visits, counts: Counts) -> bool:
        del state, visits, counts
        return bool(self._lives)

    async def collect(self, wait_seconds: float) -> Mail:
        del wait_seconds
        if self._lives:
            return Mail([], ["s1"], is_over=False, is_paused=False)
        return Mail([], [], is_over=True, is_paused=False)


def no_session(credentials: Credentials) -> Crawl:
    raise AssertionError(credentials)


def taken_part(*lives: dict[str, Any]) -> tuple[list[dict[str, Any]], list[Crawler]]:
    """What browsers were started for, and who crawled with them."""
    started: list[dict[str, Any]] = []
    crawlers: list[Crawler] = []

    @asynccontextmanager
    async def make(about: dict[str, Any]) -> AsyncIterator[tuple[Crawler, Any]]:
        started.append(about)
        crawlers.append(new_crawler(Workbench()))
        yield crawlers[-1], no_session

    async def run() -> None:
        async with asyncio.timeout(30):
            await crawl_for(Forgetful(*lives), make, print)

    asyncio.run(run())
    return started, crawlers


def new_crawler(workbench: Workbench) -> Crawler:
    """A crawler with a workshop that has no more than a crawler asks for here."""
    return Crawler(cast("Workshop", workbench), StateIdentity(exact))


def test_a_node_that_hears_of_masks_keeps_its_browser() -> None:
    started, (crawler,) = taken_part(
        {"clock": 1, "masks": []}, {"clock": 1, "masks": [MASK]}, {"clock": 1, "masks": [MASK]}
    )
    assert started == [{"clock": 1, "masks": []}]
    assert crawler.identity.masks == Masks((Mask(*MASK),))


def test_a_node_of_another_crawl_starts_another_browser() -> None:
    started, _ = taken_part({"clock": 1, "masks": []}, {"clock": 2, "masks": []})
    assert [about["clock"] for about in started] == [1, 2]


def test_what_was_told_under_one_name_is_not_told_under_the_next() -> None:
    workbench = Workbench()

    async def run() -> None:
        crawler = new_crawler(workbench)
        await crawler.execute(Plan("u", None, ()))
        workbench.probes = 2
        told = crawler.counts()
        assert (told.resets, told.probe_resets, told.failures) == (1, 2, {"hang": 2})
        workbench.probes = 3  # nobody was told of the last one
        await crawler.begin_anew(Masks(), told)
        assert (crawler.counts().resets, crawler.counts().probe_resets) == (0, 1)
        told = crawler.counts()
        workbench.probes = 7
        await crawler.begin_anew(Masks(), told)
        assert crawler.counts().probe_resets == 4
        assert crawler.counts().spent["execution"] >= 0
        assert workbench.blanked == 2

    asyncio.run(run())


def test_visits_to_learn_what_varies_are_no_wait() -> None:
    workbench = Workbench()

    async def run() -> None:
        crawler = new_crawler(workbench)
        crawler.spending = Spending(lambda: workbench.now)
        await crawler.visit_twice(Plan("u", None, ()))
        spent = crawler.counts().spent
        assert (spent["probes"], spent["idle"]) == (5.0, 0.0)

    asyncio.run(run())


def test_the_line_knows_what_the_coordinator_was_told() -> None:
    async def run() -> None:
        line = Forgetful({}, {})
        await line.join()
        counts = Counts(events=3)
        try:
            await line.show("s1", None, counts)
        except ForgottenError:
            assert line.told == counts
        await line.join()
        assert line.told == Counts()

    asyncio.run(run())
