"""Puts a crawl in one process together, new or resumed."""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time
from typing import Any
from urllib.parse import urlsplit

from statecrawl.browser.bounds import Bounds
from statecrawl.browser.chromium import OUR_NAME, Chromium
from statecrawl.browser.first_look import first_look
from statecrawl.browser.robots import sitemap
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.checks import CHECKS
from statecrawl.checks.invariants import python_invariant, script_invariant
from statecrawl.compose.choices import classifier_for, preferring, remind, state_identity
from statecrawl.compose.engine import archive_of, bounds_of, chromium_for
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.hooks import Hooks
from statecrawl.core.identity import StateIdentity
from statecrawl.core.near_identity import NearIdentity
from statecrawl.core.parts import Coverage
from statecrawl.core.ports import Store
from statecrawl.core.scope import Scope
from statecrawl.core.session import Crawl
from statecrawl.core.shelf import Shelving
from statecrawl.core.sight import Check
from statecrawl.core.volatility import Volatility
from statecrawl.errors import InputError
from statecrawl.runtimes.inspector import Inspector
from statecrawl.runtimes.local import LocalCrawl
from statecrawl.search.documents import PAGE_RANKS, SINCE
from statecrawl.storage import check_free, create_crawl, open_crawl
from statecrawl.storage.responses import Responses
from statecrawl.storage.shelf import FileShelf
from statecrawl.strategies import STRATEGIES

WARM_PAGES = 2
"""How many pages are loaded in advance, for all tabs together."""


async def crawl_application(
    options: CrawlOptions, run: RunOptions, hooks: Hooks | None = None
) -> Path:
    """Crawl a real application; return the folder that holds what was found."""
    folder = crawl_folder(options.url, run)
    shelving = partial(FileShelf, folder)
    if not run.resume:
        check_free(folder)
    stored = open_crawl(folder) if run.resume else None
    responses = Responses() if run.record else None
    try:
        if stored is not None:
            options = resumed_options(options, stored)
        archive = archive_of(options)
        now = int(time() * 1000) if archive is None else archive.clock
        clock = stored.about["clock"] if stored is not None else now
        identity = state_identity(options.equivalence, shelving=shelving)
        bounds = bounds_of(options, stored.about["starts"] if stored is not None else ())
        checks = _checks(options, run)
        learned = stored.about.get("learned", {}) if stored is not None else {}
        async with chromium_for(
            run.launch, options, clock, bounds, learned, archive, responses
        ) as chromium:
            # Loading in advance pays while there are idle cores, and data that nobody puts back.
            warm_pages = 0 if options.reset_command else WARM_PAGES // run.browsers
            workshop = BrowserWorkshop(chromium, identity, warm_pages, shelving)
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
                _session_maker(stored, options, run, identity, shelving),
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
                await crawling.run(run.browsers, run.max_seconds, run.max_memory)
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


async def _entries(options: CrawlOptions, scope: Scope) -> list[str]:
    """Return the URLs to start at: the one given, and those of the sitemap if that is wanted."""
    if not options.sitemap:
        return [options.url]
    named = await sitemap(options.url, scope, options.user_agent or OUR_NAME)
    return list(dict.fromkeys([options.url, *named]))


def _checks(options: CrawlOptions, run: RunOptions) -> list[Check]:
    """Return everything that each state is checked for."""
    return [
        *(CHECKS[name]() for name in options.checks),
        *map(script_invariant, options.invariants),
        *map(python_invariant, run.invariants),
    ]


def _session_maker(
    store: Store,
    options: CrawlOptions,
    run: RunOptions,
    identity: StateIdentity,
    shelving: Shelving,
) -> Callable[[], Crawl]:
    entries, reset_cost = store.about["entries"], store.about["reset_cost"]
    strategy = preferring(options.prefer, STRATEGIES[options.strategy])
    once, coverage = options.links == "once", Coverage(options.coverage)

    def make() -> Crawl:
        crawl = Crawl(
            entries, strategy, identity, reset_cost, run.limits, once, coverage, shelving()
        )
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
