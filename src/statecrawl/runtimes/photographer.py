"""Takes a picture of each state, off the critical path: in a tab of its own."""

from collections.abc import Callable

from statecrawl.core.model import BLANK
from statecrawl.core.plan import Halt
from statecrawl.core.ports import Store, Tab, Workshop
from statecrawl.core.session import Crawl

MAX_TRIES = 2


class Photographer:
    """Goes from state to state by known ways, beside the tabs that explore.

    Going a way again may do something to the application: once it has written anything, the
    photographer waits until it is alone.
    """

    def __init__(self, workshop: Workshop, store: Store, crawl: Callable[[], Crawl]) -> None:
        self._workshop = workshop
        self._store = store
        self._current = crawl
        self._crawl = crawl()
        self._tab: Tab | None = None
        self._at = BLANK
        self._next = BLANK + 1
        self._tries = 0
        self.is_alone = False

    @property
    def done(self) -> int:
        """How many states there are pictures of, or none to be had."""
        return self._next - 1

    async def take_next(self, cursor: int) -> bool:
        """Take one picture, or try to; False when there is nothing to do for now."""
        if self._crawl is not self._current():  # states are keyed anew
            self._crawl, self._next = self._current(), BLANK + 1
            await self._blank()
        states = self._crawl.model.states
        while self._next < len(states) and self._store.has_screenshot(states[self._next]):
            self._next += 1
        may_go = self.is_alone or not self._workshop.has_written
        if self._next >= len(states) or not may_go:
            return False
        if self._tab is None:
            self._tab = self._workshop.tab(cursor)
        self._tries += 1
        if await self._take(self._tab, self._next) or self._tries >= MAX_TRIES:
            self._next += 1
            self._tries = 0
        return True

    async def _take(self, tab: Tab, number: int) -> bool:
        """Go to a state and take its picture; tell whether there is one now."""
        crawl = self._crawl
        if number != self._at:
            way = crawl.plan_to(number, self._at)
            self._at = BLANK
            if way is None or (await tab.execute(way)).halt is not Halt.DONE:
                return False
            self._at = number
        try:
            self._store.save_screenshot(crawl.model.states[number], await tab.screenshot())
        except Exception:  # a picture is never worth a crawl
            await self._blank()
            return False
        return True

    async def _blank(self) -> None:
        self._at = BLANK
        if self._tab is not None:
            await self._tab.blank()

    async def close(self) -> None:
        """Give the tab back."""
        if self._tab is not None:
            await self._tab.close()
