"""Answers searches of the page, in a thread of its own: an index may have to be made first."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from statecrawl.search.index import Index
from statecrawl.search.searching import search
from statecrawl.web.documents import Document

LIMIT = 20
"""So many results are told at once."""
REST = 9
"""Bringing the index up to date may take at most one part in ten of the time."""


class Finder:
    """Searches one crawl, running or finished."""

    def __init__(self, open_index: Callable[[], Index]) -> None:
        self._open = open_index
        self._thread = ThreadPoolExecutor(1, "statecrawl-finder")
        self._index: Index | None = None
        self._due = 0.0

    async def find(self, query: str) -> Document:
        """Return the best states for a query that may still be typed."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._find, query)

    def close(self) -> None:
        """Answer no more."""
        self._thread.shutdown()

    def _find(self, query: str) -> Document:
        found = search([self._current()], query, LIMIT, is_typed=True)
        return {
            "total": found.total,
            "words": list(found.words),
            "results": [result.to_json() for result in found.best],
        }

    def _current(self) -> Index:
        began = monotonic()
        if self._index is None or began >= self._due:
            self._index = self._open()
            now = monotonic()
            self._due = now + REST * (now - began)
        return self._index
