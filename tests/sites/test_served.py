"""The served applications do what their true models say, as a browser sees it."""

import asyncio
from collections.abc import Iterator
from random import Random

import pytest
from playwright.async_api import Page

from statecrawl.sites.models import MODELS, build_model
from statecrawl.sites.server import serve
from tests.sites.walk import Walk, tab, walk_site

SMALL = {
    "hypercube": "hypercube:dimensions=4",
    "filetree": "filetree:folders=12,top=3,branching=5",
    "periodic": "periodic:elements=20,panels=2,compounds=2",
    "bibliography": "bibliography:publications=14,authors=3,years=2,topics=2,per_page=5",
    "files": "files:folders=8,top=3,branching=5,per_folder=3",
    "clips": "clips:clips=8,tags=5,users=4",
    "bank": "bank:accounts=1",
    "company": "company:products=2,services=1,articles=2",
    "videos": "videos:videos=6,related=2,comment_pages=6",
    "widgets": "widgets:count=3,values=3",
    "sections": "sections:links=5",
}


class Tab:
    """A browser's tab for synchronous tests, all in one event loop."""

    def __init__(self, runner: asyncio.Runner, page: Page) -> None:
        self.run = runner.run
        self.page = page


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    with asyncio.Runner() as runner:
        opened = tab()
        yield Tab(runner, runner.run(opened.__aenter__()))
        runner.run(opened.__aexit__(None, None, None))


def test_every_site_is_checked() -> None:
    assert {*SMALL, "modern"} == {*MODELS}  # which is more than clicks: see test_modern


@pytest.mark.parametrize("spec", SMALL.values())
def test_transitions_drawn_by_lot(browser: Tab, spec: str) -> None:
    assert browser.run(walk_site(browser.page, spec, samples=4)) == 4


@pytest.mark.parametrize("spec", SMALL.values())
def test_the_last_click_wins(browser: Tab, spec: str) -> None:
    model = build_model(spec)
    lot = Random(1)
    state = lot.choice([state for state, events in model.states.items() if len(events) > 2])
    events = [event for event in model.states[state] if not event.startswith("related:")]

    async def click_twice() -> None:
        async with serve(spec, latency_ms=30) as url:
            walk = Walk(browser.page, url, model)
            await walk.check_impatience(state, *lot.sample(events, 2))

    browser.run(click_twice())
