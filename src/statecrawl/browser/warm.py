"""Pages loaded before they are needed, so that a reset is a switch of tabs."""

import asyncio
import contextlib
from collections import deque

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.page import Loaded, Page
from statecrawl.errors import StatecrawlError

Warm = tuple[Page, Loaded, AgentSettings]


class WarmPages:
    """Keeps a few pages of the entry used last; old ones are thrown away.

    A page is too old when the application wrote something after it was loaded, or when the
    masks have changed.
    """

    def __init__(self, chromium: Chromium, count: int) -> None:
        self._chromium = chromium
        self._count = count
        self._url = ""
        self._loading: deque[asyncio.Task[Warm]] = deque()

    async def take(self, url: str, spare: Page | None) -> tuple[Page, Loaded]:
        """Return a freshly loaded page, and begin to load the next into the spare one."""
        if url != self._url:
            await self.close()
            self._url = url
        while self._loading:
            page, loaded, settings = await self._loading.popleft()
            is_fresh = (
                page.is_alive
                and page.writes_at_load == self._chromium.answers.writes
                and settings is self._chromium.settings
            )
            if is_fresh:
                self._refill(spare)
                return page, loaded
            await self._chromium.discard(page)
        page, loaded = await self._chromium.load(url, spare=spare)
        self._refill(None)
        return page, loaded

    def _refill(self, spare: Page | None) -> None:
        while len(self._loading) < self._count:
            self._loading.append(asyncio.create_task(self._load(spare)))
            spare = None

    async def _load(self, spare: Page | None) -> Warm:
        settings = self._chromium.settings
        page, loaded = await self._chromium.load(self._url, settings, spare=spare)
        return page, loaded, settings

    async def close(self) -> None:
        """Throw away all that was loaded."""
        loading, self._loading = self._loading, deque()
        for task in loading:
            if not task.done():
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, StatecrawlError):
                page, _, _ = await task
                await self._chromium.discard(page)
