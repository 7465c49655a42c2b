"""Picks implementations by the names that users give them; nothing else does."""

import asyncio
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import time
from typing import NamedTuple
from urllib.parse import urlsplit

from statecrawl.browser.bounds import Bounds
from statecrawl.browser.chromium import OUR_NAME, BeforeLoad, Chromium
from statecrawl.browser.first_look import first_look
from statecrawl.browser.gate import Policy
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.robots import Robots, sitemap
from statecrawl.browser.sign_in import Credentials
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.checks import CHECKS
from statecrawl.checks.invariants import python_invariant, script_invariant
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.application import MAX_FILE_BYTES, Application, parse_model
from statecrawl.core.causes import explain
from statecrawl.core.crawled import Crawled
from statecrawl.core.hooks import Hooks
from statecrawl.core.identity import StateIdentity
from statecrawl.core.inputs import Inputs, parse_inputs
from statecrawl.core.plan import Halt
from statecrawl.core.ports import Store
from statecrawl.core.scope import Scope
from statecrawl.core.session import Crawl
from statecrawl.core.sight import Check
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.volatility import Volatility
from statecrawl.equivalences import EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.runtimes.inspector import Inspector
from statecrawl.runtimes.local import LocalCrawl
from statecrawl.sites.models import MODELS, UNMODELLED, build_model
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.strategies import STRATEGIES
from statecrawl.web.desk import Desk
from statecrawl.web.report import Told, write_report

RESET_COMMAND_SECONDS = 60
MAX_INPUTS_BYTES = 1_000_000
AUTO = "auto"
MAX_TRAIL = 5000
"""How much is done once more, at most, to find a state again that no short way leads to."""
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


async def crawl_application(
    options: CrawlOptions, run: RunOptions, hooks: Hooks | None = None
) -> Path:
    """Crawl a real application; return the folder that holds what was found."""
    folder = _folder(options.url, run)
    if not run.resume:
        SqliteStore.check_free(folder)
    stored = SqliteStore.open(folder) if run.resume else None
    try:
        if stored is not None:
            options = _resumed(options, stored)
        clock = stored.about["clock"] if stored is not None else int(time() * 1000)
        identity = StateIdentity(EQUIVALENCES[options.equivalence])
        bounds = _bounds(options, stored)
        checks = _checks(options, run)
        learned = stored.about.get("learned", {}) if stored is not None else {}
        async with _chromium(run.launch, options, clock, bounds, learned) as chromium:
            # Loading in advance pays while there are idle cores, and data that nobody puts back.
            warm_pages = 0 if options.reset_command else WARM_PAGES // run.browsers
            workshop = BrowserWorkshop(chromium, identity, warm_pages)
            if stored is None:
                starts = [options.url]

                def widen(led_to: str) -> None:
                    starts.append(led_to)
                    bounds.fix(options.scope(*starts))

                reset_cost = await first_look(chromium, options.url, widen, options.selectors)
                about = {
                    **options.to_json(),
                    "clock": clock,
                    "entries": await _entries(options, bounds.scope),
                    "starts": starts,
                    "reset_cost": reset_cost,
                    "options": options.to_json(),
                }
                stored = SqliteStore.create(folder, about)
            identity.masks = stored.masks
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
            if run.resume and checks:
                crawling.inspector.recall(each.problem for each in stored.crawled().sightings)
            await crawling.run(run.browsers, run.max_seconds)
    finally:
        if stored is not None:
            stored.close()
    return folder


def _bounds(options: CrawlOptions, store: Store | None) -> Bounds:
    """Return where a crawl may go; one that begins may be led elsewhere by its first page."""
    robots = Robots(options.user_agent or OUR_NAME) if options.respect_robots else None
    bounds = Bounds(options.scope(options.url), robots)
    if store is not None:
        bounds.fix(options.scope(*store.about["starts"]))
    return bounds


