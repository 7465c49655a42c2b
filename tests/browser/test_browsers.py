"""Browsers that are not ours are left as they were; ours are renewed, and nobody notices."""

import asyncio
import json
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psutil
import pytest
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_socket

from statecrawl.browser import chromium, protocol
from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import Launched, LaunchOptions, browser, find_browser
from statecrawl.config import RunOptions
from statecrawl.errors import BrowserError
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl
from tests.browser.truth import differences

pytestmark = pytest.mark.own_browser

SPEC = "company:products=1,services=1,articles=1"


def check(folder: Path) -> None:
    """What was crawled is exactly what is true."""
    truth = build_model(SPEC)
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []
        assert store.crawled().counts.stop_reason == "complete"


@contextmanager
def elsewhere(profile: Path) -> Iterator[tuple[psutil.Process, str]]:
    """A browser that somebody else started, and its DevTools address."""
    flags = "--headless --no-sandbox --disable-gpu --remote-debugging-port=0 --no-first-run".split()
    command = [find_browser(), *flags, f"--user-data-dir={profile}", "about:blank"]
    started = psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield started, f"http://127.0.0.1:{port_of(profile, started)}"
    finally:
        family = [*started.children(recursive=True), started]
        for process in family:
            if process.is_running():
                process.kill()
        psutil.wait_procs(family, timeout=30)


def port_of(profile: Path, process: psutil.Process) -> int:
    """The port that a browser has chosen, when it has."""
    file = profile / "DevToolsActivePort"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.is_running():
        if file.exists() and (lines := file.read_text().split()):
            return int(lines[0])
        time.sleep(0.01)  # how often to look, not how long to wait
    raise AssertionError("the browser did not start")


def targets(address: str) -> set[str]:
    """Everything that is open in a browser, in any of its contexts."""
    with urlopen(f"{address}/json/list", timeout=30) as answer:  # noqa: S310 - our own
        return {target["id"] for target in json.load(answer)}


async def contexts(address: str) -> list[str]:
    """The contexts in a browser besides its own."""
    async with browser(LaunchOptions(cdp=address)) as launched:
        found = await launched.connection.send("Target.getBrowserContexts")
    return list(found["browserContextIds"])


def test_a_browser_of_somebody_else_is_left_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"

    async def run(address: str) -> None:
        async with serve(SPEC) as url:
            launch = LaunchOptions(cdp=address)
            await crawl(url, folder, RunOptions(out=folder, browsers=2, launch=launch))
        assert await contexts(address) == []

    with elsewhere(tmp_path / "profile") as (process, address):
        before = targets(address)
        assert before
        asyncio.run(run(address))
        assert targets(address) == before
        assert process.is_running()
        assert process.status() != psutil.STATUS_ZOMBIE
    check(folder)


def test_windows_have_no_pages_of_the_browsers_own() -> None:
    async def run() -> None:
        async with serve(SPEC) as url, Chromium(LaunchOptions(), AgentSettings()) as ours:
            page, _ = await ours.load(url)
            found = await page.browser.connection.send("Target.getTargets", {"filter": [{}]})
            opened = {target["url"] for target in found["targetInfos"]}
            assert opened == {url}

    asyncio.run(run())


def test_what_a_sound_needs_goes_with_the_browsers_files() -> None:
    async def look() -> None:
        async with browser(LaunchOptions()) as launched:
            main = psutil.Process(launched.pid)
            (profile,) = [each for each in main.cmdline() if each.startswith("--user-data-dir=")]
            folder = Path(main.environ()["PULSE_RUNTIME_PATH"])
            assert folder.parent == Path(profile.partition("=")[2])

    asyncio.run(look())


def test_a_browser_that_has_grown_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[psutil.Process] = []
    most = 0

    @asynccontextmanager
    async def watched(options: LaunchOptions) -> AsyncIterator[Launched]:
        nonlocal most
        async with browser(options) as launched:
            assert launched.pid is not None
            started.append(psutil.Process(launched.pid))
            most = max(most, sum(is_alive(each) for each in started))
            yield launched

    monkeypatch.setattr(chromium, "browser", watched)
    monkeypatch.setattr(chromium, "MAX_BROWSER_BYTES", 1)
    monkeypatch.setattr(chromium, "LOOK_EVERY", 20)
    folder = tmp_path / "crawl"

    async def run() -> Any:
        async with serve(SPEC) as url:
            return await crawl(url, folder, strategy="breadth_first")

    found = asyncio.run(run())
    check(folder)
    assert found.counts.failures == {}
    assert found.counts.resets > 5
    assert 1 < len(started) <= 1 + (found.counts.resets + found.counts.probe_resets)
    assert most <= 3  # old ones go when their last page does, not at the end
    assert not any(is_alive(each) for each in started)


def is_alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


async def die(line: ServerConnection) -> None:
    await line.recv()
    line.transport.abort()


async def keep_quiet(line: ServerConnection) -> None:
    await line.wait_closed()


@pytest.mark.parametrize(
    ("conduct", "words"), [(die, "the browser is gone"), (keep_quiet, "does not answer")]
)
def test_a_browser_elsewhere_that_can_not_be_used_is_told_in_a_line(
    conduct: Callable[[ServerConnection], Awaitable[None]],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        async with serve_socket(conduct, "127.0.0.1", 0) as server:
            address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            with pytest.raises(BrowserError, match=words):
                async with Chromium(LaunchOptions(cdp=address), AgentSettings()):
                    pass

    monkeypatch.setattr(protocol, "COMMAND_SECONDS", 0.1 if conduct is keep_quiet else 60.0)
    asyncio.run(run())
