"""Picks implementations by the names that users give them; nothing else does."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import NamedTuple
from urllib.parse import urlsplit

from statecrawl.browser.chromium import BeforeLoad, Chromium
from statecrawl.browser.first_look import first_look
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.checks import CHECKS
from statecrawl.checks.invariants import python_invariant, script_invariant
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.application import MAX_FILE_BYTES, Application, parse_model
from statecrawl.core.crawled import Crawled
from statecrawl.core.identity import StateIdentity
from statecrawl.core.plan import Halt
from statecrawl.core.ports import Store
from statecrawl.core.session import Crawl
from statecrawl.core.sight import Check
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.volatility import Volatility
from statecrawl.equivalences import EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.runtimes.inspector import Inspector
from statecrawl.runtimes.local import LocalCrawl, Watcher
from statecrawl.sites.models import MODELS, build_model
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.strategies import STRATEGIES

RESET_COMMAND_SECONDS = 60
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
    if model.partition(":")[0] in MODELS:
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


async def crawl_application(
    options: CrawlOptions, run: RunOptions, watch: Watcher, begun: Callable[[LocalCrawl], None]
) -> Path:
    """Crawl a real application; return the folder that holds what was found.

    `begun` is told when the crawl proper begins, so that it can be stopped.
    """
    folder = _folder(options.url, run)
    if not run.resume:
        SqliteStore.check_free(folder)
    stored = SqliteStore.open(folder) if run.resume else None
    try:
        if stored is not None:
            options = _resumed(options, stored)
        clock = stored.about["clock"] if stored is not None else int(time() * 1000)
        identity = StateIdentity(EQUIVALENCES[options.equivalence])
        reset = _reset_command(options.reset_command)
        checks = _checks(options, run)
        async with Chromium(
            run.launch, options.agent(clock), reset, watches_documents=bool(options.checks)
        ) as chromium:
            # Loading in advance pays while there are idle cores, and data that nobody puts back.
            warm_pages = 0 if options.reset_command else WARM_PAGES // run.browsers
            workshop = BrowserWorkshop(chromium, identity, warm_pages)
            if stored is None:
                reset_cost = await first_look(chromium, options.url)
                about = {
                    **options.to_json(),
                    "clock": clock,
                    "entries": [options.url],
                    "reset_cost": reset_cost,
                    "options": options.to_json(),
                }
                stored = SqliteStore.create(folder, about)
            identity.masks = stored.masks
            workshop.mask(identity.masks)
            workshop.trust(stored.about.get("trusted", ()))
            crawling = LocalCrawl(
                workshop,
                stored,
                _session_maker(stored, options, run, identity),
                identity,
                Volatility(),
            )
            crawling.with_screenshots = run.screenshots
            crawling.inspector = Inspector(checks)
            if run.resume and checks:
                crawling.inspector.recall(each.problem for each in stored.crawled().sightings)
            begun(crawling)
            await crawling.run(run.browsers, run.max_seconds, watch)
    finally:
        if stored is not None:
            stored.close()
    return folder


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
    return lambda: Crawl(entries, strategy, identity, reset_cost, run.limits)


def _resumed(options: CrawlOptions, store: Store) -> CrawlOptions:
    """Return the options that the stored crawl began with; its URL must be the same."""
    before = CrawlOptions.from_json(store.about["options"])
    if options.url and options.url != before.url:
        raise InputError(
            f"the folder holds a crawl of {before.url}, not of {options.url}: give another --out"
        )
    return before


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
    """Return a crawl, running or finished."""
    with SqliteStore.open(folder, read_only=True) as store:
        return store.crawled()


async def replay_state(folder: Path, state: str, launch: LaunchOptions) -> Replayed:
    """Bring a fresh browser into a state by its path, and say whether that worked."""
    with SqliteStore.open(folder, read_only=True) as store:
        crawled = store.crawled()
        way = crawled.path(_one_state(crawled, state))
        if way is None:
            raise InputError(f"no known path leads to state {state}")
        goal = _one_state(crawled, state)
        options = CrawlOptions.from_json(store.about["options"])
        identity = StateIdentity(EQUIVALENCES[options.equivalence], store.masks)
        reset = _reset_command(options.reset_command)
        async with Chromium(launch, options.agent(store.about["clock"]), reset) as chromium:
            workshop = BrowserWorkshop(chromium, identity)
            workshop.mask(identity.masks)
            workshop.trust(store.about.get("trusted", ()))
            tab = workshop.tab()
            try:
                execution = await tab.execute(way)
                picture = b"" if execution.halt is Halt.LOST else await tab.screenshot()
            finally:
                await tab.close()
    seen = execution.snapshots
    reached = bool(seen) and execution.halt is Halt.DONE and identity(seen[-1]) == goal
    return Replayed(goal, reached, max(0, len(seen) - 1), 1 if seen else 0, picture)


def _one_state(crawled: Crawled, wanted: str) -> str:
    """Return the state whose id begins like this."""
    found = [state for state in crawled.states if state.startswith(wanted)]
    if len(found) == 1 or wanted in found:
        return wanted if wanted in found else found[0]
    problem = "there are several states" if found else "there is no state"
    raise InputError(f"{problem} {wanted[:40]!r} in this crawl: statecrawl show lists them")
