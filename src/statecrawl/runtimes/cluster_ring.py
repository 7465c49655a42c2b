"""A ring on a Ray cluster, seen from the process that starts it."""

import asyncio
import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayActorError, RayTaskError

from statecrawl.coordination.machine import Address
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.core.limits import Limits
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.wish import Wish
from statecrawl.errors import ApplicationError
from statecrawl.runtimes.cluster import (
    ASK_EVERY_SECONDS,
    FAREWELL_SECONDS,
    PATIENCE_SECONDS,
    CrawlerMaker,
    Stand,
    placement,
)
from statecrawl.runtimes.keeper import Kept
from statecrawl.runtimes.ring_actors import (
    KEEPER,
    KeeperActor,
    MemberActor,
    Names,
    OpenKeeper,
    RingCrawlerActor,
)


class Bounds(NamedTuple):
    """How long a crawl may go on; one that is bound is kept on this machine."""

    limits: Limits
    max_seconds: float | None
    is_bound: bool


class RingCrawl:
    """A crawl by a ring on the cluster, seen from the process that started it."""

    def __init__(
        self,
        open_keeper: Callable[[], OpenKeeper],
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
        self._keeper = actor(KeeperActor, KEEPER, open_keeper, scheduling_strategy=place)
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
        self._generation = 0
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
        if self._stop is not None:
            await self._end_crawlers()
        reason: StopReason = await self._keeper.finish.remote(self._stop)
        return reason

    async def _end_crawlers(self) -> None:
        """Let all crawlers end the plan under way; who takes too long for that is killed."""
        await self._keeper.stop.remote()
        _, left = await asyncio.to_thread(
            ray.wait, self._runs, num_returns=len(self._runs), timeout=FAREWELL_SECONDS
        )
        for crawler, run in zip(self._crawlers, self._runs, strict=True):
            if run in left:
                ray.kill(crawler)

    async def _look(self, tell: Callable[[Stand], None]) -> bool:
        """Look how far all are; over is what is over for all of the generation of now."""
        stands = await asyncio.gather(
            *(each.stand.remote(self._generation) for each in self._members),
            return_exceptions=True,
        )
        known: list[tuple[int, int, bool]] = [s for s in stands if not isinstance(s, BaseException)]
        for error in stands if not known else ():
            if isinstance(error, RayTaskError):  # no coordinator works any more
                raise error
        kept: Kept = await self._keeper.stand.remote()
        self._generation = kept.generation
        left = sum(left for _, left, _ in known)
        tell(Stand(len(self._runs), kept.states, left, None))
        limits = self._bounds.limits
        if kept.wish is Wish.STOP:
            self.stop()
        if limits.max_states is not None and kept.states >= limits.max_states:
            self.stop(StopReason.MAX_STATES)
        if limits.max_events is not None and kept.events >= limits.max_events:
            self.stop(StopReason.MAX_EVENTS)
        are_over = [over and of == kept.generation for of, _, over in known]
        if not known or not all(are_over):
            return False
        if not kept.is_settled:
            await self._keeper.go_on.remote(kept.generation)
        return kept.is_settled
