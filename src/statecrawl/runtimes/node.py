"""A node of a star: a crawler with its own browser, and a line to the hub."""

import asyncio
from collections.abc import Callable

from statecrawl.coordination.sessions import Endpoint
from statecrawl.coordination.star_messages import Credentials, NodeStatus
from statecrawl.coordination.star_node import StarNode
from statecrawl.core.session import Crawl
from statecrawl.runtimes.crawler import Crawler
from statecrawl.runtimes.line import Line
from statecrawl.runtimes.process import Process

COORDINATOR = "coordinator"
RETRY_SECONDS = 5.0
FAREWELL_SECONDS = 5.0


async def take_part(
    line: Line, crawler: Crawler, new_session: Callable[[Credentials], Crawl]
) -> None:
    """Crawl for the coordinator that was joined, until the crawl is over."""

    def fresh_session(credentials: Credentials) -> Crawl:
        crawler.forget()
        return new_session(credentials)

    node = StarNode(COORDINATOR, fresh_session, retry_seconds=RETRY_SECONDS)
    process = Process(Endpoint(node, 1), line.send, crawler, rest=crawler.rest)
    tasks = [
        asyncio.create_task(line.keep_sending(crawler.counts, crawler.spending.answered)),
        asyncio.create_task(
            line.keep_receiving(
                lambda each: process.hear(COORDINATOR, each),
                lambda is_wanted: process.pause(is_wanted=is_wanted),
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
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await process.close()
