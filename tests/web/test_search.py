"""Search in the page: as one types, up to the live page with the words marked."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.command import statecrawl_apart
from tests.serving import site
from tests.web.crawls import attacking, generate
from tests.web.viewing import a_browser, viewed, watched

MARKED = """canvas => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const yellow = [255, 225, 77];
  let marked = 0;
  for (let at = 0; at < data.length; at += 4) {
    marked += yellow.every((value, part) => Math.abs(data[at + part] - value) < 25);
  }
  return marked;
}"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with a_browser() as started:
        yield started


def ask(page: Page, query: str) -> None:
    box = page.get_by_role("searchbox", name="Words in states")
    box.fill("")
    box.press_sequentially(query)


def test_from_a_word_to_the_live_page_with_the_word_marked(
    chromium: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "crawl"
    with site("videos:videos=1") as url:
        done = statecrawl_apart("crawl", url, "--out", str(folder), "--max-states", "4")
        assert done.returncode == 0, done.stderr
        with viewed(folder) as (address, _), watched(chromium) as seen:
            page = seen.open(f"{address}#/search")
            ask(page, "youtu")
            expect(page.locator(".found mark").first).to_have_text("youtube")
            expect(page.locator(".found img").first).to_be_visible()
            page.locator(".found li").nth(1).get_by_role("link", name="Open in").click()
            expect(page.get_by_text("The browser is there")).to_be_visible()
            canvas = page.locator("canvas[data-frames]")
            canvas.wait_for()
            assert canvas.evaluate(MARKED) > 100
    with (
        site("videos:videos=2", urlsplit(url).port or 0),
        viewed(folder) as (address, _),
        watched(chromium) as seen,
    ):
        page = seen.open(f"{address}#/search?q=youtube")
        page.locator(".found li").first.get_by_role("link", name="Open in").click()
        expect(page.get_by_text("the application has changed since")).to_be_visible()
        expect(page.get_by_role("heading", name="As it was crawled")).to_be_visible()
        expect(page.locator(".stored mark").first).to_have_text("youtube")


def test_what_hostile_pages_say_is_only_text(chromium: Browser, tmp_path: Path) -> None:
    folder = generate(tmp_path / "crawl", 60, said=attacking)
    with viewed(folder) as (address, _), watched(chromium) as seen:
        page = seen.open(f"{address}#/search")
        for query in ("script", "state", '"onerror', "constructor"):
            ask(page, query)
            expect(page.locator(".found li").first).to_be_visible()
        assert page.evaluate("window.pwned") is None
        assert [url for url in seen.asked if not url.startswith((address, "about:"))] == []


def test_a_query_without_words_is_told_and_nothing_breaks(
    chromium: Browser, tmp_path: Path
) -> None:
    folder = generate(tmp_path / "crawl", 20, pictures=0)
    with viewed(folder) as (address, _), watched(chromium) as seen:
        page = seen.open(f"{address}#/search")
        ask(page, "nowhere to be found")
        expect(page.get_by_text("0 states")).to_be_visible()
        for half_typed in ('"', "NOT item"):
            ask(page, half_typed)
            expect(page.locator(".search-page .muted")).to_contain_text("the query")
        ask(page, "item")
        expect(page.locator(".found li").first).to_be_visible()
