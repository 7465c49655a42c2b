"""Puts stored crawls together to be read, and two of them to be compared."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from statecrawl.compose.choices import state_identity
from statecrawl.compose.near import stored_classes
from statecrawl.core.causes import explain
from statecrawl.core.comparison import Comparison, Detail, Details, compare, details
from statecrawl.core.crawled import Crawled
from statecrawl.core.exchange import NoContents
from statecrawl.core.matching import Match, Side
from statecrawl.equivalences import EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.storage import SqlStore, open_crawl


def read_crawl(folder: Path) -> Crawled:
    """Return a crawl, running or finished, with guesses why events are nondeterministic."""
    with opened_crawl(folder) as crawled:
        return crawled.with_contents(NoContents())


@contextmanager
def opened_crawl(folder: Path) -> Iterator[Crawled]:
    """Give a crawl with the content of its pages, as long as this lasts."""
    with open_crawl(folder, read_only=True) as store:
        yield explained(store)


def explained(store: SqlStore) -> Crawled:
    """Return a crawl with the content of its pages, and what can be said of them.

    That is why events may be nondeterministic, and which states are near-duplicates.
    """
    crawled = store.crawled().with_contents(store)
    crawled = crawled.with_classes(stored_classes(store, crawled))
    return crawled.with_guesses(explain(crawled, store.snapshot))


class Compared(NamedTuple):
    """Two crawls compared, and what tells more about each state that has changed."""

    comparison: Comparison
    details: Details

    def to_json(self, one: Path, other: Path) -> dict[str, Any]:
        """Return what differs, and where the crawls are."""
        told = self.comparison.to_json(self.details)
        return {
            **told,
            "a": {"crawl": str(one), **told["a"]},
            "b": {"crawl": str(other), **told["b"]},
        }


@contextmanager
def compared(one: Path, other: Path) -> Iterator[Compared]:
    """Compare two crawls; details are read from them as long as this lasts.

    What either crawl left out of identity is left out of both.
    """
    with (
        open_crawl(one, read_only=True) as first,
        open_crawl(other, read_only=True) as second,
    ):
        was, now = first.crawled(), second.crawled()
        kinds = [str(crawled.about.get("equivalence", "")) for crawled in (was, now)]
        if kinds[0] != kinds[1]:
            raise InputError(
                f"the crawls were made with {' and '.join(kinds)}: crawl one of them again, "
                "with the --equivalence of the other"
            )
        masks = was.masks.plus(now.masks.masks)
        sides = []
        identity = state_identity(kinds[0], masks)
        for store, crawled in ((first, was), (second, now)):
            is_same = kinds[0] in EQUIVALENCES and set(crawled.masks.masks) == set(masks.masks)
            keys = {} if is_same else {state: identity(page) for state, page in store.doms()}
            sides.append(Side(crawled, keys))

        def told(match: Match) -> list[Detail]:
            before, after = first.snapshot(match.was), second.snapshot(match.now)
            return [] if before is None or after is None else details(before, after, masks)

        yield Compared(compare(*sides), told)
