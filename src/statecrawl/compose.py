"""Picks implementations by the names that users give them; nothing else does."""

import asyncio
import gc
import os
import re
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from time import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from statecrawl.browser.archive import Archive
from statecrawl.browser.bounds import Bounds
from statecrawl.browser.chromium import OUR_NAME, BeforeLoad, Chromium
from statecrawl.browser.first_look import first_look
from statecrawl.browser.gate import Policy
from statecrawl.browser.handover import Handover
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.robots import Robots, sitemap
from statecrawl.browser.sign_in import Credentials
from statecrawl.browser.tab import Tab
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.checks import CHECKS
from statecrawl.checks.invariants import python_invariant, script_invariant
from statecrawl.compose_near import stored_classes
from statecrawl.config import NO_CLASSES, CrawlOptions, RunOptions, checked_equivalence
from statecrawl.core.application import MAX_FILE_BYTES, Application, parse_model
from statecrawl.core.causes import explain
from statecrawl.core.comparison import Comparison, Detail, Details, compare, details
from statecrawl.core.crawled import Crawled
from statecrawl.core.exchange import NoContents
from statecrawl.core.hooks import Hooks
from statecrawl.core.identity import StateIdentity
from statecrawl.core.inputs import Inputs, parse_inputs
from statecrawl.core.masks import Masks
from statecrawl.core.matching import Match, Side
from statecrawl.core.near_identity import NearIdentity
from statecrawl.core.parts import Coverage
from statecrawl.core.plan import Halt, Plan
from statecrawl.core.ports import Store
from statecrawl.core.scope import Scope
from statecrawl.core.session import Crawl
from statecrawl.core.sight import Check
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.volatility import Volatility
from statecrawl.equivalences import EQUIVALENCES, near_equivalence
from statecrawl.equivalences.exact import exact
from statecrawl.errors import InputError
from statecrawl.runtimes.classifier import Classifier
from statecrawl.runtimes.inspector import Inspector
from statecrawl.runtimes.local import LocalCrawl
from statecrawl.search.documents import PAGE_RANKS, SINCE
from statecrawl.sites.models import MODELS, UNMODELLED, build_model
from statecrawl.storage import SqlStore, check_free, create_crawl, open_crawl
from statecrawl.storage.responses import Responses
from statecrawl.storage.warc import Recorded, read_warc
from statecrawl.strategies import PREFERENCES, STRATEGIES

RESET_COMMAND_SECONDS = 60
MAX_INPUTS_BYTES = 1_000_000
AUTO = "auto"
MAX_TRAIL = 5000
"""How much is done once more, at most, to find a state again that no short way leads to."""
NOWHERE = "offline.invalid"
"""The only host that a browser can reach that is answered from an archive."""
WARM_PAGES = 2
"""How many pages are loaded in advance, for all tabs together."""


class Replayed(NamedTuple):
    """What a replay came to."""

    state: str
    reached: bool
    events: int
    resets: int
    picture: bytes


def pick_strategies(names: list[str]) -> dict[str, StrategyFactory]:
    """Return the strategies with these names, each once; `all` names every one."""
    picked = {}
    for name in names:
        if name == "all":
            picked.update(STRATEGIES)
        elif name in STRATEGIES:
            picked[name] = STRATEGIES[name]
        else:
            raise InputError(
                f"unknown strategy {name[:40]!r}: give one of {', '.join(STRATEGIES)}, or all"
            )
    return picked


def preferring(prefer: str, strategy: StrategyFactory) -> StrategyFactory:
    """Return a strategy that explores first what is preferred, if anything is."""
    return PREFERENCES[prefer](strategy) if prefer else strategy


def load_application(model: str) -> Application:
    """Return the model in a file, or a built-in one named as NAME[:key=value,...]."""
    if model.partition(":")[0] in {*MODELS, *UNMODELLED}:
        return build_model(model)
    try:
        with Path(model).open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise InputError(
            f"{model[:200]!r} is neither a file nor a built-in model ({', '.join(MODELS)})"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"can't read {model[:200]!r}: {reason}") from None
    return parse_model(raw)


