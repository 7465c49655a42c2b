"""Hears between plans what those who look on want: pause, go on, stop."""

import asyncio

from statecrawl.core.hooks import Running
from statecrawl.core.ports import Store
from statecrawl.core.wish import Wish

LOOK_EVERY_SECONDS = 0.2


class Control:
    """Carries out what is asked for through the store of a running crawl."""

    def __init__(self, store: Store, running: Running) -> None:
        self._store = store
        self._running = running

    def begin(self) -> None:
        """Forget what was asked of an earlier run."""
        self._store.ask(Wish.RUN)

    async def obey(self) -> None:
        """Wait while a pause is wanted; stop the crawl when that is."""
        while (wish := self._store.wish) is Wish.PAUSE and not self._running.is_stopping:
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        if wish is Wish.STOP:
            self._running.stop()
