"""The first look at an application: is it there, what varies by itself, what does a reset cost."""

from statistics import median
from time import perf_counter
from typing import NamedTuple

from statecrawl.browser.chromium import Chromium
from statecrawl.browser.page import Page, PageLostError
from statecrawl.browser.tab import refuse_what_is_no_page
from statecrawl.errors import BrowserError

EVENTS_MEASURED = 6
USUAL_RESET_COST = 20.0


class FirstLook(NamedTuple):
    """What is known before the crawl begins; a reset costs that many events."""

    url: str
    reset_cost: float


async def first_look(chromium: Chromium, url: str) -> FirstLook:
    """Load a page, fire a few of its events and measure, or say why it can't be crawled."""
    await _loading_seconds(chromium, url)  # the first one also starts the renderer
    page_seconds, page = await _loading_seconds(chromium, url, keeps=True)
    loaded_url = url
    try:
        if page is not None:
            loaded_url = str((await page.call("content()"))["url"])
        event_seconds = await _event_seconds(chromium, page) if page is not None else None
    finally:
        if page is not None:
            await chromium.discard(page)
    if event_seconds is None:
        return FirstLook(loaded_url, USUAL_RESET_COST)
    return FirstLook(loaded_url, round(max(1.0, page_seconds / event_seconds), 1))


async def _loading_seconds(
    chromium: Chromium, url: str, keeps: bool = False
) -> tuple[float, Page | None]:
    started = perf_counter()
    page, loaded = await chromium.load(url)
    seconds = perf_counter() - started
    chromium.meter.probe_resets += 1
    try:
        refuse_what_is_no_page(url, loaded)
    except BaseException:
        await chromium.discard(page)
        raise
    if keeps:
        return seconds, page
    await chromium.discard(page)
    return seconds, None


async def _event_seconds(chromium: Chromium, page: Page) -> float | None:
    """Return what an event takes on this page; None when there is none to fire."""
    seconds = []
    try:
        for number in range(EVENTS_MEASURED):
            events = [each[0] for each in (await page.call("content()"))["events"]]
            if not events:
                break
            started = perf_counter()
            message = await page.run([(events[number % len(events)], None)])
            seconds.append(perf_counter() - started)
            chromium.meter.probe_events += 1
            if "leaving" in message:
                await page.loaded()
    except (PageLostError, BrowserError):
        pass  # what was measured up to here will do
    return median(seconds) if seconds else None
