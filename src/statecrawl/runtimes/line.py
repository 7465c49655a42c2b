"""A node's line to the hub of a star: letters out, letters in, whatever carries them."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import monotonic, perf_counter
from typing import Any, NamedTuple, TypeVar

from statecrawl.coordination.sessions import Envelope
from statecrawl.core.counts import Counts
from statecrawl.core.snapshot import Snapshot
from statecrawl.errors import ApplicationError

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 5.0
WAIT_SECONDS = 20.0
MAX_ENVELOPES = 1_000
BATCH_CHARACTERS = 8_000_000
"""So much is sent in one go, unless one letter alone has more."""

Answer = TypeVar("Answer")
Visits = tuple[Snapshot, Snapshot] | None
"""What a page looked like at two visits; None when it could not be gone to."""


class ForgottenError(Exception):
    """The coordinator does not know the node, or knows it no more."""


class NoAnswerError(Exception):
    """The coordinator could not be asked this time."""


class Mail(NamedTuple):
    """What a node is sent: letters, and whether the crawl is over, or paused.

    The node is to go to states that are doubtful twice more before it reads its letters.
    """

    envelopes: Sequence[Envelope]
    doubts: Sequence[str]
    is_over: bool
    is_paused: bool


class Line(ABC):
    """Asks again and again until it works, but not for ever; everything may be asked twice."""

    def __init__(self, where: str, patience_seconds: float, say: Callable[[str], None]) -> None:
        self._where = where
        self._patience_seconds = patience_seconds
        self._say = say
        self._waiting: list[Envelope] = []
        self._has_letters = asyncio.Event()
        self.is_over = False
        self.told = Counts()
        """What the coordinator knows that the node has done, under the name that it has now."""

    @abstractmethod
    async def ask_to_join(self) -> dict[str, Any]:
        """Ask for a name, keep it, and return what there is to know about the crawl."""

    @abstractmethod
    async def deliver(self, envelopes: Sequence[Envelope], counts: Counts) -> float:
        """Hand letters over; return how many seconds the coordinator spent on them."""

    @abstractmethod
    async def collect(self, wait_seconds: float) -> Mail:
        """Wait for letters, and return them."""

    @abstractmethod
    async def deliver_visits(self, state: str, visits: Visits, counts: Counts) -> bool:
        """Hand over what a doubtful page looked like; tell whether all nodes are forgotten now."""

    async def join(self) -> dict[str, Any]:
        """Take part, and return what there is to know about the crawl."""
        self._waiting.clear()
        self.told = Counts()
        return await self._again(self.ask_to_join)

    async def show(self, state: str, visits: Visits, counts: Counts) -> None:
        """Show what a doubtful page looked like at two more visits, None if it was not seen."""
        is_forgotten = await self._again(lambda: self.deliver_visits(state, visits, counts))
        self.told = counts
        if is_forgotten:
            raise ForgottenError

    def send(self, to: str, envelope: Envelope) -> None:
        """Have a letter sent."""
        del to
        self._waiting.append(envelope)
        self._has_letters.set()

    async def keep_sending(
        self, counts: Callable[[], Counts], answered: Callable[[float, float], None]
    ) -> None:
        """Send letters as they come; `answered` hears what a round trip took, here and there."""
        while True:
            await self._has_letters.wait()
            batch = self._batch()
            done = counts()
            started = perf_counter()
            there = await self._again(partial(self.deliver, batch, done))
            self.told = done
            answered(perf_counter() - started - there, there)

    async def keep_receiving(
        self,
        hear: Callable[[Envelope], None],
        pause: Callable[[bool], None],
        look: Callable[[str], Awaitable[None]],
    ) -> None:
        """Hear letters as they come, and whether to pause, until the crawl is over.

        Doubts come first: whoever has heard that nothing is left to do has no doubt any more.
        """
        while not self.is_over:
            mail = await self._again(lambda: self.collect(WAIT_SECONDS))
            pause(mail.is_paused)
            for state in mail.doubts:
                await look(state)
            for envelope in mail.envelopes:
                hear(envelope)
            self.is_over = mail.is_over

    async def say_last(self, counts: Counts) -> None:
        """Send what is left, once: the coordinator may be gone."""
        try:
            await self.deliver(self._batch(), counts)
        except (NoAnswerError, ForgottenError):
            return

    def _batch(self) -> list[Envelope]:
        """Take the next letters, as many as are sent in one go."""
        batch: list[Envelope] = []
        size = 0
        while self._waiting and len(batch) < MAX_ENVELOPES and size < BATCH_CHARACTERS:
            batch.append(self._waiting.pop(0))
            facts = getattr(batch[-1].message, "facts", ())
            size += sum(len(fact.snapshot.dom) for fact in facts if hasattr(fact, "snapshot"))
        if not self._waiting:
            self._has_letters.clear()
        return batch

    async def _again(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Ask until there is an answer, with growing pauses."""
        pause = FIRST_PAUSE_SECONDS
        give_up_at = monotonic() + self._patience_seconds
        while True:
            try:
                return await ask()
            except NoAnswerError as error:
                problem = str(error)
            if monotonic() >= give_up_at:
                raise ApplicationError(f"can't reach the coordinator at {self._where}: {problem}")
            if pause == FIRST_PAUSE_SECONDS:
                self._say(f"the coordinator at {self._where} does not answer: trying on")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
