"""Puts a replay together: a fresh browser, brought into a state."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from statecrawl.browser.handover import Handover
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.tab import Tab
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.compose.choices import remind, state_identity
from statecrawl.compose.engine import archive_of, bounds_of, chromium_for
from statecrawl.config import CrawlOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.identity import StateIdentity
from statecrawl.core.plan import Halt, Plan
from statecrawl.core.ports import Store
from statecrawl.errors import InputError
from statecrawl.storage import open_crawl

MAX_TRAIL = 5000
"""How much is done once more, at most, to find a state again that no short way leads to."""


class Replayed(NamedTuple):
    """What a replay came to."""

    state: str
    reached: bool
    events: int
    resets: int
    picture: bytes


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
        archive = archive_of(options)
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
