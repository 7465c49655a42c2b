"""The page beside a crawl that runs, and browsers that it brings into states."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Page, expect

from statecrawl.storage import SqliteStore
from tests.web.viewing import PATIENCE_MS, a_browser, viewed, watched

SITE = "hypercube:dimensions=12"
"""Larger than anybody crawls meanwhile; a button that is clicked goes."""


@contextmanager
def running(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """One of our commands, for as long as this lasts."""
    command = [sys.executable, "-m", "statecrawl", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


def states_of(page: Page) -> int:
    told = page.get_by_role("link", name=re.compile("^States")).inner_text()
    return int(re.sub(r"\D", "", told))


def test_the_page_follows_a_crawl_and_brings_a_browser_into_a_state(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with running("sites", "serve", SITE, "--port", "0") as site:
        assert site.stderr is not None
        url = re.search(r"http://\S+", site.stderr.readline())
        assert url
        with running("crawl", url[0], "--out", str(folder), "--no-screenshots") as crawl:
            while not (folder / "crawl.db").exists():
                assert crawl.poll() is None
            with (
                viewed(folder) as (address, process),
                a_browser() as browser,
                watched(browser) as seen,
            ):
                page = seen.open(address)
                page.wait_for_function(
                    "() => / states,/.test(document.querySelector('.live')?.innerText)"
                )
                follow(page, crawl)
                replay(page, address, process, folder)


def follow(page: Page, crawl: "subprocess.Popen[str]") -> None:
    """Pause, go on and stop."""
    expect(page.get_by_label("The running crawl")).to_contain_text("tab 1:")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.wait_for_function(
        """async () => {
          const fired = async () => (await (await fetch('api/progress')).json()).events;
          const before = await fired();
          await new Promise(done => setTimeout(done, 1500));
          return before === await fired();
        }"""
    )
    assert crawl.poll() is None
    page.wait_for_timeout(1_200)  # the page looks once a second
    found = states_of(page)
    assert found > 1
    page.get_by_role("button", name="Resume").click()
    page.wait_for_function(
        "known => Number(document.querySelector('nav .count').innerText.replace(',', '')) > known",
        arg=found,
    )
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_label("The running crawl")).to_have_count(0, timeout=PATIENCE_MS)
    assert crawl.wait(60) == 5


def replay(page: Page, address: str, process: int, folder: Path) -> None:
    """Bring a browser into a state, use it, and leave."""
    with SqliteStore.open(folder, read_only=True) as store:
        state = list(store.crawled().states)[2]
        before = store.counts
    page.goto(f"{address}#/replay/{state}")
    screen = page.locator("canvas[data-frames]")
    expect(page.get_by_role("status")).to_contain_text("It is yours", timeout=PATIENCE_MS)
    screen.wait_for()
    shown = page.evaluate("document.querySelector('canvas').toDataURL()")
    box = screen.bounding_box()
    assert box
    for share in (0.2, 0.25, 0.3, 0.35, 0.4):  # where the buttons are
        screen.click(position={"x": box["width"] * 0.55, "y": box["height"] * share})
    page.wait_for_function(
        "before => document.querySelector('canvas').toDataURL() !== before", arg=shown
    )
    assert any("chrom" in child.name() for child in psutil.Process(process).children())
    page.get_by_role("link", name="End").click()
    page.wait_for_selector(".state")
    gone = psutil.wait_procs(psutil.Process(process).children(), timeout=60)
    assert gone[1] == []
    with SqliteStore.open(folder, read_only=True) as store:
        assert store.counts == before
