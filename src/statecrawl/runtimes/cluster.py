"""A star on a Ray cluster: the hub and its crawlers as actors, each crawler with its browser."""

import asyncio
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from time import monotonic, perf_counter
from typing import Any, NamedTuple, Protocol

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that we use it
# A cluster of this machine alone: by default its processes, and so our browsers, get next to no
# time (15 of nice) beside anything else that works here.
os.environ.setdefault("RAY_worker_niceness", "0")

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from statecrawl.coordination.sessions import Envelope
from statecrawl.core.counts import Counts
from statecrawl.core.stopping import StopReason
from statecrawl.errors import ApplicationError, InputError, StatecrawlError
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.hub import Hub
from statecrawl.runtimes.line import ForgottenError, Line, Mail, NoAnswerError, Visits
from statecrawl.runtimes.node import CrawlerStarter, NewSession, crawl_for

PATIENCE_SECONDS = 120.0
FAREWELL_SECONDS = 10.0
ASK_EVERY_SECONDS = 0.5
OUTPUT, ERRORS = 1, 2
"""The file descriptors of every process."""

CrawlerMaker = Callable[[], AbstractAsyncContextManager[tuple[Crawler, NewSession]]]
"""Starts a browser of a ring; it can be pickled, as everything that goes to another machine."""


class OpenHub(Protocol):
    """A hub over a store that this process has opened."""

    hub: Hub

    def about(self) -> dict[str, Any]:
        """Return what a crawler has to know about the crawl."""
        ...

    def finish(self, reason: StopReason) -> None:
        """Do what is left to do, and close the store."""
        ...


class Stand(NamedTuple):
    """How far a crawl is."""

    nodes: int
    states: int
    left: int
    reason: StopReason | None


class HubActor:
    """The hub in a process of its own; killed, it is started again and goes on."""

    def __init__(self, open_hub: Callable[[], OpenHub], max_seconds: float | None) -> None:
        self._open_hub = open_hub
        self._max_seconds = max_seconds
        self._opened: OpenHub | None = None
        self._running: asyncio.Task[None] | None = None
        self._reason: StopReason | None = None

    async def join(self) -> tuple[str, dict[str, Any]] | None:
        """Return a name for a new crawler, and what it has to know; None: there are too many."""
        opened = self._open()
        name = opened.hub.join()
        return None if name is None else (name, opened.about())

    async def hear(self, name: str, envelopes: Sequence[Envelope], counts: Counts) -> float | None:
        """Take in letters; return how long that took, None if there is no such crawler."""
        hub, started = self._hub(), perf_counter()
        with suppress(ForgottenError):
            hub.hear(name, envelopes, counts)
            return perf_counter() - started
        return None

    async def letters(self, name: str, wait_seconds: float) -> Mail | None:
        """Return what there is for a crawler; None if there is no such crawler."""
        with suppress(ForgottenError):
            return await self._hub().letters(name, wait_seconds)
        return None

    async def show(self, name: str, state: str, visits: Visits, counts: Counts) -> bool | None:
        """Take in what a doubtful page looked like; None if there is no such crawler."""
        with suppress(ForgottenError):
            return self._hub().show(name, state, visits, counts)
        return None

    async def stop(self) -> None:
        """Let all crawlers go."""
        self._hub().stop()

    async def stand(self) -> Stand:
        """Return how far the crawl is."""
        hub = self._hub()
        if self._running is not None and self._running.done():
            self._running.result()  # says what went wrong
        left = hub.coordinator.ownership.left
        return Stand(hub.nodes, hub.recorder.states, left, self._reason)

    def _hub(self) -> Hub:
        return self._open().hub

    def _open(self) -> OpenHub:
        """Return the hub and its store, opened in the thread that uses them."""
        if self._opened is None:
            self._opened = self._open_hub()
            self._running = asyncio.create_task(self._run(self._opened))
        return self._opened

    async def _run(self, opened: OpenHub) -> None:
        reason = await opened.hub.run(self._max_seconds)
        opened.finish(reason)
        self._reason = reason


class CrawlerActor:
    """A crawler in a process of its own; killed, it is started again with a new browser."""

    def __init__(self, hub: str, make: CrawlerStarter) -> None:
        self._hub = hub
        self._make = make

    async def run(self) -> None:
        """Crawl until the crawl is over."""
        await crawl_for(ClusterLine(ray.get_actor(self._hub)), self._make, _say)


