"""A ring on a Ray cluster: coordinators and crawlers as actors, and one that keeps the crawl."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from copy import copy
from time import monotonic, time
from typing import Any, NamedTuple, Protocol

import ray
from ray.exceptions import RayActorError

from statecrawl.coordination.machine import Address, Machine, Output
from statecrawl.coordination.membership import Disk
from statecrawl.coordination.resolving_crawler import ResolvingCrawler
from statecrawl.coordination.ring_crawler import RingCrawler
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import Beat
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.sessions import Endpoint, Envelope
from statecrawl.coordination.wire import codec
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Fact
from statecrawl.core.limits import Limits
from statecrawl.core.near_identity import AskedIdentity
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.wish import Wish
from statecrawl.errors import ApplicationError
from statecrawl.runtimes.cluster import (
    ASK_EVERY_SECONDS,
    PATIENCE_SECONDS,
    CrawlerMaker,
    Stand,
    placement,
)
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.process import Process
from statecrawl.runtimes.recorder import Recorder

KEEP_SECONDS = 60.0
TELL_EVERY_SECONDS = 1.0
ANSWER_SECONDS = 10.0
KEEPER = "keeper"
DISK = codec(Disk)


class Records(Protocol):
    """A recorder over a store that this process has opened."""

    recorder: Recorder
    disks: dict[str, Any]

    @property
    def wish(self) -> Wish:
        """What those want who look on."""
        ...

    def keep_disks(self) -> None:
        """Make the disks of coordinators durable."""
        ...

    def finish(self, reason: StopReason | None) -> StopReason:
        """Do what is left to do; without a reason, find out how the crawl ended."""
        ...


class Bounds(NamedTuple):
    """How long a crawl may go on; one that is bound is kept on this machine."""

    limits: Limits
    max_seconds: float | None
    is_bound: bool


class Names(NamedTuple):
    """How the actors of one crawl find each other."""

    prefix: str
    coordinators: tuple[Address, ...]

    def actor(self, address: Address) -> Any:
        """Return the actor with an address; ValueError while there is none."""
        return ray.get_actor(f"{self.prefix} {address}")

    def send(self, me: Address, to: Address, envelope: Envelope) -> None:
        """Have a letter delivered, or lost: sessions say it again."""
        try:
            self.actor(to).hear.remote(me, envelope)
        except ValueError:
            return


class KeeperActor:
    """Keeps the crawl of a ring in its folder; killed, it is started again and goes on."""

    def __init__(self, open_records: Callable[[], Records]) -> None:
        self._open_records = open_records
        self._opened: Records | None = None

    async def record(self, facts: Sequence[Fact]) -> None:
        """Make facts durable."""
        self._records().recorder.record(facts)

    async def tell(self, name: str, counts: Counts) -> bool:
        """Hear what a crawler has done up to now; return whether it is to pause."""
        records = self._records()
        records.recorder.tell(name, counts)
        return records.wish is Wish.PAUSE

    async def disk(self, address: Address) -> Disk:
        """Return what a coordinator has promised."""
        kept = self._records().disks.get(address)
        return Disk() if kept is None else DISK.read(kept)

    async def keep(self, address: Address, disk: Disk) -> None:
        """Make durable what a coordinator promises."""
        self._records().disks[address] = DISK.write(disk)
        self._records().keep_disks()

    async def counts(self) -> tuple[int, int, Wish]:
        """Return how many states are known, how many events were executed, and what is wanted."""
        records = self._records()
        return records.recorder.states, records.recorder.counts().events, records.wish

    async def finish(self, reason: StopReason | None) -> StopReason:
        """Do what is left to do when all crawlers are done."""
        return self._records().finish(reason)

    def _records(self) -> Records:
        """Return the recorder, opened in the thread that uses it."""
        if self._opened is None:
            self._opened = self._open_records()
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


class MemberActor:
    """A coordinator of the ring; killed, it is started again and the others tell it its part."""

    def __init__(
        self, address: Address, names: Names, settings: RingSettings, strategy: StrategyFactory
    ) -> None:
        self._address = address
        self._names = names
        self._settings = settings
        self._strategy = strategy
        self._process: Process | None = None
        self._member: RingMember | None = None

    async def hear(self, sender: Address, envelope: Envelope) -> None:
        """Take in a letter."""
        await self._start()
        if self._process is not None:
            self._process.hear(sender, envelope)

    async def stand(self) -> tuple[int, bool]:
        """Return how many events are left here, and whether the crawl is over."""
        await self._start()
        if self._member is None or self._process is None:
            return 0, False
        self._process.check()
        return self._member.ledger.left, self._member.termination.is_over

    async def _start(self) -> None:
        """Start, once, in the thread that everything else is done in."""
        if self._member is not None:
            return
        keeper = self._names.actor(KEEPER)
        disk: Disk = await keeper.disk.remote(self._address)
        if self._member is not None:  # another call was faster
            return
        everyone = self._names.coordinators
        self._member = RingMember(self._address, everyone, self._settings, self._strategy, disk)
        machine = _Durable(
            Endpoint(self._member, int(time()), fleeting=(Beat,)),
            disk,
            lambda kept: ray.get(keeper.keep.remote(self._address, kept), timeout=KEEP_SECONDS),
        )
        self._process = Process(
            machine,
            lambda to, envelope: self._names.send(self._address, to, envelope),
            record=lambda facts: ray.get(keeper.record.remote(facts), timeout=KEEP_SECONDS),
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
        self._process: Process | None = None
        self._machine: RingCrawler | None = None
        self._crawler: Crawler | None = None

    async def hear(self, sender: Address, envelope: Envelope) -> None:
        """Take in a letter; one that comes too early is sent again."""
        if self._process is None or self._machine is None or self._crawler is None:
            return
        waited = self._machine.waited_seconds
        self._process.hear(sender, envelope)
        self._crawler.spending.answered(self._machine.waited_seconds - waited, 0.0)

    async def run(self) -> None:
        """Crawl until the crawl is over."""
        async with self._make() as (crawler, _):
            crawler.tells_content_again = True
            life = int(time())
            known, identity = self._names.coordinators, crawler.identity
            machine = self._machine = RingCrawler(
                self._address, known, identity, ANSWER_SECONDS, self._lease_seconds, life
            )
            speaker: Machine = machine
            if isinstance(identity, AskedIdentity):
                speaker = ResolvingCrawler(machine, self._address, known, identity, ANSWER_SECONDS)
            self._process = Process(
                Endpoint(speaker, life),
                lambda to, envelope: self._names.send(self._address, to, envelope),
                crawler,
                rest=crawler.rest,
            )
            self._crawler = crawler
            telling = asyncio.create_task(self._tell(crawler.counts, self._process))
            try:
                self._process.begin()
                await self._process.until(lambda: machine.is_over)
                await self._names.actor(KEEPER).tell.remote(self._life, crawler.counts())
            finally:
                telling.cancel()
                await asyncio.gather(telling, return_exceptions=True)
                await self._process.close()

    async def _tell(self, counts: Callable[[], Counts], process: Process) -> None:
        self._life = f"{self._address} {secrets.token_hex(4)}"
        while True:
            await asyncio.sleep(TELL_EVERY_SECONDS)
            is_wanted = await self._names.actor(KEEPER).tell.remote(self._life, counts())
            process.pause(is_wanted=is_wanted)


class RingCrawl:
    """A crawl by a ring on the cluster, seen from the process that started it."""

    def __init__(
        self,
        open_records: Callable[[], Records],
        make: CrawlerMaker,
        settings: RingSettings,
        strategy: StrategyFactory,
        size: tuple[int, int],
        bounds: Bounds,
    ) -> None:
        self._bounds = bounds
        coordinators, crawlers = size
        addresses = tuple(f"coordinator {number}" for number in range(coordinators))
        names = Names(secrets.token_hex(8), addresses)
        always: dict[str, Any] = {"num_cpus": 0, "max_restarts": -1, "max_task_retries": -1}

        def actor(kind: type, address: Address, *arguments: Any, **options: Any) -> Any:
            name = f"{names.prefix} {address}"
            return ray.remote(kind).options(name=name, **always, **options).remote(*arguments)

        place = placement(is_bound=bounds.is_bound)
        self._keeper = actor(KeeperActor, KEEPER, open_records, scheduling_strategy=place)
        self._members = [
            actor(MemberActor, each, each, names, settings, strategy) for each in addresses
        ]
        self._crawlers = []
        for number in range(crawlers):
            address, home = f"crawler {number}", number % coordinators
            known = names._replace(coordinators=(*addresses[home:], *addresses[:home]))
            lease = settings.lease_seconds
            made = actor(RingCrawlerActor, address, address, known, lease, make)
            self._crawlers.append(made)
        self._runs = [each.run.remote() for each in self._crawlers]
        self._stop: StopReason | None = None

    @property
    def is_stopping(self) -> bool:
        """Tell whether somebody said stop."""
        return self._stop is not None

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """End the crawl; what was found is kept."""
        self._stop = self._stop or reason

    async def run(self, tell: Callable[[Stand], None]) -> StopReason:
        """Wait until the crawl is over."""
        max_seconds = self._bounds.max_seconds
        started = heard_at = monotonic()
        while self._stop is None:
            if max_seconds is not None and monotonic() > started + max_seconds:
                self.stop(StopReason.MAX_SECONDS)
            try:
                is_over = await self._look(tell)
                heard_at = monotonic()
                if is_over:
                    break
            except RayActorError as error:
                if monotonic() > heard_at + PATIENCE_SECONDS:
                    raise ApplicationError(f"the ring on the cluster fails: {error}") from None
            _, left = await asyncio.to_thread(
                ray.wait, self._runs, num_returns=len(self._runs), timeout=ASK_EVERY_SECONDS
            )
            if not left:
                await asyncio.gather(*self._runs)  # says what went wrong
                break
        for each in self._crawlers:
            if self._stop is not None:
                ray.kill(each)
        reason: StopReason = await self._keeper.finish.remote(self._stop)
        return reason

    async def _look(self, tell: Callable[[Stand], None]) -> bool:
        limits = self._bounds.limits
        states, events, wish = await self._keeper.counts.remote()
        stands = await asyncio.gather(
            *(each.stand.remote() for each in self._members), return_exceptions=True
        )
        known: list[tuple[int, bool]] = [s for s in stands if not isinstance(s, BaseException)]
        tell(Stand(len(self._runs), states, sum(left for left, _ in known), None))
        if wish is Wish.STOP:
            self.stop()
        if limits.max_states is not None and states >= limits.max_states:
            self.stop(StopReason.MAX_STATES)
        if limits.max_events is not None and events >= limits.max_events:
            self.stop(StopReason.MAX_EVENTS)
        return bool(known) and all(is_over for _, is_over in known)
