"""Crawls in a real browser find exactly the true model, whatever the manner and the strategy."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.config import RunOptions
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES
from tests.browser.helpers import crawl
from tests.browser.manners.manners import MANNERS, serve_manner
from tests.browser.truth import differences

SITES = {
    "hypercube": "hypercube:dimensions=4",
    "filetree": "filetree:folders=10",
    "periodic": "periodic:elements=5",
    "bibliography": "bibliography:publications=6,authors=3,years=2,topics=2,per_page=5",
    "files": "files:folders=2,per_folder=2",
    "clips": "clips:clips=5,tags=3,users=2",
    "bank": "bank:accounts=1",
    "company": "company:products=1,services=1,articles=2",
    "videos": "videos:videos=3",
}


@pytest.mark.parametrize("manner", MANNERS)
def test_every_manner_is_crawled_exactly(manner: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with serve_manner(manner) as url:
            crawled = await crawl(url, tmp_path / "crawl")
            assert crawled.counts.stop_reason == "complete"

    asyncio.run(run())
    truth = MANNERS[manner]
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []


def check_site(spec: str, folder: Path, strategy: str, tabs: int = 1) -> list[str]:
    """Crawl a site, compare with its model, and return the ids of its states in order."""

    async def run() -> None:
        async with serve(spec) as url:
            running = RunOptions(out=folder, screenshots=False, browsers=tabs)
            crawled = await crawl(url, folder, running, strategy=strategy)
            assert crawled.counts.stop_reason == "complete"
            assert crawled.counts.failures == {}

    asyncio.run(run())
    truth = build_model(spec)
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []
        return list(store.crawled().states)


@pytest.mark.parametrize("site", SITES)
def test_every_site_is_crawled_exactly(site: str, tmp_path: Path) -> None:
    check_site(SITES[site], tmp_path / "crawl", "greedy")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_crawls_exactly_also_with_four_tabs(strategy: str, tmp_path: Path) -> None:
    one = check_site(SITES["filetree"], tmp_path / "one", strategy)
    four = check_site(SITES["filetree"], tmp_path / "four", strategy, tabs=4)
    assert sorted(one) == sorted(four)  # public ids are the same in every crawl