def _chromium(
    launch: LaunchOptions,
    options: CrawlOptions,
    clock: int,
    bounds: Bounds,
    learned: Mapping[str, Sequence[str]],
) -> Chromium:
    """Return a browser that keeps to the options, and knows values that were learned."""
    credentials = _credentials(options)
    basic = None if credentials is None else credentials.basic()
    policy = Policy(bounds.refusal, options.rate, options.user_agent, basic)
    settings = replace(options.agent(clock, learned), scope=bounds.scope)
    hosts = options.hosts(options.url)
    if hosts and launch.cdp is not None:
        raise InputError("--isolate needs a browser of its own: leave --cdp out")
    launch = launch._replace(hosts=hosts)
    return Chromium(
        launch,
        settings,
        _reset_command(options.reset_command),
        policy,
        credentials,
        watches_documents=bool(options.checks),
    )


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
            command.replace("{cursor}", str(cursor)), stdin=asyncio.subprocess.DEVNULL
        )
        try:
            async with asyncio.timeout(RESET_COMMAND_SECONDS):
                code = await process.wait()
        except TimeoutError:
            process.kill()
            raise InputError(
                f"--reset-command did not end within {RESET_COMMAND_SECONDS} s: {command[:100]!r}"
            ) from None
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
    strategy = STRATEGIES[options.strategy]
    once = options.links == "once"
    return lambda: Crawl(entries, strategy, identity, reset_cost, run.limits, once)


def _resumed(options: CrawlOptions, store: Store) -> CrawlOptions:
    """Return the options that the stored crawl began with; its URL must be the same."""
    before = CrawlOptions.from_json(store.about["options"])
    if options.url and options.url != before.url:
        raise InputError(
            f"the folder holds a crawl of {before.url}, not of {options.url}: give another --out"
        )
    return replace(before, login=options.login or before.login)


def _folder(url: str, run: RunOptions) -> Path:
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
    with SqliteStore.open(folder, read_only=True) as store:
        return _explained(store)


def _explained(store: Store) -> Crawled:
    crawled = store.crawled()
    return crawled.with_guesses(explain(crawled, store.snapshot))


def report_crawl(folder: Path, output: Path, told: Told) -> Path:
    """Write the web page over a crawl as files; return the one to open."""
    with SqliteStore.open(folder, read_only=True) as store:
        return write_report(store, _explained(store), output, told)


def open_desk(folder: Path) -> Desk:
    """Return what answers the questions of the web page over a crawl."""
    return Desk(lambda: SqliteStore.open(folder, read_only=True), _explained)


async def replay_state(
    folder: Path, state: str, launch: LaunchOptions, login: str = ""
) -> Replayed:
    """Bring a fresh browser into a state by its path, and say whether that worked.

    It signs in as the crawl did, unless another login is given.
    """
    with SqliteStore.open(folder, read_only=True) as store:
        crawled = store.crawled()
        goal = _one_state(crawled, state)
        ways = [way for way in (crawled.path(goal), crawled.path_as_found(goal)) if way]
        if not ways:
            raise InputError(f"no known path leads to state {state}")
        options = CrawlOptions.from_json(store.about["options"])
        options = replace(options, login=login or options.login)
        identity = StateIdentity(EQUIVALENCES[options.equivalence], store.masks)
        bounds = _bounds(options, store)
        clock, learned = store.about["clock"], store.about.get("learned", {})
        async with _chromium(launch, options, clock, bounds, learned) as chromium:
            workshop = BrowserWorkshop(chromium, identity)
            workshop.mask(identity.masks)
            workshop.trust(store.about.get("trusted", ()))
            tab = workshop.tab()
            events = resets = 0
            reached = False
            picture = b""
            try:
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
            finally:
                await tab.close()
    return Replayed(goal, reached, events, resets, picture)


def _one_state(crawled: Crawled, wanted: str) -> str:
    """Return the state whose id begins like this."""
    found = [state for state in crawled.states if state.startswith(wanted)]
    if len(found) == 1 or wanted in found:
        return wanted if wanted in found else found[0]
    problem = "there are several states" if found else "there is no state"
    raise InputError(f"{problem} {wanted[:40]!r} in this crawl: statecrawl show lists them")
