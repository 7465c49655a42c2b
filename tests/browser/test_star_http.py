"""One crawl by several processes over HTTP, each with its own browser, some of them killed.

It is kept in PostgreSQL here.
"""

import asyncio
import json
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from statecrawl.compose.fleet import open_store
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.facts import Executed
from statecrawl.errors import InputError
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import open_crawl
from tests.browser.counting import TEXTS, counting_site
from tests.browser.late import found, late_site, truth
from tests.browser.test_resume import recorded
from tests.browser.truth import differences
from tests.postgres import postgres

pytestmark = pytest.mark.long
SPEC = "company:products=2,services=2,articles=2"
PATIENCE_SECONDS = 240


@asynccontextmanager
async def running() -> AsyncIterator["Fleet"]:
    fleet = Fleet()
    try:
        yield fleet
    finally:
        await fleet.end()


class Fleet:
    """Processes of ours, none of which outlives the test."""

    def __init__(self) -> None:
        self._started: list[Process] = []

    async def start(self, *arguments: str) -> Process:
        command = [sys.executable, "-m", "statecrawl", *arguments]
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
        self._started.append(process)
        return process

    async def end(self) -> None:
        for process in self._started:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


async def reach(folder: Path, transitions: int) -> None:
    """Wait until so many transitions are recorded."""
    while recorded(folder) < transitions:
        await asyncio.sleep(0.02)  # how often to look, not how long to wait


def test_a_node_and_the_coordinator_are_killed_and_the_model_is_true(tmp_path: Path) -> None:
    folder, port = tmp_path / "crawl", free_port()
    token = tmp_path / "token"
    token.write_text("only-for-this-test\n")
    secret = ["--token-file", str(token)]

    async def run(fleet: Fleet, url: str, dsn: str) -> dict[str, object]:
        command = [
            "coordinator", url, "--nodes", "2", "--listen", f"127.0.0.1:{port}", "--out",
            str(folder), "--lease-seconds", "8", "--cache", "off", "--json", *secret,
            "--store", dsn,
        ]  # fmt: skip
        first = await fleet.start(*command)
        nodes = [await fleet.start("node", f"http://127.0.0.1:{port}", *secret) for _ in range(2)]
        await reach(folder, 20)
        nodes[0].kill()
        with pytest.raises(InputError, match="another process is writing the crawl"):
            await open_store(CrawlOptions(url), RunOptions(out=folder, resume=True), print)
        await reach(folder, 60)
        first.kill()
        await first.wait()
        assert recorded(folder) < build_model(SPEC).transition_count
        last = await fleet.start(*command, "--resume")
        output, errors = await last.communicate()
        assert last.returncode == 0, errors
        _, errors = await nodes[1].communicate()
        assert nodes[1].returncode == 0, errors
        return dict(json.loads(output))

    async def bounded(dsn: str) -> dict[str, object]:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            serve(SPEC, latency_ms=50) as url,
            running() as fleet,
        ):
            return await run(fleet, url, dsn)

    truth = build_model(SPEC)
    with postgres() as dsn:
        summary = asyncio.run(bounded(dsn))
        with open_crawl(folder, read_only=True) as store:
            assert differences(store, truth.initial, truth.states) == []
            assert all(map(store.has_screenshot, store.crawled().states))
            pairs = [(f.source, f.event) for f in store.facts() if isinstance(f, Executed)]
    assert summary["stop_reason"] == "complete"
    assert summary["transitions"] == truth.transition_count
    assert len(pairs) == len(set(pairs))  # nothing is kept twice


def test_what_varies_by_itself_is_known_to_every_node(tmp_path: Path) -> None:
    folder, port = tmp_path / "crawl", free_port()

    async def run() -> dict[str, object]:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            counting_site("visit {}".format) as url,
            running() as fleet,
        ):
            first = await fleet.start(
                "coordinator", url, "--nodes", "2", "--listen", f"127.0.0.1:{port}", "--out",
                str(folder), "--max-states", "50", "--no-screenshots", "--json",
            )  # fmt: skip
            for _ in range(2):
                await fleet.start("node", f"http://127.0.0.1:{port}")
            output, errors = await first.communicate()
            assert first.returncode == 0, errors
            return dict(json.loads(output))

    summary = asyncio.run(run())
    assert (summary["stop_reason"], summary["states"]) == ("complete", len(TEXTS))
    assert summary["transitions"] == len(TEXTS) ** 2
    with open_crawl(folder, read_only=True) as store:
        assert [mask.part for mask in store.masks.masks] == ["text"]


def test_what_varies_only_deep_inside_is_learned_on_the_way(tmp_path: Path) -> None:
    folder, port = tmp_path / "crawl", free_port()

    async def run() -> dict[str, object]:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            late_site() as url,
            running() as fleet,
        ):
            first = await fleet.start(
                "coordinator", url, "--nodes", "2", "--listen", f"127.0.0.1:{port}", "--out",
                str(folder), "--max-states", "150", "--no-screenshots", "--json",
            )  # fmt: skip
            nodes = [await fleet.start("node", f"http://127.0.0.1:{port}") for _ in range(2)]
            output, errors = await first.communicate()
            assert first.returncode == 0, errors
            for node in nodes:
                _, errors = await node.communicate()
                assert node.returncode == 0, errors
            return dict(json.loads(output))

    summary = asyncio.run(run())
    assert summary["stop_reason"] == "complete"
    with open_crawl(folder, read_only=True) as store:
        assert found(store) == truth()
        assert [mask.part for mask in store.masks.masks] == ["text", "text"]
        scouted, counts = store.about["scouted"], store.counts
        assert counts.probe_resets >= scouted["probe_resets"] + 2
