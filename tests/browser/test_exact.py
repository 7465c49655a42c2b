"""Crawls in a real browser find exactly the true model, whatever the manner and the strategy."""

import asyncio
import json
from pathlib import Path

import pytest

from statecrawl.compose.reading import opened_crawl
from statecrawl.config import DEFAULT_STRATEGY, RunOptions
from statecrawl.core.model_file import parse_model
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES
from tests.browser.agreement import agreements, learned_regions, steps, true_regions
from tests.browser.helpers import crawl
from tests.browser.manners.manners import MANNERS, serve_manner
from tests.browser.truth import differences

SITES = {
    "hypercube": "hypercube:dimensions=4",
    "filetree": "filetree:folders=8,top=4,branching=5",
    "periodic": "periodic:elements=4",
    "bibliography": "bibliography:publications=3,authors=2,years=1,topics=1,per_page=5",
    "files": "files:folders=1,top=1,per_folder=2",
    "clips": "clips:clips=3,tags=2,users=1",
    "bank": "bank:accounts=1",
    "company": "company:products=1,services=1,articles=2",
    "videos": "videos:videos=3",
    "widgets": "widgets:count=2,values=3",
    "sections": "sections:links=3,sections=4",
}


AGREEMENT = 0.9
"""The share of transitions at which regions change just when those of the truth do. It is not all:
to the truth the first page of one list is that of any other."""


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


def test_a_shop_of_today_is_crawled_exactly(tmp_path: Path) -> None:
    async def run() -> None:
        async with serve("modern") as url:
            crawled = await crawl(url, tmp_path / "crawl")
            assert crawled.counts.stop_reason == "complete"
            assert set(crawled.counts.failures) == {"dialog", "popup"}
            assert crawled.summary()["assumed"] > 300

    asyncio.run(run())
    truth = build_model("modern")
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []


@pytest.mark.parametrize("site", SITES)
def test_every_site_is_crawled_exactly(site: str, tmp_path: Path) -> None:
    check_site(SITES[site], tmp_path / "crawl", "greedy")
    check_regions(SITES[site], tmp_path / "crawl")


def check_regions(spec: str, folder: Path) -> None:
    """Check that states are told apart by regions, which change when those of the truth do."""
    with SqliteStore.open(folder, read_only=True) as store:
        learned, true = learned_regions(store), true_regions(store, build_model(spec))
        found = agreements(learned, true, steps(store))
    assert len({tuple(shown.items()) for shown in learned.values()}) == len(learned)
    assert min(found.values()) >= AGREEMENT, found


@pytest.mark.parametrize("site", ["hypercube", "clips", "videos"])
def test_an_exported_crawl_is_simulated_at_its_own_cost(site: str, tmp_path: Path) -> None:
    check_site(SITES[site], tmp_path / "crawl", DEFAULT_STRATEGY)
    with opened_crawl(tmp_path / "crawl") as crawled:
        application = crawled.application()
        assert application is not None
        read = parse_model(json.dumps(application.to_json()).encode())
        again = simulate(read, STRATEGIES[DEFAULT_STRATEGY])
        assert (again.events, again.resets) == (crawled.counts.events, crawled.counts.resets)
        found = [(state.found_events, state.found_resets) for state in crawled.states.values()]
        assert again.discoveries == found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_crawls_exactly(strategy: str, tmp_path: Path) -> None:
    check_site("filetree:folders=5,top=3,branching=5", tmp_path / "crawl", strategy)


def test_four_tabs_find_the_same_states_as_one(tmp_path: Path) -> None:
    one = check_site(SITES["company"], tmp_path / "one", "greedy")
    four = check_site(SITES["company"], tmp_path / "four", "greedy", tabs=4)
    assert sorted(one) == sorted(four)  # public ids are the same in every crawl
