"""Picks the parts of a crawl on many machines."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.compose.choices import (
    asked_identity,
    classifier_for,
    preferring,
    remind,
    state_identity,
)
from statecrawl.compose.crawl import crawl_folder, resumed_options
from statecrawl.compose.engine import bounds_of, chromium_for
from statecrawl.compose.pictures import IN_A_HURRY, Pictures
from statecrawl.compose.scouting import scout
from statecrawl.config import CrawlOptions, RunOptions, checked_equivalence
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.star_messages import Credentials
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.facts import TOLD_BY_MANY
from statecrawl.core.hooks import Running
from statecrawl.core.identity import StateIdentity
from statecrawl.core.parts import Coverage
from statecrawl.core.ports import Store
from statecrawl.core.resemblance import EventRule
from statecrawl.core.session import Crawl
from statecrawl.core.stopping import StopReason
from statecrawl.core.volatility import Volatility
from statecrawl.errors import InputError
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.divider import Divider
from statecrawl.runtimes.hub import Hub
from statecrawl.runtimes.keeper import Keeper, begin_generation
from statecrawl.runtimes.node import masks_in
from statecrawl.runtimes.recorder import Recorder
from statecrawl.runtimes.varying import Varying
from statecrawl.storage import SqlStore, check_free, create_crawl, open_crawl
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal.lines import warn

if TYPE_CHECKING:
    from statecrawl.runtimes.cluster import ClusterCrawl
    from statecrawl.runtimes.cluster_ring import RingCrawl

MAX_CRAWLERS = 1_000
TOPOLOGIES = ("star", "ring")
LEASE_SECONDS = 30.0
"""Who is not heard for so long is given up, unless somebody says otherwise."""

ABOUT = ("options", "clock", "starts", "entries", "reset_cost")
"""What is stored about a crawl that a crawler has to know, beside its masks."""


@dataclass(frozen=True)
class StarOptions:
    """How a star is run: it begins when so many nodes have come."""

    nodes: int
    lease_seconds: float
    assignment: str = "hash"


@dataclass(frozen=True)
class ClusterOptions:
    """How a crawl is spread over a cluster; without an address it is this machine alone."""

    crawlers: int
    address: str | None = None
    coordinators: int = 0
    """How many coordinators form a ring; 0: a star."""
    scheme: str = Scheme.FORWARD
    lease_seconds: float = LEASE_SECONDS

    @classmethod
    def of(cls, topology: str, coordinators: int | None, **others: Any) -> "ClusterOptions":
        """Return the options for a star, or for a ring of some coordinators."""
        if topology not in TOPOLOGIES:
            raise InputError(f"--topology {topology[:40]!r}: give one of {', '.join(TOPOLOGIES)}")
        if topology == "star":
            if coordinators not in (None, 1):
                raise InputError("a star has one coordinator: leave --coordinators out")
            return cls(coordinators=0, **others)
        return cls(coordinators=3 if coordinators is None else coordinators, **others)

    def checked(self, run: RunOptions) -> "ClusterOptions":
        """Return the options if a cluster can do what is asked for."""
        if self.scheme not in tuple(Scheme):
            raise InputError(f"--scheme {self.scheme[:40]!r}: give one of {', '.join(Scheme)}")
        if not 0 <= self.coordinators <= MAX_CRAWLERS or self.coordinators in (1, 2):
            raise InputError(
                f"--coordinators {self.coordinators}: a ring keeps everything three times, "
                f"give a number from 3 to {MAX_CRAWLERS:,}"
            )
        if not 1 <= self.crawlers <= MAX_CRAWLERS:
            raise InputError(
                f"--crawlers {self.crawlers}: give a number from 1 to {MAX_CRAWLERS:,}"
            )
        limits = run.limits
        refused = {
            "--browsers": run.browsers > 1,
            "--record": run.record,
            "--max-memory": run.max_memory is not None,
            "--max-depth": limits.max_depth is not None,
            "--max-states-per-url": limits.max_states_per_url is not None,
        }
        refuse_on_many(refused)
        return self


def refuse_on_many(options: Mapping[str, object]) -> None:
    """Refuse options, if any of them is given, that only a crawl on one machine has."""
    for option, given in options.items():
        if given:
            raise InputError(f"{option} is for a crawl on one machine: leave it out")


def checked_for_many(options: CrawlOptions, *, on_ring: bool = False) -> CrawlOptions:
    """Return the options for a crawl on many machines, or say which of them it can't have.

    What one machine learns on the way and the others would have to know is not there yet; what
    would run commands or use secrets of another machine never will be.
    """
    refused = {
        "--reset-command": options.reset_command,
        "--login": options.login,
        "--from-warc": options.from_warc,
        "--inputs auto": options.auto_inputs,
        "--invariant": options.invariants,
        "--check": options.checks,
        "--coverage content": options.coverage != Coverage.FULL,
    }
    refuse_on_many(refused)
    near = checked_equivalence(options.equivalence)
    if near is not None and not on_ring:
        raise InputError(
            f"--equivalence {options.equivalence[:80]!r} is for one machine, or a ring "
            "(--cluster --topology ring): give one that compares keys, such as exact"
        )
    if near is not None and near.events is EventRule.UNION:
        raise InputError("events=union is for a crawl on one machine: give same or ignore")
    return replace(options, links="each")


async def open_store(
    options: CrawlOptions, run: RunOptions, tell: Callable[[str], None], *, on_ring: bool = False
) -> SqlStore:
    """Return the store of a new crawl, after a first look at the application, or of an old one."""
    folder = crawl_folder(options.url, run)
    if run.resume:
        stored = open_crawl(folder)
        try:
            checked_for_many(resumed_options(options, stored), on_ring=on_ring)
        except BaseException:
            stored.close()
            raise
        return stored
    check_free(folder)
    about, masks = await scout(options, run, tell)
    store = create_crawl(folder, about, run.store)
    if masks.masks:
        store.rekey(masks, {})
    return store


def told_to_crawlers(store: Store) -> dict[str, Any]:
    """Return what a crawler has to know about a crawl."""
    about, masks = store.about, store.masks.masks
    return {**{name: about[name] for name in ABOUT}, "masks": [list(mask) for mask in masks]}


def new_hub(store: Store, star: StarOptions, run: RunOptions, say: Callable[[str], None]) -> Hub:
    """Return the coordinator of the crawl in a store."""
    about = store.about
    settings = StarSettings(
        tuple(about["entries"]),
        star.nodes,
        about["reset_cost"],
        star.assignment,
        lease_seconds=star.lease_seconds,
    )
    options = CrawlOptions.from_json(about["options"])
    identity = state_identity(options.equivalence, store.masks)
    varying = Varying(store, identity, Volatility())
    recorder = Recorder(store, classifier_for(store, options))
    return Hub(store, recorder, settings, run.limits, varying, say)


def finish(store: Store, recorder: Recorder, reason: StopReason) -> None:
    """Do what is left to do when all crawlers are done."""
    about = store.about
    options = CrawlOptions.from_json(about["options"])
    identity = state_identity(options.equivalence)
    remind(identity, store)
    divider = Divider(store, identity)
    recorder.finish(reason, divider, _session(about, options, identity))


def _session(about: dict[str, Any], options: CrawlOptions, identity: StateIdentity) -> Crawl:
    """Return a session that shares an application with others: it follows every link."""
    strategy = preferring(options.prefer, STRATEGIES[options.strategy])
    return Crawl(about["entries"], strategy, identity, about["reset_cost"], follows_once=False)


@asynccontextmanager
async def new_crawler(
    about: dict[str, Any], launch: LaunchOptions, *, on_ring: bool = False
) -> AsyncIterator[tuple[Crawler, Callable[[Credentials], Crawl]]]:
    """Start a browser for a crawl that is described by others; give what crawls with it."""
    try:
        options = CrawlOptions.from_json(about["options"]).checked()
        options = checked_for_many(options, on_ring=on_ring)
        clock, starts = int(about["clock"]), [str(url) for url in about["starts"]]
        masks = masks_in(about)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"the coordinator's description of the crawl is no good: {error}"
        ) from None
    equivalence = options.equivalence
    identity = asked_identity(equivalence, masks) or state_identity(equivalence, masks)
    bounds = bounds_of(options, starts)
    async with chromium_for(launch, options, clock, bounds, {}) as chromium:
        chromium.settings = replace(chromium.settings, scope=bounds.scope)
        workshop = BrowserWorkshop(chromium, identity, warm_pages=1)
        workshop.mask(masks)
        crawler = Crawler(workshop, identity)

        def new_session(credentials: Credentials) -> Crawl:
            entries, cost = list(credentials.entries), credentials.reset_cost
            return _session({"entries": entries, "reset_cost": cost}, options, identity)

        try:
            yield crawler, new_session
        finally:
            await crawler.close()


class StoredHub:
    """A hub and the store that it keeps its crawl in, opened together in one process."""

    def __init__(
        self, open_store: Callable[[], SqlStore], star: StarOptions, run: RunOptions
    ) -> None:
        self._store = open_store()
        self.hub = new_hub(self._store, star, run, warn)

    def about(self) -> dict[str, Any]:
        """Return what a crawler has to know about the crawl."""
        return told_to_crawlers(self._store)

    def finish(self, reason: StopReason) -> None:
        """Do what is left to do, and close the store."""
        finish(self._store, self.hub.recorder, reason)
        self._store.close()


class StoredKeeper:
    """A keeper and the store that it writes to, opened together in one process."""

    def __init__(self, open_store: Callable[[], SqlStore]) -> None:
        self._store = store = open_store()
        options = CrawlOptions.from_json(store.about["options"])
        identity = state_identity(options.equivalence, store.masks)
        self.keeper = Keeper(
            store,
            Recorder(store, classifier_for(store, options)),
            Varying(store, identity, Volatility()),
            asked_identity(options.equivalence, store.masks),
        )

    def finish(self, reason: StopReason | None) -> StopReason:
        """Do what is left to do; without a reason, find out how the crawl ended."""
        has_given_up = bool(self._store.crawled().given_up)
        ended = reason or (StopReason.GAVE_UP if has_given_up else StopReason.COMPLETE)
        finish(self._store, self.keeper.recorder, ended)
        self._store.close()
        return ended


async def crawl_on_cluster(
    options: CrawlOptions,
    run: RunOptions,
    fleet: ClusterOptions,
    begun: Callable[[Running], None],
    tell: Callable[[str], None],
) -> tuple[Path, StopReason]:
    """Crawl with many crawlers on a Ray cluster; return the folder that holds what was found."""
    try:
        from statecrawl.runtimes.cluster import Stand, cluster  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError("--cluster needs Ray: pip install 'statecrawl[cluster]'") from None
    is_ring = bool(fleet.coordinators)
    options = checked_for_many(options, on_ring=is_ring)
    with await open_store(options, run, tell, on_ring=is_ring) as store:
        if is_ring:
            store.note({TOLD_BY_MANY: fleet.coordinators})
            begin_generation(store)
        folder, opener = store.folder.absolute(), store.opener
        about = told_to_crawlers(store)

    def told(stand: Stand) -> None:
        tell(f"{stand.nodes:,} crawlers, {stand.states:,} states, {stand.left:,} events to go")

    with cluster(fleet.address):
        crawling = _ring(opener, about, run, fleet) if is_ring else _star(opener, run, fleet)
        begun(crawling)
        reason = await crawling.run(told)
    if run.screenshots and reason not in IN_A_HURRY:
        with opener() as store:
            pictures = Pictures(store, run.launch, tell)
            begun(pictures)
            await pictures.take()
    return folder, reason


def _star(opener: Callable[[], SqlStore], run: RunOptions, fleet: ClusterOptions) -> "ClusterCrawl":
    """Begin to crawl by a star, with the first crawler: no other waits for the slowest browser."""
    from statecrawl.runtimes.cluster import ClusterCrawl  # noqa: PLC0415 - an extra

    star = StarOptions(1, fleet.lease_seconds)
    return ClusterCrawl(
        partial(StoredHub, opener, star, run),
        partial(new_crawler, launch=run.launch),
        fleet.crawlers,
        run.max_seconds,
        is_bound=run.store is None,
    )


def _ring(
    opener: Callable[[], SqlStore], about: dict[str, Any], run: RunOptions, fleet: ClusterOptions
) -> "RingCrawl":
    """Begin to crawl by a ring."""
    from statecrawl.runtimes.cluster_ring import Bounds, RingCrawl  # noqa: PLC0415 - an extra

    options = CrawlOptions.from_json(about["options"])
    settings = RingSettings(
        tuple(about["entries"]),
        about["reset_cost"],
        Scheme(fleet.scheme),
        lease_seconds=fleet.lease_seconds,
        near=checked_equivalence(options.equivalence),
    )
    return RingCrawl(
        partial(StoredKeeper, opener),
        partial(new_crawler, about, run.launch, on_ring=True),
        settings,
        preferring(options.prefer, STRATEGIES[options.strategy]),
        (fleet.coordinators, fleet.crawlers),
        Bounds(run.limits, run.max_seconds, is_bound=run.store is None),
    )
