"""The library: crawl an application from a program, follow it live, read what was found."""

import asyncio
from pathlib import Path

from statecrawl.compose.crawl import crawl_application
from statecrawl.compose.reading import read_crawl
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.hooks import Hooks


def crawl(
    what: str | CrawlOptions, run: RunOptions | None = None, hooks: Hooks | None = None
) -> Crawled:
    """Crawl an application, a URL or options with one, and return what was found.

    Everything is in a folder, too (`RunOptions.out`). Errors are those of `StatecrawlError`.
    """
    return asyncio.run(crawl_async(what, run, hooks))


async def crawl_async(
    what: str | CrawlOptions, run: RunOptions | None = None, hooks: Hooks | None = None
) -> Crawled:
    """Do the same in a program that is asynchronous itself."""
    options = CrawlOptions(what) if isinstance(what, str) else what
    return read_crawl(await crawl_application(options.checked(), run or RunOptions(), hooks))


def read(folder: Path | str) -> Crawled:
    """Return what the crawl in a folder has found, running or finished."""
    return read_crawl(Path(folder))