def load_inputs(sources: Sequence[str]) -> tuple[Inputs, bool]:
    """Return the values for fields in a file, TOML or JSON, and whether `auto` was given too."""
    paths = [source for source in sources if source != AUTO]
    if len(paths) > 1:
        raise InputError("--inputs takes one file: put all values into it")
    if not paths:
        return Inputs(), bool(sources)
    path = Path(paths[0])
    try:
        with path.open("rb") as stream:
            text = stream.read(MAX_INPUTS_BYTES + 1).decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"can't read the inputs in {paths[0][:200]!r}: {reason}") from None
    if len(text) > MAX_INPUTS_BYTES:
        raise InputError(
            f"the inputs in {paths[0][:200]!r} have more than {MAX_INPUTS_BYTES:,} bytes"
        )
    return parse_inputs(text, path.suffix.lower() == ".json"), len(paths) < len(sources)


def state_identity(equivalence: str, masks: Masks | None = None) -> StateIdentity:
    """Return what decides which state a page is."""
    near = checked_equivalence(equivalence)
    if near is None:
        return StateIdentity(EQUIVALENCES[equivalence], masks)
    return NearIdentity(near, exact, masks)


def remind(identity: StateIdentity, store: Store) -> None:
    """Let identity know what a crawl does: its masks and, where they decide, its states."""
    identity.masks = store.masks
    if isinstance(identity, NearIdentity):
        identity.recall(store.doms())


def classifier_for(store: Store, options: CrawlOptions) -> Classifier | None:
    """Return what sorts states into near-duplicate classes, if that is wanted."""
    if options.classes == NO_CLASSES:
        return None
    return Classifier(store, near_equivalence(options.classes))


async def crawl_application(
    options: CrawlOptions, run: RunOptions, hooks: Hooks | None = None
) -> Path:
    """Crawl a real application; return the folder that holds what was found."""
    folder = crawl_folder(options.url, run)
    if not run.resume:
        check_free(folder)
    stored = open_crawl(folder) if run.resume else None
    responses = Responses() if run.record else None
    try:
        if stored is not None:
            options = resumed_options(options, stored)
        archive = _archive(options)
        now = int(time() * 1000) if archive is None else archive.clock
        clock = stored.about["clock"] if stored is not None else now
        identity = state_identity(options.equivalence)
        bounds = bounds_of(options, stored.about["starts"] if stored is not None else ())
        checks = _checks(options, run)
        learned = stored.about.get("learned", {}) if stored is not None else {}
        async with chromium_for(
            run.launch, options, clock, bounds, learned, archive, responses
        ) as chromium:
            # Loading in advance pays while there are idle cores, and data that nobody puts back.
            warm_pages = 0 if options.reset_command else WARM_PAGES // run.browsers
            workshop = BrowserWorkshop(chromium, identity, warm_pages)
            if stored is None:
                about = await look_first(chromium, options, bounds, clock)
                about |= {PAGE_RANKS: run.page_ranks, SINCE: run.since}
                about["entries"] = list(run.entries) or about["entries"]
                stored = create_crawl(folder, about, run.store)
                if run.masks.masks:
                    stored.rekey(run.masks, {})
            if responses is not None:
                responses.open(folder)
            remind(identity, stored)
            chromium.settings = replace(chromium.settings, scope=bounds.scope)
            workshop.mask(identity.masks)
            workshop.trust(stored.about.get("trusted", ()))
            crawling = LocalCrawl(
                workshop,
                stored,
                _session_maker(stored, options, run, identity),
                identity,
                Volatility(),
                hooks or Hooks(),
            )
            crawling.with_screenshots = run.screenshots
            crawling.inspector = Inspector(checks)
            crawling.classifier = classifier_for(stored, options)
            if run.resume and checks:
                crawling.inspector.recall(each.problem for each in stored.crawled().sightings)
            with rarely_collecting():
                await crawling.run(run.browsers, run.max_seconds)
    finally:
        if responses is not None:
            responses.close()
        if stored is not None:
            stored.close()
    return folder


