"""Pages loaded before they are needed, so that a reset is a switch of tabs."""

import asyncio
import contextlib
from collections import deque

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.loading import Loaded
from statecrawl.browser.page import Page
from statecrawl.errors import StatecrawlError

Warm = tuple[Page, Loaded, AgentSettings]


class WarmPages:
    """Keeps a few pages of the entry used last, once it shows that resets are frequent.

    A page is too old when the application wrote something after it was loaded, or when the
    masks have changed.
    """

    def __init__(self, chromium: Chromium, count: int) -> None:
        self._chromium = chromium
        self._count = count
        self._url = ""
        self._taken = 0
        self._loading: deque[asyncio.Task[Warm]] = deque()

    async def take(self, url: str) -> tuple[Page, Loaded]:
        """Return a freshly loaded page, and begin to load the next."""
        if url != self._url:
            await self.close()
            self._url, self._taken = url, 0
        self._taken += 1
        while self._loading:
            page, loaded, settings = await self._loading.popleft()
            is_fresh = (
                page.is_alive
                and self._chromium.is_current(page)
                and settings is self._chromium.settings
            )
            if is_fresh:
                self._refill()
                return page, loaded
            await self._chromium.release(page)
        page, loaded = await self._chromium.load(url)
        self._refill()
        return page, loaded

    def _refill(self) -> None:
        while len(self._loading) < min(self._count, self._taken - 1):
            self._loading.append(asyncio.create_task(self._load()))

    async def _load(self) -> Warm:
        settings = self._chromium.settings
        page, loaded = await self._chromium.load(self._url, settings)
        return page, loaded, settings

    async def close(self) -> None:
        """Throw away all that was loaded."""
        loading, self._loading = self._loading, deque()
        for task in loading:
            if not task.done():
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, StatecrawlError):
                page, _, _ = await task
                await self._chromium.release(page)
