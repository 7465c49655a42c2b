"""The machines of a ring in real time: what they find ends in one store, complete and in order."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from statecrawl.coordination.machine import BROWSER, NEVER, Address, Output
from statecrawl.coordination.membership import Disk, Tempo
from statecrawl.coordination.ring_crawler import RingCrawler
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.sessions import Endpoint
from statecrawl.core.facts import TOLD_BY_MANY, Executed, Fact
from statecrawl.core.plan import Execution, Plan
from statecrawl.runtimes.process import Process
from statecrawl.runtimes.recorder import Recorder
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.sites.models import build_model
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES

COORDINATORS = ("one", "two", "three")


class Late:
    """Keeps states as they are found, and only in the end, in any order, where events led."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._held: list[Fact] = []

    def record(self, facts: Sequence[Fact]) -> None:
        self._held += [fact for fact in facts if isinstance(fact, Executed)]
        self._recorder.record([fact for fact in facts if not isinstance(fact, Executed)])

    def end(self) -> None:
        Random(0).shuffle(self._held)
        self._recorder.record(self._held)


class Walker:
    """A machine that has its tab do one thing after another."""

    alarm = NEVER

    def __init__(self) -> None:
        self.done = 0

    def begin(self, now: float) -> Sequence[Output]:
        del now
        return [(BROWSER, Plan(None, None, ()))]

    def on(self, sender: Address, message: Any, now: float) -> Sequence[Output]:
        del sender, message
        self.done += 1
        return self.begin(now)

    def wake(self, now: float) -> Sequence[Output]:
        del now
        return []


class Eager:
    """A tab that is done at once, and counts."""

    def __init__(self) -> None:
        self.plans = 0

    async def execute(self, plan: Plan) -> Execution:
        del plan
        self.plans += 1
        await asyncio.sleep(0)
        return Execution(())


def test_a_pause_ends_with_the_plan_under_way() -> None:
    async def run() -> None:
        walker, tab = Walker(), Eager()
        process = Process(walker, lambda *_: None, tab)
        process.begin()
        try:
            async with asyncio.timeout(60):
                await process.until(lambda: walker.done >= 3)
                process.pause(is_wanted=True)
                before = walker.done
                for _ in range(100):
                    await asyncio.sleep(0)  # a turn for whoever could go on
                assert (walker.done, tab.plans) == (before, before + 1)
                process.pause(is_wanted=False)
                await process.until(lambda: walker.done > before + 3)
        finally:
            await process.close()

    asyncio.run(run())


def test_a_ring_finds_the_true_model_whatever_order_its_facts_come_in(tmp_path: Path) -> None:
    application = build_model("company:products=1,services=1,articles=1")
    settings = RingSettings(application.all_entries, application.reset_cost, lease_seconds=30)
    tempo = Tempo(beat=0.1, hold=2.0, suspect=3.0, collect=0.2, marker=2.0)
    about = {"entries": list(application.all_entries), TOLD_BY_MANY: len(COORDINATORS)}

    async def run(store: SqliteStore) -> None:
        processes: dict[Address, Process] = {}
        loop = asyncio.get_running_loop()
        late = Late(Recorder(store))
        browser = SimulatedBrowser(application, Random(0))

        def start(address: Address, machine: Any, tab: SimulatedBrowser | None = None) -> None:
            def send(to: Address, envelope: Any) -> None:
                loop.call_soon(processes[to].hear, address, envelope)

            processes[address] = Process(
                Endpoint(machine, 1),
                send,
                tab,
                late.record,
            )

        strategy = STRATEGIES["greedy"]
        for each in COORDINATORS:
            member = RingMember(each, COORDINATORS, settings, strategy, Disk(), tempo)
            start(each, member)
        crawlers = [RingCrawler(f"crawler {n}", COORDINATORS, identity, 10, 30) for n in range(2)]
        for crawler in crawlers:
            start(crawler.address, crawler, browser.sibling())
        for process in processes.values():
            process.begin()
        try:
            async with asyncio.timeout(60):
                for crawler in crawlers:
                    await processes[crawler.address].until(lambda each=crawler: each.is_over)  # type: ignore[misc]
        finally:
            for process in processes.values():
                await process.close()
        late.end()
        assert all(crawler.waited_seconds > 0 for crawler in crawlers)

    with SqliteStore.create(tmp_path / "crawl", about) as store:
        asyncio.run(run(store))
        crawled = store.crawled()
    found = {pair: each.target for pair, each in crawled.transitions.items() if pair[0]}
    truth = {
        (state, event): target
        for state, events in application.states.items()
        for event, target in events.items()
    }
    assert found == truth
    assert set(crawled.states) == set(application.states)
