"""A crawl that may take little memory, in a real browser."""

import asyncio
from dataclasses import replace
from pathlib import Path

from statecrawl.config import RunOptions
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from tests.browser.helpers import crawl


def test_it_stops_in_order_and_goes_on_when_it_may_take_more(tmp_path: Path) -> None:
    async def check() -> None:
        run = RunOptions(out=tmp_path / "crawl", screenshots=False, max_memory=1)
        async with serve("company") as url:
            found = await crawl(url, tmp_path / "crawl", run)
            assert found.counts.stop_reason == "max_memory"
            enough = replace(run, resume=True, max_memory=1_000_000)
            found = await crawl(url, tmp_path / "crawl", enough)
            assert found.counts.stop_reason == "complete"
            assert len(found.states) == len(build_model("company").states)

    asyncio.run(check())