class ClusterLine(Line):
    """A crawler's line to the hub: calls of an actor."""

    def __init__(self, hub: Any) -> None:
        super().__init__("the cluster", PATIENCE_SECONDS, _say)
        self._hub = hub
        self._name = ""

    async def ask_to_join(self) -> dict[str, Any]:
        """Ask for a name, keep it, and return what there is to know about the crawl."""
        answer = await self._ask(self._hub.join.remote())
        if answer is None:
            raise InputError("there are too many crawlers in this crawl")
        self._name, about = answer
        return dict(about)

    async def deliver(self, envelopes: Sequence[Envelope], counts: Counts) -> float:
        """Hand letters over; return how many seconds the hub spent on them."""
        seconds = await self._ask(self._hub.hear.remote(self._name, envelopes, counts))
        return float(self._known(seconds))

    async def collect(self, wait_seconds: float) -> Mail:
        """Wait for letters, and return them."""
        mail: Mail = self._known(
            await self._ask(self._hub.letters.remote(self._name, wait_seconds))
        )
        return mail

    async def deliver_visits(self, state: str, visits: Visits, counts: Counts) -> bool:
        """Hand over what a doubtful page looked like; tell whether all are forgotten now."""
        told = self._hub.show.remote(self._name, state, visits, counts)
        return bool(self._known(await self._ask(told)))

    @staticmethod
    def _known(answer: Any) -> Any:
        if answer is None:
            raise ForgottenError
        return answer

    @staticmethod
    async def _ask(answer: Any) -> Any:
        try:
            return await answer
        except RayError as error:
            raise NoAnswerError(type(error).__name__) from None


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Use the cluster at an address, or start one on this machine, as long as this lasts."""
    with _output_to_errors(), _connected(address):
        yield


@contextmanager
def _connected(address: str | None) -> Iterator[None]:
    try:
        if address is None:
            ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
        else:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError, RayError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"can't use the cluster at {address or 'this machine'}: {why}") from None
    try:
        yield
    except RayTaskError as error:
        raise plainly(error) from None
    finally:
        ray.shutdown()


def plainly(error: BaseException) -> BaseException:
    """Return what an actor, or one that it asked, really ended with: Ray wraps it in tracebacks."""
    cause = error
    while isinstance(cause, RayTaskError):
        cause = cause.cause
    return cause if isinstance(cause, StatecrawlError) else error


@contextmanager
def _output_to_errors() -> Iterator[None]:
    """Lead whatever is written to our output elsewhere: Ray tells of its troubles there."""
    sys.stdout.flush()
    kept = os.dup(OUTPUT)
    os.dup2(ERRORS, OUTPUT)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, OUTPUT)
        os.close(kept)


def placement(*, is_bound: bool) -> NodeAffinitySchedulingStrategy | str:
    """Return where an actor is placed: on this machine, if it is bound to a file here."""
    if not is_bound:
        return "DEFAULT"
    return NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)


class ClusterCrawl:
    """A crawl that runs on the cluster, seen from the process that started it.

    The hub is on this machine if its store is bound to it; crawlers are spread over all.
    """

    def __init__(
        self,
        open_hub: Callable[[], OpenHub],
        make: CrawlerStarter,
        crawlers: int,
        max_seconds: float | None,
        *,
        is_bound: bool,
    ) -> None:
        name = f"{secrets.token_hex(8)} hub"  # a handle can't be given to what may be restarted
        hub_actor = ray.remote(HubActor).options(
            name=name,
            num_cpus=0,
            max_restarts=-1,
            max_concurrency=10_000,
            scheduling_strategy=placement(is_bound=is_bound),
        )
        self._hub = hub_actor.remote(open_hub, max_seconds)
        crawler_actor = ray.remote(CrawlerActor).options(
            num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD"
        )
        self._crawlers = [crawler_actor.remote(name, make) for _ in range(crawlers)]
        self._runs = [each.run.remote() for each in self._crawlers]
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Tell whether somebody said stop."""
        return self._is_stopping

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """Let all crawlers go; what was found is kept."""
        del reason
        self._is_stopping = True

    async def run(self, tell: Callable[[Stand], None]) -> StopReason:
        """Wait until the crawl is over."""
        heard_at = monotonic()
        while True:
            try:
                if self._is_stopping:
                    await self._hub.stop.remote()
                stand: Stand = await self._hub.stand.remote()
                heard_at = monotonic()
                tell(stand)
                reason: StopReason | None = stand.reason
                if reason is not None:
                    break
            except RayActorError as error:
                if monotonic() > heard_at + PATIENCE_SECONDS:
                    raise ApplicationError(f"the hub on the cluster fails: {error}") from None
            await self._look_at_crawlers()
        await asyncio.to_thread(
            ray.wait, self._runs, num_returns=len(self._runs), timeout=FAREWELL_SECONDS
        )
        return reason

    async def _look_at_crawlers(self) -> None:
        """Wait a moment; when no crawler is left, say what the last one ended with."""
        done, left = await asyncio.to_thread(
            ray.wait, self._runs, num_returns=len(self._runs), timeout=ASK_EVERY_SECONDS
        )
        if left or not done:
            return
        try:
            await done[0]
        except RayError as error:
            why = str(plainly(error)).strip().splitlines()[-1]
            raise ApplicationError(f"no crawler is left on the cluster: {why}") from None
