"""Content instead of combinations, and unlike pages first, in a real browser."""

import asyncio
import re
from pathlib import Path

from statecrawl.config import RunOptions
from statecrawl.core.limits import Limits
from statecrawl.sites.models.sections import SECTIONS
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl


def limited(folder: Path, events: int) -> RunOptions:
    return RunOptions(out=folder, screenshots=False, limits=Limits(max_events=events))


def test_eight_widgets_of_five_values_show_forty_contents(tmp_path: Path) -> None:
    """There are 390,625 combinations."""

    async def run() -> None:
        async with serve("widgets:count=8,values=5") as url:
            found = await crawl(
                url, tmp_path / "c", limited(tmp_path / "c", 80), coverage="content"
            )
        assert found.counts.events <= 80
        with SqliteStore.open(tmp_path / "c", read_only=True) as store:
            pages = [page.dom for _, page in store.doms()]
        assert len({text for page in pages for text in re.findall(r"<p>(.*?)</p>", page)}) == 40
        assert all(found.path(state) for state in found.states)

    asyncio.run(run())


def test_what_was_not_combined_is_said_and_a_resumed_crawl_keeps_to_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with serve("widgets:count=4,values=3") as url:
            half = await crawl(url, tmp_path / "c", limited(tmp_path / "c", 15), coverage="content")
            assert half.counts.stop_reason == "max_events"
            again = RunOptions(out=tmp_path / "c", screenshots=False, resume=True)
            found = await crawl(url, tmp_path / "c", again)
        summary = found.summary()
        assert summary["stop_reason"] == "content"
        assert summary["not_combined"] > 0
        fired = summary["transitions"] + summary["not_combined"]
        assert fired == sum(len(state.events) for state in found.states.values())
        assert len(found.states) < 3**4
        shown = {each for state in found.states.values() for each in state.regions.items()}
        assert len([name for name, _ in shown if name != "page"]) == 4 * 3

    asyncio.run(run())


def test_ten_sections_are_seen_within_thirty_events(tmp_path: Path) -> None:
    async def run() -> None:
        async with serve("sections:links=500,sections=10") as url:
            found = await crawl(url, tmp_path / "c", limited(tmp_path / "c", 30), prefer="diverse")
        fired = {found.event(each.source, each.event).label.lower() for each in found.explored}
        assert set(SECTIONS) <= fired

    asyncio.run(run())
