"""Tests in a real browser take turns with one of each worker: starting one takes half a second."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from statecrawl.browser.launch import Launched, LaunchOptions, browser
from statecrawl.errors import BrowserError

MAX_USES = 30
"""So many tests have one browser, each with contexts of its own."""
CLEAN_SECONDS = 5.0


class TurnTaking:
    """One browser, for one test after the other; whoever wants another one meanwhile gets it."""

    def __init__(self) -> None:
        self._launched: Launched | None = None
        self._ending = AsyncExitStack()
        self._uses = 0
        self._is_taken = False

    @asynccontextmanager
    async def browser(self, options: LaunchOptions) -> AsyncIterator[Launched]:
        """Give a browser that nobody has used, as far as anybody can tell."""
        if self._is_taken or options != LaunchOptions():
            async with browser(options) as own:
                yield own
            return
        self._is_taken = True
        try:
            if self._launched is None:
                self._launched = await self._ending.enter_async_context(browser(options))
            yield self._launched
        finally:
            self._is_taken = False
            self._uses += 1
            if self._uses % MAX_USES == 0 or not await self._clean():
                await self.end()

    async def _clean(self) -> bool:
        """Throw away what a test left in the browser; tell whether that worked."""
        if self._launched is None or self._launched.connection.is_lost:
            return False
        connection = self._launched.connection
        connection._handlers.clear()  # those of pages that are thrown away
        with suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(CLEAN_SECONDS):
                known = await connection.send("Target.getBrowserContexts")
                for context in known["browserContextIds"]:
                    gone = {"browserContextId": context}
                    await connection.send("Target.disposeBrowserContext", gone)
                await connection.send("Fetch.disable")  # not before: pages still ask for things
                return True
        return False

    async def end(self) -> None:
        """Close the browser."""
        self._launched = None
        await self._ending.aclose()
