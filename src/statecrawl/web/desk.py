"""Reads a crawl for the page, running or finished, in a thread of its own."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import asdict
from functools import lru_cache
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.merging import MergeTable
from statecrawl.core.ports import Store
from statecrawl.core.wish import Wish
from statecrawl.web.documents import Document, crawl_document, merging_document, state_document
from statecrawl.web.pictures import thumbnail

Thing = TypeVar("Thing")
AnyStore = TypeVar("AnyStore", bound=Store)

REST = 9
"""Reading a running crawl again may take at most one part in ten of the time."""
MAX_THUMBNAILS = 2_000


class Told(NamedTuple):
    """The crawl as it was told last."""

    version: int
    counts: Counts
    crawled: Crawled
    document: bytes
    took: float
    at: float


class Before(NamedTuple):
    """An older crawl of the same application, and what tells what differs from it."""

    desk: "Desk[Any]"
    compare: Callable[[], Document]


class Desk(Generic[AnyStore]):
    """Answers what the page asks; in one thread, which has the store open, but for what is slow."""

    def __init__(
        self,
        open_store: Callable[[], AnyStore],
        explained: Callable[[AnyStore], Crawled],
        merges: Callable[[AnyStore], MergeTable],
        before: "Before | None" = None,
    ) -> None:
        self._open = open_store
        self._merges = merges
        self._merging: tuple[int, bytes] | None = None
        self._merging_one = asyncio.Lock()
        self._explained = explained
        self.before = before
        self._thread = ThreadPoolExecutor(1, "statecrawl-desk")
        self._store: AnyStore | None = None
        self._told: Told | None = None
        self._comparison: tuple[int, Document] | None = None
        self._small = lru_cache(MAX_THUMBNAILS)(self._thumbnail)

    async def crawl(self, known: int) -> tuple[int, bytes | None]:
        """Return a version of the crawl that is not too old; nothing if the page has it."""
        told = await self._do(self._current)
        return told.version, None if told.version == known else told.document

    async def progress(self) -> Document:
        """Return how far the crawl is, at once."""
        return await self._do(self._progress)

    async def state(self, name: str) -> Document | None:
        """Return what is known of one state only."""
        return await self._do(lambda: self._state(name))

    async def picture(self, state: str) -> bytes | None:
        """Return the picture of a state."""
        return await self._do(lambda: self._shelf.screenshot(state))

    async def small_picture(self, state: str) -> bytes | None:
        """Return a small picture of a state."""
        with suppress(LookupError):
            return await self._do(lambda: self._small(state))
        return None

    async def comparison(self) -> Document | None:
        """Return what differs from the crawl before, if there is one to compare with."""
        return await self._do(self._compared)

    async def merging(self) -> bytes:
        """Return which states become one as the threshold rises; this may take seconds."""
        async with self._merging_one:
            version = (await self._do(self._current)).version
            if self._merging is None or self._merging[0] != version:
                self._merging = version, await asyncio.to_thread(self._merged)
            return self._merging[1]

    async def ask(self, wish: Wish) -> None:
        """Want something of the running crawl."""
        await self._do(lambda: self._shelf.ask(wish))

    async def close(self) -> None:
        """Let go of the crawl."""
        if self.before is not None:
            await self.before.desk.close()
        await self._do(self._close)
        self._thread.shutdown()

    async def _do(self, work: Callable[[], Thing]) -> Thing:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    @property
    def _shelf(self) -> AnyStore:
        if self._store is None:
            self._store = self._open()
        return self._store

    def _current(self) -> Told:
        """Read the crawl again, if it has changed and enough time has passed."""
        told, counts = self._told, self._shelf.counts
        is_early = told is not None and monotonic() < told.at + REST * told.took
        if told is not None and (counts == told.counts or (is_early and self._shelf.has_writer)):
            return told
        began = monotonic()
        crawled = self._explained(self._shelf)
        document = encoded(
            crawl_document(crawled, self._shelf.has_screenshot, has_before=self.before is not None)
        )
        now = monotonic()
        version = 1 if told is None else told.version + 1
        self._told = Told(version, counts, crawled, document, now - began, now)
        return self._told

    def _compared(self) -> Document | None:
        if self.before is None:
            return None
        version = self._current().version
        if self._comparison is None or self._comparison[0] != version:
            self._comparison = version, self.before.compare()
        return self._comparison[1]

    def _merged(self) -> bytes:
        with closing(self._open()) as store:
            return encoded(merging_document(self._merges(store)))

    def _progress(self) -> Document:
        store = self._shelf
        is_running = store.has_writer
        return {
            **asdict(store.counts),
            "is_running": is_running,
            "wish": store.wish if is_running else Wish.RUN,
        }

    def _state(self, name: str) -> Document | None:
        crawled = self._current().crawled
        state = crawled.states.get(crawled.aliases.get(name, name))
        page = None if state is None else self._shelf.snapshot(state.id)
        return None if state is None or page is None else state_document(crawled, state, page)

    def _thumbnail(self, state: str) -> bytes:
        picture = self._shelf.screenshot(state)
        if picture is None:
            raise LookupError(state)  # there may be one later: this is not kept
        return thumbnail(picture)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()


def encoded(document: Any) -> bytes:
    """Return a document as JSON in ASCII: whatever pages put into it can be written so."""
    return json.dumps(document, separators=(",", ":")).encode("ascii")
