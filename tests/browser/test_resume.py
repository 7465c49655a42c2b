"""Killed at any instant, a crawl goes on where it was."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from statecrawl.core.facts import Executed
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore, open_crawl
from statecrawl.storage.folder import holds_crawl
from tests.browser.truth import differences

pytestmark = pytest.mark.long
SPEC = "company:products=2,services=2,articles=2"


def crawl_arguments(url: str, folder: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "statecrawl", "crawl", url, "--out", str(folder)]
    return [*command, "--no-screenshots", "--strategy", "greedy", "--json", *more]


async def kill_after(transitions: int, arguments: list[str], folder: Path) -> bool:
    """Start a crawl and kill it when it has recorded so many transitions; False: it was done."""
    process = await asyncio.create_subprocess_exec(
        *arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 100
    while process.returncode is None and time.monotonic() < deadline:
        if recorded(folder) >= transitions:
            os.kill(process.pid, signal.SIGKILL)
            await process.wait()
            return True
        await asyncio.sleep(0.005)  # how often to look, not how long to wait
    await process.wait()
    return False


def recorded(folder: Path) -> int:
    if not holds_crawl(folder):
        return -1
    with open_crawl(folder, read_only=True) as store:
        return sum(isinstance(fact, Executed) for fact in store.facts())


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_crawl_goes_on_where_it_was(seed: int, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    chances = random.Random(seed)

    async def run() -> dict[str, object]:
        async with serve(SPEC) as url:
            goal = 0
            more: list[str] = []
            for _ in range(3):
                goal += chances.randint(1, 40)
                await kill_after(goal, crawl_arguments(url, folder, *more), folder)
                more = ["--resume"]
            done = await asyncio.create_subprocess_exec(
                *crawl_arguments(url, folder, "--resume"), stdout=subprocess.PIPE
            )
            output, _ = await done.communicate()
            assert done.returncode == 0
            return dict(json.loads(output))

    summary = asyncio.run(run())
    truth = build_model(SPEC)
    assert summary["stop_reason"] == "complete"
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []
        pairs = [(f.source, f.event) for f in store.facts() if isinstance(f, Executed)]
    assert len(pairs) == len(set(pairs))  # nothing was explored again
    assert len(pairs) == truth.transition_count + 1  # and the load of the start page
