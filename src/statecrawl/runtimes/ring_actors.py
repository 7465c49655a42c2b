"""The processes of a ring on a Ray cluster: coordinators, crawlers, and one that keeps it all."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from time import time
from typing import Any, NamedTuple, Protocol

import ray

from statecrawl.coordination.machine import Address, Machine, Output
from statecrawl.coordination.membership import Disk
from statecrawl.coordination.resolving_crawler import ResolvingCrawler
from statecrawl.coordination.ring_crawler import RingCrawler
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import Beat
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.sessions import Endpoint, Envelope
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Fact
from statecrawl.core.near_identity import AskedIdentity
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.runtimes.cluster import CrawlerMaker
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.keeper import Begun, Keeper, Kept, Part, Told
from statecrawl.runtimes.process import Process, Record

KEEP_SECONDS = 60.0
TELL_EVERY_SECONDS = 1.0
ANSWER_SECONDS = 10.0
KEEPER = "keeper"


class OpenKeeper(Protocol):
    """A keeper over a store that this process has opened."""

    keeper: Keeper

    def finish(self, reason: StopReason | None) -> StopReason:
        """Do what is left to do; without a reason, find out how the crawl ended."""
        ...


class Names(NamedTuple):
    """How the actors of one crawl find each other."""

    prefix: str
    coordinators: tuple[Address, ...]

    def actor(self, address: Address) -> Any:
        """Return the actor with an address; ValueError while there is none."""
        return ray.get_actor(f"{self.prefix} {address}")

    def send(self, generation: int, me: Address, to: Address, envelope: Envelope) -> None:
        """Have a letter delivered, or lost: sessions say it again."""
        try:
            self.actor(to).hear.remote(generation, me, envelope)
        except ValueError:
            return


class KeeperActor:
    """Keeps the crawl of a ring in its folder; killed, it is started again and goes on."""

    def __init__(self, open_keeper: Callable[[], OpenKeeper]) -> None:
        self._open_keeper = open_keeper
        self._opened: OpenKeeper | None = None

    async def begun(self) -> Begun:
        """Return what a crawler has to know."""
        return self._keeper().begun()

    async def part(self, address: Address, everyone: tuple[Address, ...]) -> Part:
        """Return what a coordinator has to know."""
        return self._keeper().part(address, everyone)

    async def keep(self, generation: int, address: Address, disk: Disk) -> None:
        """Make durable what a coordinator promises."""
        self._keeper().keep(generation, address, disk)

    async def record(self, generation: int, facts: Sequence[Fact]) -> None:
        """Make facts durable."""
        self._keeper().record(generation, facts)

    async def tell(self, generation: int, name: str, counts: Counts) -> Told:
        """Hear what a crawler has done up to now; return what it is to do beside crawling."""
        return self._keeper().tell(generation, name, counts)

    async def show(
        self, generation: int, state: str, visits: tuple[Snapshot, Snapshot] | None
    ) -> None:
        """Take in what a doubtful page looked like at two visits."""
        self._keeper().show(generation, state, visits)

    async def stand(self) -> Kept:
        """Tell how far the crawl is."""
        return self._keeper().stand()

    async def go_on(self, generation: int) -> None:
        """Hear that a generation has nothing left to do."""
        self._keeper().go_on(generation)

    async def stop(self) -> None:
        """Let all crawlers go."""
        self._keeper().stop()

    async def finish(self, reason: StopReason | None) -> StopReason:
        """Do what is left to do when all crawlers are done."""
        return self._open().finish(reason)

    def _keeper(self) -> Keeper:
        return self._open().keeper

    def _open(self) -> OpenKeeper:
        """Return the keeper and its store, opened in the thread that uses them."""
        if self._opened is None:
            self._opened = self._open_keeper()
        return self._opened


class _Durable:
    """A machine whose disk is kept before anything that it says leaves."""

    def __init__(self, machine: Machine, disk: Disk, keep: Callable[[Disk], None]) -> None:
        self._machine = machine
        self._disk = disk
        self._kept = copy(disk)
        self._keep = keep

    def begin(self, now: float) -> Sequence[Output]:
        return self._keeping(self._machine.begin(now))

    def on(self, sender: Address, message: Any, now: float) -> Sequence[Output]:
        return self._keeping(self._machine.on(sender, message, now))

    @property
    def alarm(self) -> float:
        return self._machine.alarm

    def wake(self, now: float) -> Sequence[Output]:
        return self._keeping(self._machine.wake(now))

    def _keeping(self, outputs: Sequence[Output]) -> Sequence[Output]:
        if self._disk != self._kept:
            self._kept = copy(self._disk)
            self._keep(self._kept)
        return outputs


def _recording(keeper: Any, generation: int) -> Record:
    """Return what makes facts durable before anything else is said."""

    def record(facts: Sequence[Fact]) -> None:
        ray.get(keeper.record.remote(generation, facts), timeout=KEEP_SECONDS)

    return record


class MemberActor:
    """A coordinator of the ring; killed, it is started again and the others tell it its part."""

    def __init__(
        self, address: Address, names: Names, settings: RingSettings, strategy: StrategyFactory
    ) -> None:
        self._address = address
        self._names = names
        self._settings = settings
        self._strategy = strategy
        self._generation = -1
        self._process: Process | None = None
        self._member: RingMember | None = None

    async def hear(self, generation: int, sender: Address, envelope: Envelope) -> None:
        """Take in a letter of the generation that this coordinator takes part in."""
        await self._take_part(generation)
        if generation == self._generation and self._process is not None:
            self._process.hear(sender, envelope)

    async def stand(self, generation: int) -> tuple[int, int, bool]:
        """Return the generation, how many events are left here, and whether the crawl is over."""
        await self._take_part(generation)
        if self._member is None or self._process is None:
            return self._generation, 0, False
        self._process.check()
        return self._generation, self._member.ledger.left, self._member.termination.is_over

    async def _take_part(self, generation: int) -> None:
        """Begin, or begin anew with what is stored, in the thread that everything is done in."""
        if generation <= self._generation:
            return
        keeper, everyone = self._names.actor(KEEPER), self._names.coordinators
        part: Part = await keeper.part.remote(self._address, everyone)
        if part.generation <= self._generation:  # another call was faster
            return
        before, self._process, self._generation = self._process, None, part.generation
        if before is not None:
            await before.close()
        if part.generation == self._generation:
            self._begin(keeper, part)

    def _begin(self, keeper: Any, part: Part) -> None:
        generation, entries, disk, recalled = part
        everyone, me = self._names.coordinators, self._address
        settings = replace(self._settings, entries=entries)
        self._member = RingMember(me, everyone, settings, self._strategy, disk, recalled=recalled)
        machine = _Durable(
            Endpoint(self._member, int(time()), fleeting=(Beat,)),
            disk,
            lambda kept: ray.get(keeper.keep.remote(generation, me, kept), timeout=KEEP_SECONDS),
        )
        self._process = Process(
            machine,
            lambda to, envelope: self._names.send(generation, me, to, envelope),
            record=_recording(keeper, generation),
        )
        self._process.begin()


class RingCrawlerActor:
    """A crawler of the ring; killed, it is started again with a new browser."""

    def __init__(
        self, address: Address, names: Names, lease_seconds: float, make: CrawlerMaker
    ) -> None:
        self._address = address
        self._names = names
        self._lease_seconds = lease_seconds
        self._make = make
        self._generation = -1
        self._name = ""
        self._told = Counts()
        self._process: Process | None = None
        self._machine: RingCrawler | None = None
        self._crawler: Crawler | None = None

    async def hear(self, generation: int, sender: Address, envelope: Envelope) -> None:
        """Take in a letter; one that comes too early is sent again."""
        if self._process is None or self._machine is None or self._crawler is None:
            return
        if generation == self._generation:
            waited = self._machine.waited_seconds
            self._process.hear(sender, envelope)
            self._crawler.spending.answered(self._machine.waited_seconds - waited, 0.0)

    async def run(self) -> None:
        """Crawl until the crawl is over."""
        async with self._make() as (crawler, _):
            crawler.tells_content_again = True
            self._crawler = crawler
            while not await self._take_part(crawler):
                pass

    async def _take_part(self, crawler: Crawler) -> bool:
        """Crawl until the crawl is over, or all begin anew; tell which, True if it is over."""
        begun: Begun = await self._names.actor(KEEPER).begun.remote()
        await crawler.begin_anew(begun.masks, self._told)
        crawler.forget()
        self._generation, self._told = begun.generation, Counts()
        self._name = f"{self._address} {secrets.token_hex(4)}"
        self._process = process = self._new_process(crawler, begun.generation)
        try:
            process.begin()
            return await self._crawl(crawler, process)
        finally:
            self._process = None
            process.pause(is_wanted=True)
            await crawler.come_to_rest()
            await process.close()

    def _new_process(self, crawler: Crawler, generation: int) -> Process:
        life = int(time())
        known, identity = self._names.coordinators, crawler.identity
        machine = self._machine = RingCrawler(
            self._address, known, identity, ANSWER_SECONDS, self._lease_seconds, life
        )
        speaker: Machine = machine
        if isinstance(identity, AskedIdentity):
            speaker = ResolvingCrawler(machine, self._address, known, identity, ANSWER_SECONDS)
        return Process(
            Endpoint(speaker, life),
            lambda to, envelope: self._names.send(generation, self._address, to, envelope),
            crawler,
            _recording(self._names.actor(KEEPER), generation),
            crawler.rest,
        )

    async def _crawl(self, crawler: Crawler, process: Process) -> bool:
        """Tell every second what was done, and go to pages that are in doubt, until all is over."""
        while True:
            told = await self._tell(crawler.counts())
            if told.generation != self._generation:
                return False
            if told.is_stopped:
                return True
            process.pause(is_wanted=told.is_paused)
            if told.doubt is not None:
                visits = await crawler.visit_twice(told.doubt.way)
                keeper = self._names.actor(KEEPER)
                await keeper.show.remote(self._generation, told.doubt.state, visits)
            elif not self._is_over:
                with suppress(TimeoutError):
                    async with asyncio.timeout(TELL_EVERY_SECONDS):
                        await process.until(lambda: self._is_over)
            elif told.is_settled:
                return True
            else:
                await asyncio.sleep(TELL_EVERY_SECONDS)

    @property
    def _is_over(self) -> bool:
        return self._machine is not None and self._machine.is_over

    async def _tell(self, counts: Counts) -> Told:
        keeper = self._names.actor(KEEPER)
        told: Told = await keeper.tell.remote(self._generation, self._name, counts)
        if told.generation == self._generation:
            self._told = counts
        return told
