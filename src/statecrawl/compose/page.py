"""Puts the web page over a crawl together; the page itself knows neither folders nor browsers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from statecrawl.browser.launch import LaunchOptions, has_screen
from statecrawl.compose.near import merges_of
from statecrawl.compose.reading import compared, explained
from statecrawl.compose.replay import handed_over
from statecrawl.compose.search import open_index
from statecrawl.storage import SqlStore, open_crawl
from statecrawl.web.desk import Before, Desk
from statecrawl.web.documents import Document
from statecrawl.web.finder import Finder
from statecrawl.web.replay import Handed, Replay
from statecrawl.web.report import Older, Told, write_report


def open_desk(folder: Path, before: Path | None = None) -> Desk[SqlStore]:
    """Return what answers the questions of the page, also about an older crawl if there is one."""
    older = None
    if before is not None:
        older = Before(open_desk(before), lambda: _comparison(before, folder))
    return Desk(lambda: open_crawl(folder, read_only=True), explained, merges_of, older)


def open_finder(folder: Path) -> Finder:
    """Return what answers the searches of the page."""
    return Finder(lambda: open_index(folder, lambda _done, _of: None))


def report_crawl(folder: Path, output: Path, told: Told, before: Path | None = None) -> Path:
    """Write the page as files; return the one to open."""
    with open_crawl(folder, read_only=True) as store:
        crawled, merges = explained(store), merges_of(store)
        if before is None:
            return write_report(store, crawled, merges, output, told)
        with open_crawl(before, read_only=True) as other:
            older = Older(other, _comparison(before, folder))
            return write_report(store, crawled, merges, output, told, older)


def _comparison(before: Path, folder: Path) -> Document:
    """Return what differs, and of which older states there are pictures."""
    with compared(before, folder) as found, open_crawl(before, read_only=True) as older:
        told = found.to_json(before, folder)
        states = told["states"]
        shown = [*states["vanished"], *(each["was"] for each in states["changed"])]
        pictures = [each["state"] for each in shown if older.has_screenshot(each["state"])]
        return {**told, "pictures": pictures}


def page_replay(folder: Path, launch: LaunchOptions) -> Replay:
    """Return what brings a browser into a state: with a window, if there is a screen."""
    launch = launch._replace(is_visible=has_screen() and launch.cdp is None)

    @asynccontextmanager
    async def replay(state: str) -> AsyncIterator[Handed]:
        async with handed_over(folder, state, launch) as (handover, _):
            yield handover

    return replay
