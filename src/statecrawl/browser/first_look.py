"""The first look at an application: is it there, and what does a reset cost."""

from collections.abc import Callable, Mapping, Sequence
from json import dumps
from statistics import median
from time import perf_counter

from statecrawl.browser.chromium import Chromium
from statecrawl.browser.losses import PageLostError, as_the_agent_tells
from statecrawl.browser.page import Page
from statecrawl.browser.tab import refuse_what_is_no_page
from statecrawl.errors import ApplicationError, BrowserError, InputError

EVENTS_MEASURED = 6
USUAL_RESET_COST = 20.0


async def first_look(
    chromium: Chromium,
    url: str,
    widen: Callable[[str], None],
    selectors: Mapping[str, Sequence[str]],
) -> float:
    """Return how many events a reset costs, or say why the page can't be crawled.

    `widen` is told where the URL led in the end, before anything is fired. The selectors, each
    under the option that it was given with, are checked by the browser.
    """
    try:
        return await _look(chromium, url, widen, selectors)
    except (PageLostError, TimeoutError):
        raise ApplicationError(
            f"{url} does not come to rest: does it ever finish loading?"
        ) from None


async def _look(
    chromium: Chromium,
    url: str,
    widen: Callable[[str], None],
    selectors: Mapping[str, Sequence[str]],
) -> float:
    page, loaded = await chromium.load(url)
    try:
        refuse_what_is_no_page(url, loaded)
        widen(chromium.redact(loaded.url))
        await _check(page, selectors)
        started = perf_counter()
        await chromium.release(page)
        page, loaded = await chromium.load(url)  # in the same page again, as in the crawl
        load_seconds = perf_counter() - started
        chromium.meter.probe_resets += 2
        event_seconds = await _event_seconds(chromium, page)
    finally:
        await chromium.release(page)
    if event_seconds is None:
        return USUAL_RESET_COST
    return round(max(1.0, load_seconds / event_seconds), 1)


async def _check(page: Page, selectors: Mapping[str, Sequence[str]]) -> None:
    """Say in one line which selector is none."""
    for option, given in selectors.items():
        for bad in await page.call(f"badSelectors({dumps(list(given))})"):
            raise InputError(f"{option} {bad[:100]!r} is not a CSS selector")


async def _event_seconds(chromium: Chromium, page: Page) -> float | None:
    """Return what an event takes on this page; None when there is none to fire."""
    seconds = []
    try:
        for number in range(EVENTS_MEASURED):
            content = await page.call("content()")
            with as_the_agent_tells():
                events = [each[0] for each in content["events"]]
            if not events:
                break
            started = perf_counter()
            message = await page.run([(events[number % len(events)], None)])
            seconds.append(perf_counter() - started)
            chromium.meter.probe_events += 1
            await page.come_to_rest(message)
    except (PageLostError, BrowserError, TimeoutError):
        pass  # what was measured up to here will do
    return median(seconds) if seconds else None
