"""Tabs over one Chromium, and what is tried out beside them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.pages import Pages
from statecrawl.browser.tab import Tab
from statecrawl.browser.warm import WarmPages
from statecrawl.core.counts import Counts
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Move, Plan, Trail, Twice
from statecrawl.core.ports import Identity
from statecrawl.core.shelf import InMemory, Shelving
from statecrawl.core.snapshot import Snapshot

MOVED_BY = timedelta(hours=5, minutes=17, seconds=23)


class BrowserWorkshop:
    """Makes the tabs of a crawl; they share answers and know each other's pages."""

    def __init__(
        self,
        chromium: Chromium,
        identity: Identity,
        warm_pages: int = 0,
        shelving: Shelving = InMemory,
    ) -> None:
        self._chromium = chromium
        self._identity = identity
        self._pages = Pages(identity, shelving)
        self._warm_pages = warm_pages

    def tab(self, cursor: int = 0) -> Tab:
        """Return a new tab, blank, for a cursor."""
        warm = WarmPages(self._chromium, self._warm_pages) if self._warm_pages else None
        return Tab(self._chromium, self._pages, warm, cursor=cursor)

    async def twice(self, plan: Plan, stops: Sequence[int], cursor: int = 0) -> Twice | None:
        """Go the way of a plan again, and once more with another clock and another seed.

        Returns what was seen both times, after so many steps each; the way begins with a reset.
        """
        settings = self._chromium.settings
        one = await self._again(plan, stops, settings, cursor)
        other = one and await self._again(plan, stops, perturbed(settings), cursor)
        return list(zip(one, other, strict=True)) if one and other else None

    async def _again(
        self, plan: Plan, stops: Sequence[int], settings: AgentSettings, cursor: int
    ) -> list[Snapshot] | None:
        """Go the way of a plan, wherever it leads; None when it can't be gone to its end."""
        assert plan.entry is not None  # noqa: S101 - from where the crawl is there is no way back
        moves = tuple(Move(event, event in self._pages.trusted) for event, _ in plan.steps)
        tab = Tab(self._chromium, Pages(self._identity), settings=settings, cursor=cursor)
        try:
            seen = await tab.revisit(Trail(plan.entry, moves), stops)
        finally:
            await tab.close()
        self._chromium.meter.probe_resets += 1
        self._chromium.meter.probe_events += len(moves)
        return seen

    @property
    def has_written(self) -> bool:
        """Tell whether the application ever wrote something, or is put back before each load."""
        return self._chromium.answers.writes > 0 or self._chromium.puts_back

    @property
    def trusted(self) -> set[str]:
        """The events that need trusted input."""
        return self._pages.trusted

    @property
    def learned(self) -> Mapping[str, Sequence[str]]:
        """The values that fields got from the application's own text."""
        return self._chromium.auto_inputs.known

    def trust(self, events: Iterable[str]) -> None:
        """Fire these events with trusted input: an earlier run found that they need it."""
        self._pages.trusted.update(events)
        self._pages.tried.update(events)

    def mask(self, masks: Masks) -> None:
        """Leave other parts out of the names of pages from now on."""
        self._chromium.settings = replace(self._chromium.settings, masks=masks.tree.to_json())
        self._pages.forget()

    def tally(self) -> Counts:
        """Return what was requested and probed so far."""
        meter = self._chromium.meter
        return Counts(
            requests=meter.requests,
            requests_cached=meter.requests_cached,
            probe_events=meter.probe_events,
            probe_resets=meter.probe_resets,
            failures=dict(meter.failures),
        )


def perturbed(settings: AgentSettings) -> AgentSettings:
    """Return the same settings with another seed and another time of the same day."""
    seed = None if settings.seed is None else settings.seed + 1
    clock = settings.clock
    if clock is not None:
        now = datetime.fromtimestamp(clock / 1000)
        moved = now + MOVED_BY if now.hour < 12 else now - MOVED_BY
        clock += int((moved - now).total_seconds() * 1000)
    return replace(settings, clock=clock, seed=seed)
