"""Puts search together: the crawls in folders, their indexes, and who asks them."""

from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from statecrawl.compose.crawl import rarely_collecting
from statecrawl.compose.near import decided_classes
from statecrawl.core.crawled import Crawled
from statecrawl.core.ports import Store
from statecrawl.errors import InputError
from statecrawl.search.documents import SINCE, Content, outlines, read_content
from statecrawl.search.index import Index, Told, Updated, update_index
from statecrawl.storage import open_crawl


def index_crawl(folder: Path, told: Told) -> Updated:
    """Bring the index of a crawl up to date, or make it."""
    with open_crawl(folder, read_only=True) as store, rarely_collecting():
        stamp = _stamp(store)

        def read(states: Container[str]) -> Iterator[tuple[str, Content]]:
            return ((state, read_content(page)) for state, page in store.doms(states))

        crawled = store.crawled()
        crawled = crawled.with_classes(decided_classes(store, crawled))
        return update_index(folder, stamp, outlines(crawled), read, told, _earlier(crawled))


def open_indexes(folders: Sequence[Path], told: Told) -> list[Index]:
    """Return the indexes of crawls, each brought up to date where it is not."""
    return [open_index(folder, told) for folder in dict.fromkeys(folders)]


def open_index(folder: Path, told: Told) -> Index:
    """Return the index of a crawl, brought up to date if it is not."""
    with open_crawl(folder, read_only=True) as store:
        stamp = _stamp(store)
    index = Index.open(folder)
    if index is None or index.stamp != stamp:
        index_crawl(folder, told)
        index = Index.open(folder)
    if index is None:
        raise InputError(f"the index of {str(folder)[:200]!r} was removed while it was opened")
    return index


def _earlier(crawled: Crawled) -> Path | None:
    """Return the crawl that this one started from, if equal ids are equal pages in both."""
    since, is_exact = crawled.about.get(SINCE), crawled.about.get("equivalence") == "exact"
    return Path(str(since)) if since and is_exact else None


def _stamp(store: Store) -> list[float]:
    """Return what is another whenever the crawl has gone on."""
    counts = store.counts
    return [counts.events, counts.resets, counts.seconds]