async def look_first(
    chromium: Chromium, options: CrawlOptions, bounds: Bounds, clock: int
) -> dict[str, Any]:
    """Look at an application for the first time; return what is stored about its crawl."""
    starts = [options.url]

    def widen(led_to: str) -> None:
        starts.append(led_to)
        bounds.fix(options.scope(*starts))

    reset_cost = await first_look(chromium, options.url, widen, options.selectors)
    return {
        **options.to_json(),
        "clock": clock,
        "entries": await _entries(options, bounds.scope),
        "starts": starts,
        "reset_cost": reset_cost,
        "options": options.to_json(),
    }


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Look for garbage in circles seldom: a crawl makes little, and looking takes a tenth of us."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def bounds_of(options: CrawlOptions, starts: Sequence[str] = ()) -> Bounds:
    """Return where a crawl may go; one that begins may be led elsewhere by its first page."""
    robots = Robots(options.user_agent or OUR_NAME) if options.respect_robots else None
    bounds = Bounds(options.scope(options.url), robots)
    if starts:
        bounds.fix(options.scope(*starts))
    return bounds


def chromium_for(
    launch: LaunchOptions,
    options: CrawlOptions,
    clock: int,
    bounds: Bounds,
    learned: Mapping[str, Sequence[str]],
    archive: Recorded | None = None,
    responses: Responses | None = None,
) -> Chromium:
    """Return a browser that keeps to the options, and knows values that were learned.

    It is answered from an archive, if there is one, and has responses recorded.
    """
    credentials = _credentials(options)
    policy = Policy(
        bounds.refusal,
        options.rate,
        options.user_agent,
        None if credentials is None else credentials.basic(),
        None if responses is None else responses.add,
        None if archive is None else Archive(archive.exchanges),
    )
    settings = replace(options.agent(clock, learned), scope=bounds.scope)
    hosts = options.hosts(options.url) if archive is None else (NOWHERE,)
    if hosts and launch.cdp is not None:
        option = "--isolate" if archive is None else "--from-warc"
        raise InputError(f"{option} needs a browser of its own: leave --cdp out")
    launch = launch._replace(hosts=hosts)
    return Chromium(
        launch,
        settings,
        _reset_command(options.reset_command),
        policy,
        credentials,
        watches_documents=bool(options.checks),
    )


def _archive(options: CrawlOptions) -> Recorded | None:
    """Return what is crawled in place of the network, if that is wanted."""
    return read_warc(Path(options.from_warc)) if options.from_warc else None


def start_of_archive(file: Path) -> str:
    """Return the URL that the crawl in an archive started at, or the first page there."""
    return read_warc(file).start


def _credentials(options: CrawlOptions) -> Credentials | None:
    """Return how to sign in, if that is needed; secrets come from the environment only."""
    if not options.login:
        return None
    login = options.how_to_sign_in()
    return Credentials(login, login.values(os.environ), options.url)


async def _entries(options: CrawlOptions, scope: Scope) -> list[str]:
    """Return the URLs to start at: the one given, and those of the sitemap if that is wanted."""
    if not options.sitemap:
        return [options.url]
    named = await sitemap(options.url, scope, options.user_agent or OUR_NAME)
    return list(dict.fromkeys([options.url, *named]))


