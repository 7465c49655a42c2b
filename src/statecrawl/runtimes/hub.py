"""The coordinator of a star, with what it keeps: one crawl folder, letters for its nodes."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

from statecrawl.coordination.machine import Address
from statecrawl.coordination.sessions import Endpoint, Envelope
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Fact
from statecrawl.core.limits import Limits
from statecrawl.core.masks import Mask
from statecrawl.core.ports import Store
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.wish import Wish
from statecrawl.runtimes.doubts import Doubts
from statecrawl.runtimes.line import ForgottenError, Mail
from statecrawl.runtimes.plausible import Plausible
from statecrawl.runtimes.process import Process
from statecrawl.runtimes.recorder import Recorder
from statecrawl.runtimes.varying import Varying

LIVES = "lives"
"""The setting that counts how often a coordinator was started on a crawl."""
LOOK_EVERY_SECONDS = 0.2
MAX_NODES = 10_000


class Hub:
    """Hears nodes and keeps letters for them, until they ask; others get a ForgottenError.

    Whatever a node was told is durable. A hub that is made of the same store goes on with the
    crawl: nodes of an earlier one are known, and take part again.
    """

    def __init__(
        self,
        store: Store,
        recorder: Recorder,
        settings: StarSettings,
        limits: Limits,
        varying: Varying,
        say: Callable[[str], None],
    ) -> None:
        self._store = store
        self._settings = settings
        self._limits = limits
        self._varying = varying
        self._doubts = Doubts(varying)
        self._say = say
        self._stop: StopReason | None = None
        store.ask(Wish.RUN)
        self.recorder = recorder
        self._recorded: list[Fact] = []
        self._process = Process(self._new_machine(), self._post, record=self._record)
        self._letters: dict[Address, dict[tuple[int, int, int], Envelope]] = {}
        self._arrivals: dict[str, asyncio.Event] = {}
        self._heard_at: dict[str, float] = {}
        self._has_heard_end: set[str] = set()
        self._is_paused = False
        self._paused: set[str] = set()
        self._awaited_again = 0

    def _new_machine(self) -> Endpoint:
        """Return a coordinator that knows what the store does, in another life."""
        life = self._store.about.get(LIVES, 0) + 1
        self._store.note({LIVES: life})
        self.coordinator = StarCoordinator(self._settings, self._store.facts(), life)
        return Endpoint(Plausible(self.coordinator, self.recorder.is_known, self._say), life)

    def join(self) -> str | None:
        """Return a name for a new node, which proves from now on who it is; None: too many."""
        if len(self.recorder.crawlers) >= MAX_NODES:
            return None
        name = secrets.token_urlsafe(16)
        self.recorder.enter(name)
        if self._awaited_again:
            self._awaited_again -= 1
            self._heard_at[name] = monotonic()
        return name

    def knows(self, name: str) -> bool:
        """Tell whether a node was let in under this name, and not forgotten since."""
        return name in self.recorder.crawlers

    def _recognise(self, name: str) -> None:
        """Take notice that a node lives; whoever is not known has to join first."""
        if not self.knows(name):
            raise ForgottenError
        self._heard_at[name] = monotonic()

    def hear(self, name: str, envelopes: Iterable[Envelope], counts: Counts | None) -> None:
        """Take in what a node says, and what it has done so far."""
        self._recognise(name)
        if counts is not None:
            self.recorder.tell(name, counts)
        for envelope in envelopes:
            self._process.hear(name, envelope)
        recorded, self._recorded = self._recorded, []
        if recorded:
            with self._failing():
                self._learn(self._doubts.hear(name, recorded, self._outcomes))

    def show(
        self,
        name: str,
        state: str,
        visits: tuple[Snapshot, Snapshot] | None,
        counts: Counts | None,
    ) -> bool:
        """Take in what a node saw when it went to a doubtful page twice more, None: it could not.

        Tell whether that showed what varies: then all nodes are forgotten, this one, too.
        """
        self._recognise(name)
        if counts is not None:
            self.recorder.tell(name, counts)
        with self._failing():
            return self._learn(self._doubts.answer(name, state, visits, self._outcomes))
        return False

    def _outcomes(self, state: str, event: str) -> frozenset[str]:
        return self.coordinator.ownership.outcomes(state, event)

    def _learn(self, found: list[Mask]) -> bool:
        """Leave out what varies from now on, and go on as after a restart; tell whether it is news.

        Ids of states are others then. That is why nobody is known any more before they change, and
        whatever nodes say that do not know the masks yet is refused. There is no need to wait for
        their leases: they hear at once that they are forgotten.
        """
        if self.is_over or not self._varying.is_news(found):
            return False
        self._awaited_again += len(self._alive())
        self.recorder.forget_crawlers()
        self._varying.learn(found)
        self.recorder.begin_anew()
        self._process.machine = self._new_machine()
        self._process.look_again()
        self._doubts.forget()
        self._wake_all()
        for told in (self._letters, self._arrivals, self._heard_at, self._has_heard_end):
            told.clear()
        self._paused.clear()
        return True

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """End the crawl if something goes wrong that the coordinator relies on."""
        try:
            yield
        except Exception as error:
            self._process.fail(error)

    def _record(self, facts: Sequence[Fact]) -> None:
        self.recorder.record(facts)
        self._recorded += facts

    async def letters(self, name: str, wait_seconds: float) -> Mail:
        """Return what there is for a node, as soon as there is any news."""
        self._recognise(name)
        arrival = self._arrivals.setdefault(name, asyncio.Event())
        is_as_told = self._is_paused == (name in self._paused)
        has_news = self._letters.get(name) or self._doubts.of(name)
        if not has_news and not self.is_over and is_as_told:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_seconds):
                    await arrival.wait()
        self._recognise(name)
        arrival.clear()
        if self.is_over:
            self._has_heard_end.add(name)
        self._paused.discard(name)
        if self._is_paused:
            self._paused.add(name)
        envelopes = list(self._letters.pop(name, {}).values())
        return Mail(envelopes, self._doubts.of(name), self.is_over, self._is_paused)

    @property
    def is_over(self) -> bool:
        """Tell whether there is nothing more to do, or somebody said stop."""
        return self._stop is not None or self.coordinator.is_over

    @property
    def nodes(self) -> int:
        """How many nodes were heard within a lease."""
        return len(self._alive())

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """Let all nodes go."""
        self._stop = self._stop or reason
        self._process.look_again()

    @property
    def is_stopping(self) -> bool:
        """Tell whether somebody said stop."""
        return self._stop is not None

    async def run(self, max_seconds: float | None) -> StopReason:
        """Wait until the crawl is over, and all nodes that live know it."""
        loop = asyncio.get_running_loop()
        timer = None
        if max_seconds is not None:
            timer = loop.call_later(max_seconds, self.stop, StopReason.MAX_SECONDS)
        watching = asyncio.create_task(self._watch())
        try:
            self._process.begin()
            await self._process.until(lambda: self.is_over)
            await self._say_goodbye()
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            if timer is not None:
                timer.cancel()
            await self._process.close()
        if not self.coordinator.is_over and self._stop is not None:
            return self._stop
        has_given_up = bool(self._store.crawled().given_up)
        return StopReason.GAVE_UP if has_given_up else StopReason.COMPLETE

    def _post(self, to: Address, envelope: Envelope) -> None:
        letters = self._letters.setdefault(to, {})
        letters[envelope.stream, envelope.number, envelope.heard] = envelope
        if to in self._arrivals:
            self._arrivals[to].set()

    def _wake_all(self) -> None:
        for arrival in self._arrivals.values():
            arrival.set()

    def _alive(self) -> set[str]:
        since = monotonic() - self.coordinator.settings.lease_seconds
        return {name for name, at in self._heard_at.items() if at >= since}

    @property
    def _is_missed(self) -> bool:
        """Tell whether a node that lives has not heard the end."""
        return self._awaited_again > 0 or bool(self._alive() - self._has_heard_end)

    async def _watch(self) -> None:
        """Look out for limits, and for what those want who look on."""
        while True:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
            limits, counts = self._limits, self.recorder.counts()
            if limits.max_states is not None and self.recorder.states >= limits.max_states:
                self.stop(StopReason.MAX_STATES)
            if limits.max_events is not None and counts.events >= limits.max_events:
                self.stop(StopReason.MAX_EVENTS)
            wish = self._store.wish
            if wish is Wish.STOP:
                self.stop()
            if self._is_paused != (wish is Wish.PAUSE):
                self._is_paused = wish is Wish.PAUSE
                self._wake_all()

    async def _say_goodbye(self) -> None:
        """Wait, not long, until all nodes that live have heard the end."""
        self._wake_all()
        end = monotonic() + min(5.0, self.coordinator.settings.lease_seconds)
        while self._is_missed and monotonic() < end:
            await asyncio.sleep(0.02)  # how often to look, not how long to wait
