"""What the pure rooms need of the outside, as protocols; the edges implement them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from statecrawl.core.classes import Decision
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Fact
from statecrawl.core.findings import Sighting
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Execution, Plan, Trail, Twice, Walk
from statecrawl.core.regions import Cut
from statecrawl.core.resemblance import Features
from statecrawl.core.sight import Sight
from statecrawl.core.snapshot import Call, Snapshot
from statecrawl.core.wish import Wish

WEIGHTS = ""
"""The name under which the weights of a resemblance are kept among the features of pages."""


class Browser(Protocol):
    """One tab: it executes plans and stops at the first step that led elsewhere."""

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan and return what was seen, step by step."""
        ...


class Tab(Browser, Protocol):
    """A tab of a real browser, which can also be looked at."""

    async def screenshot(self) -> bytes:
        """Return a picture of the page as it is now."""
        ...

    def sight(self) -> Sight:
        """Return a way to look into the page as it is now; BrowserError when there is none."""
        ...

    async def rename(self) -> None:
        """Take over masks that were learned in the meantime."""
        ...

    async def blank(self) -> None:
        """Give the page back."""
        ...

    async def close(self) -> None:
        """Give back the page and everything kept for later."""
        ...


class Workshop(Protocol):
    """Makes tabs, and tries things out beside them."""

    def tab(self, cursor: int = 0) -> Tab:
        """Return a new tab, blank, for a cursor."""
        ...

    async def twice(self, plan: Plan, stops: Sequence[int], cursor: int = 0) -> Twice | None:
        """Go the way of a plan again, and once more with another clock and another seed.

        Returns what was seen both times, after so many steps each; the way begins with a reset.
        """
        ...

    @property
    def has_written(self) -> bool:
        """Tell whether the application ever wrote something."""
        ...

    @property
    def trusted(self) -> set[str]:
        """The events that need trusted input."""
        ...

    @property
    def learned(self) -> Mapping[str, Sequence[str]]:
        """The values that fields got from the application's own text."""
        ...

    def mask(self, masks: Masks) -> None:
        """Leave other parts out of the names of pages from now on."""
        ...

    def tally(self) -> Counts:
        """Return what was requested and probed so far."""
        ...


class Identity(Protocol):
    """The one place where "the same state" is decided."""

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the public id of the state that this snapshot shows."""
        ...


class Store(Protocol):
    """Where a crawl is kept. What a method has written survives the death of the process.

    State ids are today's: ids that masks learned later changed are translated on the way out.
    """

    @property
    def about(self) -> dict[str, Any]:
        """The crawl's settings."""
        ...

    @property
    def counts(self) -> Counts:
        """How much the crawl has done so far."""
        ...

    @property
    def masks(self) -> Masks:
        """What is left out of identity."""
        ...

    @property
    def wish(self) -> Wish:
        """What somebody who looks on wants the crawl to do."""
        ...

    def ask(self, wish: Wish) -> None:
        """Want something of the crawl; those who only read may ask, too."""
        ...

    @property
    def has_writer(self) -> bool:
        """Tell whether the crawl is running: some process may write to it now."""
        ...

    @property
    def cut(self) -> Cut:
        """Where pages are divided into regions."""
        ...

    def note(self, about: Mapping[str, Any]) -> None:
        """Set some of the crawl's settings."""
        ...

    def append(
        self,
        facts: Sequence[Fact],
        counts: Counts,
        calls: Sequence[tuple[str, Call]] = (),
        sightings: Sequence[Sighting] = (),
        walk: Walk | None = None,
    ) -> None:
        """Record what a plan taught, all or nothing.

        `calls` are those of known transitions, each with its event; facts carry their own.
        `sightings` are all problems, each kept once for a state and an event.
        `walk` is what was done.
        """
        ...

    def rekey(self, masks: Masks, aliases: Mapping[str, str]) -> None:
        """Take other masks, and the ids that states have under them (old -> new)."""
        ...

    def divide(self, cut: Cut, regions: Mapping[str, Mapping[str, str]]) -> None:
        """Take another cut, and what the regions of all states show under it."""
        ...

    def decide(
        self, equivalence: str, resemblance: str, decided: Sequence[tuple[Decision, Features]]
    ) -> None:
        """Keep decisions about pages, and the features that they were made by."""
        ...

    def keep_features(self, resemblance: str, features: Mapping[str, Features]) -> None:
        """Keep features of pages."""
        ...

    def features(self, resemblance: str) -> dict[str, Features]:
        """Return all features of pages that were kept for a resemblance."""
        ...

    def decisions(self, equivalence: str) -> list[Decision]:
        """Return all decisions made by an equivalence, in order."""
        ...

    def facts(self) -> Iterator[Fact]:
        """Yield everything learned, in order, for `Crawl.recall`.

        Snapshots come without content, effects without calls and problems.
        """
        ...

    def crawled(self) -> Crawled:
        """Return the crawl as it is at this moment."""
        ...

    def snapshot(self, state: str) -> Snapshot | None:
        """Return the page of a state with its content; None when there is no such state."""
        ...

    def trail(self, state: str) -> Trail | None:
        """Return all that was done before a state was found; None when nobody has told."""
        ...

    def doms(self) -> Iterator[tuple[str, Snapshot]]:
        """Yield every state and its page with its content."""
        ...

    def save_screenshot(self, state: str, data: bytes) -> None:
        """Keep a picture (PNG, JPEG or WebP) of a state."""
        ...

    def has_screenshot(self, state: str) -> bool:
        """Tell whether there is a picture of a state."""
        ...

    def screenshot(self, state: str) -> bytes | None:
        """Return the picture of a state."""
        ...

    def close(self) -> None:
        """Let go of the crawl, so that others may write to it."""
        ...
