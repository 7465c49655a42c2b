"""A short crawl ahead of one on many machines: what all of them have to know before they begin.

Crawlers that name states each for themselves must leave out the same parts of pages. What varies by
itself is found by going the same way twice, which takes one machine and few states.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from statecrawl.browser.leftovers import temporary_folder
from statecrawl.compose.crawl import crawl_application
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.counts import Counts
from statecrawl.core.hooks import Hooks
from statecrawl.core.limits import Limits
from statecrawl.core.masks import Masks
from statecrawl.core.session import Crawl
from statecrawl.runtimes.recorder import SCOUTED
from statecrawl.storage import SqliteStore

SCOUTED_STATES = 15
SCOUTED_SECONDS = 15.0
"""A scout sees so many states, or for so long, whichever ends first."""
NEEDED = ("clock", "entries", "starts", "reset_cost", "options")


class Scouted(NamedTuple):
    """What is to be stored about a crawl, and what its states do not depend on."""

    about: dict[str, Any]
    masks: Masks


async def scout(options: CrawlOptions, run: RunOptions, tell: Callable[[str], None]) -> Scouted:
    """Crawl a little of an application, into a folder that goes."""
    with temporary_folder() as parent:
        folder = parent / "scout"
        short = RunOptions(
            out=folder,
            screenshots=False,
            limits=Limits(max_states=SCOUTED_STATES),
            max_seconds=SCOUTED_SECONDS,
            launch=run.launch,
        )
        await crawl_application(options, short, _Telling(tell))
        with SqliteStore.open(folder, read_only=True) as store:
            about = {name: store.about[name] for name in (*options.to_json(), *NEEDED)}
            return Scouted({**about, SCOUTED: _probes(store.counts)}, store.masks)


def _probes(counts: Counts) -> dict[str, int]:
    """Return what a scout executed as what it is for the crawl: only to learn something."""
    return {
        "probe_events": counts.events + counts.probe_events,
        "probe_resets": counts.resets + counts.probe_resets,
        "requests": counts.requests,
        "requests_cached": counts.requests_cached,
    }


class _Telling(Hooks):
    """Says how far a scout is."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        """Say it."""
        del counts
        self._tell(f"a first look at {crawl.model.state_count:,} states: what varies by itself")
