"""Replay in a window that a person would see, on a screen of its own."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PIL import ImageGrab
from playwright.sync_api import expect

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.replay import handed_over
from tests.browser.helpers import crawl, served
from tests.command import statecrawl_apart
from tests.serving import site
from tests.web.viewing import a_browser, viewed, watched

SMALL = "company:products=1,services=1,articles=1"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A screen that nobody looks at, free of other windows."""
    program = shutil.which("Xvfb")
    if program is None:
        pytest.skip("a window needs an X server: install Xvfb to try it")
    reads, writes = os.pipe()
    command = [
        program,
        "-displayfd",
        str(writes),
        "-screen",
        "0",
        "1400x1000x24",
        "-nolisten",
        "tcp",
    ]
    with subprocess.Popen(command, pass_fds=[writes], stderr=subprocess.DEVNULL) as process:
        try:
            os.close(writes)
            with os.fdopen(reads) as told:
                name = f":{told.readline().strip()}"
            monkeypatch.setenv("DISPLAY", name)
            yield name
        finally:
            process.terminate()


def test_a_browser_with_a_window_is_brought_into_a_state(screen: str, tmp_path: Path) -> None:
    with site(SMALL) as url:
        options = ["--max-states", "4", "--no-screenshots", "--json"]
        done = statecrawl_apart("crawl", url, "--out", "crawl", *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        shown = statecrawl_apart("show", "crawl", "--json", cwd=tmp_path)
        state = json.loads(shown.stdout)["list"][-1]["state"]
        folder = tmp_path / "crawl"
        by_command(screen, folder, state)
        by_page(screen, folder, state)


def is_dark(screen: str) -> bool:
    """Tell whether there is nothing on a screen."""
    return ImageGrab.grab(xdisplay=screen).getbbox() is None


def by_command(screen: str, folder: Path, state: str) -> None:
    assert is_dark(screen)
    command = [sys.executable, "-m", "statecrawl", "replay", str(folder), state, "--window"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "the browser is yours" in process.stderr.readline()
        assert not is_dark(screen)
        process.send_signal(signal.SIGINT)
        assert re.search("reached by [0-9]+ events", process.stderr.read())
    assert process.returncode == 0
    assert is_dark(screen)


def by_page(screen: str, folder: Path, state: str) -> None:
    with viewed(folder) as (address, process), a_browser() as browser, watched(browser) as seen:
        page = seen.open(f"{address}#/replay/{state}")
        expect(page.get_by_role("status")).to_contain_text("in a window of its own")
        assert not is_dark(screen)
        for child in psutil.Process(process).children():
            child.terminate()
        expect(page.get_by_role("status")).to_contain_text("its window was closed")
        expect(page.get_by_role("button", name="Replay again")).to_be_visible()


def test_closing_the_window_is_noticed(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": "<button>Nothing</button>"}) as url:
            (state,) = (await crawl(url, tmp_path / "crawl")).states
            async with handed_over(tmp_path / "crawl", state, LaunchOptions()) as (handover, _):
                page = handover.page
                assert page is not None
                assert handover.is_open
                await page.browser.connection.send("Target.closeTarget", {"targetId": page.frame})
                async with asyncio.timeout(60):
                    while handover.is_open:
                        await asyncio.sleep(0.01)

    asyncio.run(run())


def test_no_window_where_there_is_no_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    done = statecrawl_apart("replay", "nothing", "0", "--window", cwd=tmp_path)
    assert done.returncode == 4
    assert "there is no screen" in done.stderr
