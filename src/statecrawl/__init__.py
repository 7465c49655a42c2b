"""statecrawl crawls states, not URLs.

    import statecrawl

    found = statecrawl.crawl("http://localhost:3000")
    for state in found.states.values():
        print(state.id, state.title, state.url)

What is named here is the library; docs/library.md tells how to use it.
"""

__version__ = "0.1.0"

from statecrawl.api import crawl, crawl_async, read
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.crawled import Crawled, CrawledState, CrawledTransition
from statecrawl.core.hooks import Hooks, Running
from statecrawl.core.limits import Limits
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.errors import ApplicationError, BrowserError, InputError, StatecrawlError

__all__ = [
    "ApplicationError",
    "BrowserError",
    "CrawlOptions",
    "Crawled",
    "CrawledState",
    "CrawledTransition",
    "Event",
    "Hooks",
    "InputError",
    "Limits",
    "RunOptions",
    "Running",
    "Snapshot",
    "StatecrawlError",
    "StopReason",
    "__version__",
    "crawl",
    "crawl_async",
    "read",
]
