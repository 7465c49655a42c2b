"""Puts the web page over a crawl together; the page itself knows neither folders nor browsers."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from statecrawl.browser.handover import Handover
from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose import explained, replaying
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.web.desk import Desk
from statecrawl.web.replay import Handed, Replay
from statecrawl.web.report import Told, write_report


def open_desk(folder: Path) -> Desk[SqliteStore]:
    """Return what answers the questions of the page."""
    return Desk(lambda: SqliteStore.open(folder, read_only=True), explained)


def report_crawl(folder: Path, output: Path, told: Told) -> Path:
    """Write the page as files; return the one to open."""
    with SqliteStore.open(folder, read_only=True) as store:
        return write_report(store, explained(store), output, told)


def page_replay(folder: Path, launch: LaunchOptions) -> Replay:
    """Return what brings a browser into a state: with a window, if there is a screen."""
    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    launch = launch._replace(is_visible=has_screen and launch.cdp is None)

    @asynccontextmanager
    async def replay(state: str) -> AsyncIterator[Handed]:
        async with replaying(folder, state, launch) as (tab, replayed):
            page = None if tab.page is None or not tab.page.is_alive else tab.page
            handover = Handover(page, replayed.reached, launch.is_visible)
            await handover.begin()
            yield handover

    return replay
