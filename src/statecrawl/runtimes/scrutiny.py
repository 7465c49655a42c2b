"""Looks for what varies in the pages of a crawl: goes again to those that are in doubt."""

from statecrawl.core.masks import Mask
from statecrawl.core.ports import Store, Workshop
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Snapshot
from statecrawl.runtimes.revisits import Revisits
from statecrawl.runtimes.varying import Varying

DOUBTFUL = "doubtful"
"""Under this name the store keeps which states are in doubt, for whoever goes on with the crawl."""


class Scrutiny:
    """Knows which states may be known ones in other words, and what two more visits show."""

    def __init__(self, workshop: Workshop, store: Store, varying: Varying) -> None:
        self._workshop = workshop
        self._store = store
        self._varying = varying
        self._kept: list[str] = store.about.get(DOUBTFUL, [])
        self.revisits = Revisits(self._kept)

    @property
    def has_doubts(self) -> bool:
        """Tell whether anything is in doubt."""
        return bool(self.revisits.doubtful)

    def hear(self, state: str, page: Snapshot) -> None:
        """Take in a new page."""
        if self._varying.is_suspect(page):
            self.revisits.doubt(state)

    def is_due(self, crawl: Crawl) -> bool:
        """Tell whether something is in doubt and the crawl can afford to look at once."""
        tally = self._workshop.tally()
        spent = crawl.cost(tally.probe_events, tally.probe_resets)
        cost = crawl.cost(crawl.events, crawl.resets)
        return self.has_doubts and self.revisits.is_due(tally.probe_resets, spent, cost)

    async def look(self, crawl: Crawl, cursor: int) -> list[Mask]:
        """Go to the state whose turn it is, if need be, and return masks for what varies."""
        state, is_old = self.revisits.take()
        if is_old and self._varying.is_checked(state):
            return []
        return await self._compared(crawl, cursor, state)

    def keep(self) -> None:
        """Write down what is in doubt, if that has changed."""
        doubtful = self.revisits.doubtful
        if doubtful != self._kept:
            self._kept = doubtful
            self._store.note({DOUBTFUL: doubtful})

    async def _compared(self, crawl: Crawl, cursor: int, public_id: str) -> list[Mask]:
        """Go to a state twice more, and return masks for what differs, there or on the way.

        If only an event leads there that led elsewhere, too, both pages have to be new: an event
        may lead to known states in turn, but where each page is another one visits are counted.
        A page that only counts is the one before it in other words.
        """
        state = crawl.model.state(public_id)
        reliable = None if state is None else crawl.plan_to(state)
        way = reliable or (None if state is None else crawl.plan_again(state))
        if way is None:
            return []
        *before, _ = way.expected
        stops = [*(n for n, passed in enumerate(before) if passed in self.revisits), len(before)]
        visits = await self._workshop.twice(way, stops, cursor)
        if visits is None:
            return []
        self.revisits.looked(passed for passed in before if passed is not None)
        if reliable is None and any(map(self._varying.is_known, visits[-1])):
            return []
        found = self._varying.counted(*way.expected[-2:])
        return [mask for pair in visits for mask in self._varying.compared(*pair)] + found
