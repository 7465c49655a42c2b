"""A node of a star: a crawler with its own browser, and a line to the hub."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from statecrawl.coordination.sessions import Endpoint
from statecrawl.coordination.star_messages import Credentials, NodeStatus
from statecrawl.coordination.star_node import StarNode
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.plan import Plan
from statecrawl.core.session import Crawl
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.line import BATCH_CHARACTERS, ForgottenError, Line
from statecrawl.runtimes.process import Process

COORDINATOR = "coordinator"
RETRY_SECONDS = 5.0
FAREWELL_SECONDS = 5.0


NewSession = Callable[[Credentials], Crawl]
CrawlerStarter = Callable[[dict[str, Any]], AbstractAsyncContextManager[tuple[Crawler, NewSession]]]
"""Starts a browser for the crawl that is described; it can be pickled."""


def masks_in(about: dict[str, Any]) -> Masks:
    """Return the masks in the description of a crawl."""
    return Masks(tuple(Mask(*map(str, mask)) for mask in about["masks"]))


async def crawl_for(line: Line, make: CrawlerStarter, say: Callable[[str], None]) -> None:
    """Crawl for a coordinator until the crawl is over; whom it forgets joins anew.

    That is how nodes hear of other masks: their browser stays.
    """
    about = await line.join()
    while True:
        async with make(about) as (crawler, new_session):
            began = _but_masks(about)
            while _but_masks(about) == began:
                try:
                    await take_part(line, crawler, new_session)
                except ForgottenError:
                    told = line.told
                    about = await line.join()
                    await crawler.begin_anew(masks_in(about), told)
                else:
                    return
        say("the coordinator has forgotten this node: joining again")


def _but_masks(about: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in about.items() if name != "masks"}


async def take_part(line: Line, crawler: Crawler, new_session: NewSession) -> None:
    """Crawl for the coordinator that was joined, until the crawl is over."""

    def fresh_session(credentials: Credentials) -> Crawl:
        crawler.forget()
        return new_session(credentials)

    node = StarNode(COORDINATOR, fresh_session, retry_seconds=RETRY_SECONDS)
    process = Process(Endpoint(node, 1), line.send, crawler, rest=crawler.rest)

    async def look(state: str) -> None:
        way = _way(node.crawl, state)
        visits = None if way is None else await crawler.visit_twice(way)
        if visits is not None and sum(len(page.dom) for page in visits) > BATCH_CHARACTERS:
            visits = None
        await line.show(state, visits, crawler.counts())

    tasks = [
        asyncio.create_task(line.keep_sending(crawler.counts, crawler.spending.answered)),
        asyncio.create_task(
            line.keep_receiving(
                lambda each: process.hear(COORDINATOR, each),
                lambda is_wanted: process.pause(is_wanted=is_wanted),
                look,
            )
        ),
        asyncio.create_task(process.until(lambda: node.status is NodeStatus.TERMINATED)),
    ]
    process.begin()
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        async with asyncio.timeout(FAREWELL_SECONDS):
            await line.say_last(crawler.counts())
    except TimeoutError:
        return
    except ForgottenError:
        process.pause(is_wanted=True)
        await crawler.come_to_rest()
        raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await process.close()


def _way(crawl: Crawl | None, state: str) -> Plan | None:
    """Return a way to a state, if the session knows one; perhaps it leads elsewhere this time."""
    number = None if crawl is None else crawl.model.state(state)
    if crawl is None or number is None:
        return None
    return crawl.plan_to(number) or crawl.plan_again(number)
