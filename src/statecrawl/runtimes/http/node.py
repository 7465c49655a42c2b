"""A node of a star over HTTP: a crawler with its own browser, behind any firewall."""

import asyncio
from collections.abc import Callable

from statecrawl.coordination.sessions import Endpoint
from statecrawl.coordination.star_messages import Credentials, NodeStatus
from statecrawl.coordination.star_node import StarNode
from statecrawl.core.session import Crawl
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.http.link import Link
from statecrawl.runtimes.process import Process

COORDINATOR = "coordinator"
RETRY_SECONDS = 5.0
FAREWELL_SECONDS = 5.0


async def take_part(
    link: Link, crawler: Crawler, new_session: Callable[[Credentials], Crawl]
) -> None:
    """Crawl for the coordinator that was joined, until the crawl is over."""

    def fresh_session(credentials: Credentials) -> Crawl:
        crawler.forget()
        return new_session(credentials)

    node = StarNode(COORDINATOR, fresh_session, retry_seconds=RETRY_SECONDS)
    process = Process(Endpoint(node, 1), link.send, crawler, rest=crawler.rest)
    tasks = [
        asyncio.create_task(link.keep_sending(crawler.counts, crawler.spending.answered)),
        asyncio.create_task(link.keep_receiving(lambda each: process.hear(COORDINATOR, each))),
        asyncio.create_task(process.until(lambda: node.status is NodeStatus.TERMINATED)),
    ]
    process.begin()
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        async with asyncio.timeout(FAREWELL_SECONDS):
            await link.say_last(crawler.counts())
    except TimeoutError:
        return
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await process.close()
