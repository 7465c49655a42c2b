"""A crawl on a Ray cluster of this machine, whose processes are killed on the way."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.core.facts import Executed
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve, serve_asgi
from statecrawl.storage import SqliteStore
from tests.browser.counting import TEXTS, counting_site
from tests.browser.late import found, late_site, truth
from tests.browser.test_resume import recorded
from tests.browser.truth import differences

pytestmark = pytest.mark.long
SPEC = "company:products=2,services=2,articles=2"
PATIENCE_SECONDS = 600


def kill(driver: Process, actor: str) -> None:
    """Kill one process of an actor that a crawl started."""
    titles: dict[psutil.Process, str] = {}
    for each in psutil.Process(driver.pid).children(True):
        with suppress(psutil.Error):  # it has ended meanwhile
            titles[each] = " ".join(each.cmdline())
    found = [each for each, title in titles.items() if title.startswith(f"ray::{actor}")]
    assert found, list(titles.values())
    assert found[0].nice() == psutil.Process(driver.pid).nice(), "it starves on a busy machine"
    found[0].kill()


async def crawl(folder: Path, url: str, victims: tuple[str, ...], *more: str) -> dict[str, object]:
    command = [
        sys.executable, "-m", "statecrawl", "crawl", url, "--cluster", "--crawlers", "2",
        "--lease-seconds", "10", "--cache", "off", "--out", str(folder), "--json", *more,
    ]  # fmt: skip
    driver = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    try:
        for number, victim in enumerate(victims, 1):
            while driver.returncode is None and recorded(folder) < 20 * number:
                await asyncio.sleep(0.02)  # how often to look, not how long to wait
            kill(driver, victim)
        assert not victims or recorded(folder) < build_model(SPEC).transition_count
        output, errors = await driver.communicate()
        assert driver.returncode == 0, errors
        return dict(json.loads(output))
    finally:
        if driver.returncode is None:
            driver.terminate()
            await driver.communicate()


@pytest.mark.parametrize(
    ("victims", "more"),
    [
        (("CrawlerActor", "HubActor"), ()),
        (("RingCrawlerActor", "MemberActor", "KeeperActor"), ("--topology", "ring")),
    ],
    ids=["star", "ring"],
)
def test_a_crawler_and_a_coordinator_are_killed_and_the_model_is_true(
    victims: tuple[str, ...], more: tuple[str, ...], tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"

    async def run() -> dict[str, object]:
        async with asyncio.timeout(PATIENCE_SECONDS), serve(SPEC, latency_ms=50) as url:
            return await crawl(folder, url, victims, "--no-screenshots", *more)

    summary = asyncio.run(run())
    truth = build_model(SPEC)
    assert summary["stop_reason"] == "complete"
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []


def test_a_ring_goes_on_with_a_crawl_and_does_nothing_again(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"

    async def run() -> list[dict[str, object]]:
        ring = ("--topology", "ring", "--no-screenshots")
        async with asyncio.timeout(PATIENCE_SECONDS), serve(SPEC) as url:
            begun = await crawl(folder, url, (), *ring, "--max-events", "60")
            return [begun, await crawl(folder, url, (), *ring, "--resume")]

    summaries = asyncio.run(run())
    assert [each["stop_reason"] for each in summaries] == ["max_events", "complete"]
    truth = build_model(SPEC)
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []
        facts = [fact for fact in store.facts() if isinstance(fact, Executed) and fact.source]
        assert len({(fact.source, fact.event) for fact in facts}) == len(facts)


WINDOWS = {
    "/": "<button onclick=\"window.open('/terms')\">terms</button>",
    "/terms": "<p>terms</p><button onclick=\"this.remove(); window.open('/more')\">more</button>",
    "/more": "<p>more</p>",
}
"""Two windows, the second of which only the first one opens."""


def test_windows_that_pages_open_are_entered_by_a_ring_when_nothing_else_is_left(
    tmp_path: Path,
) -> None:
    async def respond(request: Request) -> Response:
        page = WINDOWS.get(request.url.path)
        return Response(status_code=404) if page is None else HTMLResponse(page)

    async def run() -> dict[str, object]:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            serve_asgi(Router([Route("/{path:path}", respond)])) as url,
        ):
            ring = ("--topology", "ring", "--no-screenshots")
            return await crawl(tmp_path / "crawl", url, (), *ring)

    assert asyncio.run(run())["stop_reason"] == "complete"
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        found = store.crawled()
    assert {urlsplit(url).path for url in found.entries} == set(WINDOWS)
    assert len(found.states) == len(WINDOWS) + 1
    assert len(list(found.explored)) == 2


def test_near_duplicates_are_one_state_for_all_crawlers_of_a_ring(tmp_path: Path) -> None:
    near = "broder:threshold=0.3"

    def stars(visit: int) -> str:
        return "<b>*</b>" * (visit % 7)  # structure: what varies there is not left out

    async def run() -> dict[str, object]:
        async with asyncio.timeout(PATIENCE_SECONDS), counting_site(stars) as url:
            ring = ("--topology", "ring", "--equivalence", near)
            await crawl(tmp_path / "crawl", url, (), *ring, "--max-events", "4")
            return await crawl(
                tmp_path / "crawl", url, (), *ring, "--max-events", "100", "--resume"
            )

    summary = asyncio.run(run())
    assert (summary["stop_reason"], summary["states"]) == ("complete", len(TEXTS))
    assert summary["transitions"] == len(TEXTS) ** 2
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert all(map(store.has_screenshot, store.crawled().states))


@pytest.mark.parametrize("topology", ["star", "ring"])
def test_what_varies_only_deep_inside_is_learned_on_the_way(topology: str, tmp_path: Path) -> None:
    async def run() -> dict[str, object]:
        async with asyncio.timeout(PATIENCE_SECONDS), late_site() as url:
            more = ("--topology", topology, "--no-screenshots", "--max-states", "150")
            return await crawl(tmp_path / "crawl", url, (), *more)

    summary = asyncio.run(run())
    assert summary["stop_reason"] == "complete"
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert found(store) == truth()
        assert [mask.part for mask in store.masks.masks] == ["text", "text"]
