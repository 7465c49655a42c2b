"""A reset is one, tabs don't see each other, and a browser ends with us."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.leftovers import PREFIX, sweep
from tests.browser.helpers import crawl, evaluate, served

pytestmark = pytest.mark.own_browser

TRACES = """(async () => {
  const before = [document.cookie, localStorage.length, sessionStorage.length, window.name,
    (await indexedDB.databases()).length, (await caches.keys()).length, history.length];
  document.cookie = 'a=1; path=/'; localStorage.a = 1; sessionStorage.a = 1; window.name = 'a';
  await new Promise((resolve) => { indexedDB.open('a').onsuccess = (e) => {
    e.target.result.close(); resolve(); }; });
  await caches.open('a');
  history.pushState({}, '', '?pushed');
  addEventListener('pagehide', () => { localStorage.b = 1; document.cookie = 'b=1; path=/'; });
  return before;
})()"""


def test_after_a_reset_nothing_is_left_of_the_visit_before() -> None:
    async def run() -> None:
        html = {"/": "<p>hello</p>"}
        async with served(html) as url, Chromium(LaunchOptions(), AgentSettings()) as chromium:
            page, _ = await chromium.load(url)
            first = await evaluate(page, TRACES)
            await chromium.release(page)
            again, _ = await chromium.load(url)
            assert again is page  # the same context, cleaned
            second = await evaluate(again, TRACES)
            assert second[:6] == first[:6] == ["", 0, 0, "", 0, 0]
            assert second[6] <= 2

    asyncio.run(run())


def test_pages_side_by_side_are_isolated() -> None:
    async def run() -> None:
        html = {"/": "<p>hello</p>"}
        async with served(html) as url, Chromium(LaunchOptions(), AgentSettings()) as chromium:
            one, _ = await chromium.load(url)
            await evaluate(one, TRACES)
            other, _ = await chromium.load(url)
            assert (await evaluate(other, TRACES))[:6] == ["", 0, 0, "", 0, 0]

    asyncio.run(run())


def test_the_reset_command_runs_before_every_load(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def run() -> None:
        async with served({"/": "<a href=#x>x</a>"}) as url:
            command = f"echo {{cursor}} >> {log}"
            found = await crawl(url, tmp_path / "crawl", reset_command=command)
            loads = found.counts.resets + found.counts.probe_resets
            assert log.read_text().split() == ["0"] * loads

    asyncio.run(run())


def test_a_control_that_wants_trusted_input_gets_it(tmp_path: Path) -> None:
    html = """<button id=b>only for people</button><p id=out>no</p><script>
    b.addEventListener('click', (e) => { if (e.isTrusted) out.textContent = 'yes'; });</script>"""

    async def run() -> None:
        async with served({"/": html}) as url:
            found = await crawl(url, tmp_path / "crawl")
            assert len(found.states) == 2
            assert found.about["trusted"] == ['click button "only for people"']

    asyncio.run(run())


LAUNCH = """
import asyncio
from statecrawl.browser.launch import LaunchOptions, browser

async def main():
    async with browser(LaunchOptions()) as launched:
        print(launched.pid, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


def test_a_browser_ends_with_us_and_what_is_left_is_swept_away() -> None:
    ours = subprocess.Popen([sys.executable, "-c", LAUNCH], stdout=subprocess.PIPE, text=True)
    assert ours.stdout is not None
    browser = psutil.Process(int(ours.stdout.readline()))
    flag = next(each for each in browser.cmdline() if each.startswith("--user-data-dir="))
    profile = Path(flag.partition("=")[2])
    assert profile.name.startswith(PREFIX)
    assert profile.parent == Path(tempfile.gettempdir())
    sweep()
    assert profile.exists()  # in use
    os.kill(ours.pid, signal.SIGKILL)
    ours.wait()
    ours.stdout.close()
    psutil.wait_procs([browser], timeout=30)
    sweep()
    assert not browser.is_running() or browser.status() == psutil.STATUS_ZOMBIE
    assert not profile.exists()


def test_a_folder_whose_removal_was_cut_short_is_swept_away() -> None:
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    (folder / "Default").mkdir()
    sweep()
    assert not folder.exists()