def _reset_command(command: str) -> BeforeLoad | None:
    """Return what puts the server's data back: the user's own command, in the user's shell."""
    if not command:
        return None

    async def run(cursor: int) -> None:
        process = await asyncio.create_subprocess_shell(
            command.replace("{cursor}", str(cursor)),
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(RESET_COMMAND_SECONDS):
                code = await process.wait()
        except TimeoutError:
            raise InputError(
                f"--reset-command did not end within {RESET_COMMAND_SECONDS} s: {command[:100]!r}"
            ) from None
        finally:
            if process.returncode is None:  # what it started ends with it
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if code:
            raise InputError(f"--reset-command failed with {code}: {command[:100]!r}")

    return run


def _checks(options: CrawlOptions, run: RunOptions) -> list[Check]:
    """Return everything that each state is checked for."""
    return [
        *(CHECKS[name]() for name in options.checks),
        *map(script_invariant, options.invariants),
        *map(python_invariant, run.invariants),
    ]


def _session_maker(
    store: Store, options: CrawlOptions, run: RunOptions, identity: StateIdentity
) -> Callable[[], Crawl]:
    entries, reset_cost = store.about["entries"], store.about["reset_cost"]
    strategy = preferring(options.prefer, STRATEGIES[options.strategy])
    once, coverage = options.links == "once", Coverage(options.coverage)

    def make() -> Crawl:
        crawl = Crawl(entries, strategy, identity, reset_cost, run.limits, once, coverage)
        if isinstance(identity, NearIdentity):
            crawl.kin = identity.kin
            crawl.is_stray = identity.is_stray
        if options.links == "none":
            crawl.stay()
        crawl.attention = run.attention
        return crawl

    return make


def resumed_options(options: CrawlOptions, store: Store) -> CrawlOptions:
    """Return the options that the stored crawl began with; its URL must be the same."""
    before = CrawlOptions.from_json(store.about["options"])
    if options.url and options.url != before.url:
        raise InputError(
            f"the folder holds a crawl of {before.url}, not of {options.url}: give another --out"
        )
    return replace(before, login=options.login or before.login)


def crawl_folder(url: str, run: RunOptions) -> Path:
    """Return the folder of a crawl: the one given, or a free one with its name or the host's."""
    if run.out is not None:
        return run.out
    name = run.name or re.sub(r"[^A-Za-z0-9.-]", "-", urlsplit(url).netloc)
    parent = Path("crawls")
    if run.resume:
        raise InputError("say which crawl to go on with: --resume --out DIR")
    number = 1
    while (folder := parent / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return folder


def read_crawl(folder: Path) -> Crawled:
    """Return a crawl, running or finished, with guesses why events are nondeterministic."""
    with opened_crawl(folder) as crawled:
        return crawled.with_contents(NoContents())


@contextmanager
def opened_crawl(folder: Path) -> Iterator[Crawled]:
    """Give a crawl with the content of its pages, as long as this lasts."""
    with open_crawl(folder, read_only=True) as store:
        yield explained(store)


def explained(store: SqlStore) -> Crawled:
    """Return a crawl with the content of its pages, and what can be said of them.

    That is why events may be nondeterministic, and which states are near-duplicates.
    """
    crawled = store.crawled().with_contents(store)
    crawled = crawled.with_classes(stored_classes(store, crawled))
    return crawled.with_guesses(explain(crawled, store.snapshot))


class Compared(NamedTuple):
    """Two crawls compared, and what tells more about each state that has changed."""

    comparison: Comparison
    details: Details

    def to_json(self, one: Path, other: Path) -> dict[str, Any]:
        """Return what differs, and where the crawls are."""
        told = self.comparison.to_json(self.details)
        return {
            **told,
            "a": {"crawl": str(one), **told["a"]},
            "b": {"crawl": str(other), **told["b"]},
        }


@contextmanager
def compared(one: Path, other: Path) -> Iterator[Compared]:
    """Compare two crawls; details are read from them as long as this lasts.

    What either crawl left out of identity is left out of both.
    """
    with (
        open_crawl(one, read_only=True) as first,
        open_crawl(other, read_only=True) as second,
    ):
        was, now = first.crawled(), second.crawled()
        kinds = [str(crawled.about.get("equivalence", "")) for crawled in (was, now)]
        if kinds[0] != kinds[1]:
            raise InputError(
                f"the crawls were made with {' and '.join(kinds)}: crawl one of them again, "
                "with the --equivalence of the other"
            )
        masks = was.masks.plus(now.masks.masks)
        sides = []
        identity = state_identity(kinds[0], masks)
        for store, crawled in ((first, was), (second, now)):
            is_same = kinds[0] in EQUIVALENCES and set(crawled.masks.masks) == set(masks.masks)
            keys = {} if is_same else {state: identity(page) for state, page in store.doms()}
            sides.append(Side(crawled, keys))

        def told(match: Match) -> list[Detail]:
            before, after = first.snapshot(match.was), second.snapshot(match.now)
            return [] if before is None or after is None else details(before, after, masks)

        yield Compared(compare(*sides), told)


async def replay_state(
    folder: Path, state: str, launch: LaunchOptions, login: str = ""
) -> Replayed:
    """Bring a fresh browser into a state by its path, and say whether that worked."""
    async with replaying(folder, state, launch, login) as (_, replayed):
        return replayed


@asynccontextmanager
async def replaying(
    folder: Path, state: str, launch: LaunchOptions, login: str = ""
) -> AsyncIterator[tuple[Tab, Replayed]]:
    """Bring a fresh browser into a state by its path; it is there as long as this lasts.

    It signs in as the crawl did, unless another login is given.
    """
    with open_crawl(folder, read_only=True) as store:
        crawled = store.crawled()
        goal = _one_state(crawled, state)
        ways = [way for way in (crawled.path(goal), crawled.path_as_found(goal)) if way]
        if not ways:
            raise InputError(f"no known path leads to state {state}")
        options = CrawlOptions.from_json(store.about["options"])
        options = replace(options, login=login or options.login)
        identity = state_identity(options.equivalence)
        remind(identity, store)
        bounds = bounds_of(options, store.about["starts"])
        clock, learned = store.about["clock"], store.about.get("learned", {})
        archive = _archive(options)
        async with chromium_for(launch, options, clock, bounds, learned, archive) as chromium:
            workshop = BrowserWorkshop(chromium, identity)
            workshop.mask(identity.masks)
            workshop.trust(store.about.get("trusted", ()))
            tab = workshop.tab()
            try:
                yield tab, await _bring(tab, ways, goal, identity, store)
            finally:
                await tab.close()


@asynccontextmanager
async def handed_over(
    folder: Path, state: str, launch: LaunchOptions, login: str = ""
) -> AsyncIterator[tuple[Handover, Replayed]]:
    """Bring a fresh browser into a state, and leave it to a person as long as this lasts."""
    async with replaying(folder, state, launch, login) as (tab, replayed):
        page = None if tab.page is None or not tab.page.is_alive else tab.page
        handover = Handover(page, replayed.reached, launch.is_visible)
        await handover.begin()
        yield handover, replayed


async def _bring(
    tab: Tab, ways: Sequence[Plan], goal: str, identity: StateIdentity, store: Store
) -> Replayed:
    """Bring a tab into a state: by the ways given, else by all that was done before."""
    events = resets = 0
    reached = False
    picture = b""
    for way in dict.fromkeys(ways):
        seen, halt, *_ = await tab.execute(way)
        events, resets = events + max(0, len(seen) - 1), resets + bool(seen)
        reached = bool(seen) and halt is Halt.DONE and identity(seen[-1]) == goal
        picture = b"" if halt is Halt.LOST else await tab.screenshot()
        if reached:
            break
    trail = None if reached else store.trail(goal)
    if trail is not None and len(trail.moves) <= MAX_TRAIL:
        page = await tab.retrace(trail)
        events, resets = events + len(trail.moves), resets + 1
        reached = page is not None and identity(page) == goal
        picture = b"" if page is None else await tab.screenshot()
    return Replayed(goal, reached, events, resets, picture)


def _one_state(crawled: Crawled, wanted: str) -> str:
    """Return the state whose id begins like this."""
    found = [state for state in crawled.states if state.startswith(wanted)]
    if len(found) == 1 or wanted in found:
        return wanted if wanted in found else found[0]
    problem = "there are several states" if found else "there is no state"
    raise InputError(f"{problem} {wanted[:40]!r} in this crawl: statecrawl show lists them")
