"""What a state costs in memory: the loop of a crawl, over a page of switches, without a browser.

python -m benchmarks.footprint                        # 5,000 states, then 20,000
python -m benchmarks.footprint 5000 60000 --traced    # by the lines that the memory was taken in
python -m benchmarks.footprint 2000 20000 --strategy greedy

Sessions, recording, dividing, watching and storing are those of a crawl; only the tab is not. Bytes
are those of the process between the first number of states and the last, and of what Python has
taken, where that is traced: tracing makes it several times slower.
"""

import argparse
import asyncio
import gc
import tempfile
import tracemalloc
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import psutil

from statecrawl.browser.pages import Pages
from statecrawl.compose.crawl import rarely_collecting
from statecrawl.config import DEFAULT_STRATEGY
from statecrawl.core.counts import Counts
from statecrawl.core.hooks import Hooks
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Execution, Halt, Move, Plan, Twice
from statecrawl.core.session import Crawl
from statecrawl.core.shelf import Shelving
from statecrawl.core.sight import Sight
from statecrawl.core.snapshot import NEW_DOCUMENT, Change, Effect, Event, Snapshot
from statecrawl.core.volatility import Volatility
from statecrawl.equivalences.exact import exact
from statecrawl.runtimes.local import LocalCrawl
from statecrawl.storage import SqliteStore
from statecrawl.storage.shelf import FileShelf
from statecrawl.strategies import STRATEGIES

URL = "http://127.0.0.1/facets"
LABELS = [f"Switch {number}" for number in range(20)]
EVENTS = tuple(
    Event(f'click input checkbox "{label}" in main', "click main", "click", label, f"label:{n}")
    for n, label in enumerate(LABELS)
)
NUMBERS = {event.identity: number for number, event in enumerate(EVENTS)}
LINES = 40
RESET_COST = 47.1


class Switches(NamedTuple):
    """Which switches are on, and which was used last: what the page `facets` shows."""

    on: int = 0
    last: int = -1

    def dom(self) -> str:
        """Return the canonical DOM of the page."""
        said = f"switch {self.last}" if self.last >= 0 else ""
        rows = "".join(
            f"<label><input {'checked=' + chr(34) * 2 + ' ' if self.on >> n & 1 else ''}"
            f'type="checkbox">{label}</label>'
            for n, label in enumerate(LABELS)
        )
        return f'<html><body><h1>facets</h1><p id="out">{said}</p><main>{rows}</main></body></html>'


class SwitchTab:
    """A tab that shows the page as a tab of a browser does: content once, then names."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._at = Switches()

    async def execute(self, plan: Plan) -> Execution:
        """Execute a plan; nothing ever leads elsewhere."""
        snapshots, effects, moves = [], [], []
        if plan.entry is not None:
            self._at = Switches()
            snapshots.append(self._snapshot())
            effects.append(Effect((NEW_DOCUMENT,)))
        for step in plan.steps:
            number = NUMBERS[step.event]
            self._at = Switches(self._at.on ^ 1 << number, number)
            snapshots.append(self._snapshot())
            effects.append(Effect((Change("p#out", "insert"),)))
            moves.append(Move(step.event))
        return Execution(tuple(snapshots), Halt.DONE, tuple(effects), moves=tuple(moves))

    def _snapshot(self) -> Snapshot:
        name = blake2b(repr(self._at).encode(), digest_size=11).hexdigest()
        known = self._pages.seen(name)
        if known is None:
            known = Snapshot(self._at.dom(), EVENTS, URL, title="facets", page=name)
            self._pages.add(known)
        return known

    async def screenshot(self) -> bytes:
        """Return nothing: there is nothing to see."""
        return b""

    def sight(self) -> Sight:
        """Refuse: nobody checks these pages."""
        raise NotImplementedError

    async def rename(self) -> None:
        """Do nothing: there are no masks."""

    async def blank(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class SwitchWorkshop:
    """Makes such tabs."""

    has_written = False
    learned: Mapping[str, Sequence[str]] = {}

    def __init__(self, identity: StateIdentity, shelving: Shelving) -> None:
        self._identity = identity
        self._pages = Pages(identity, shelving)
        self.trusted: set[str] = set()

    def tab(self, cursor: int = 0) -> SwitchTab:
        """Return a tab."""
        del cursor
        return SwitchTab(self._pages)

    async def twice(self, plan: Plan, stops: Sequence[int], cursor: int = 0) -> Twice:
        """Go the way of a plan again, twice: it leads to the same pages."""
        del cursor
        seen = (await SwitchTab(Pages(self._identity)).execute(plan)).snapshots
        return [(seen[stop], seen[stop]) for stop in stops]

    def mask(self, masks: Masks) -> None:
        """Do nothing: nothing varies."""

    def tally(self) -> Counts:
        """Return that nothing was requested."""
        return Counts()


class Mark(NamedTuple):
    """What a crawl had taken at a number of states."""

    states: int
    resident: int
    seconds: float
    traced: tracemalloc.Snapshot | None


class Marking(Hooks):
    """Looks at the process at some numbers of states."""

    def __init__(self, at: list[int], *, is_traced: bool) -> None:
        self._at = at
        self._is_traced = is_traced
        self._process = psutil.Process()
        self.marks: list[Mark] = []

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        """Look, if it is time."""
        del counts
        if len(self.marks) < len(self._at) and crawl.model.state_count >= self._at[len(self.marks)]:
            gc.collect()
            resident, seconds = self._process.memory_info().rss, process_time()
            traced = tracemalloc.take_snapshot() if self._is_traced else None
            self.marks.append(Mark(crawl.model.state_count, resident, seconds, traced))


async def crawled(given: argparse.Namespace, folder: Path) -> list[Mark]:
    """Crawl until there are as many states as asked for."""
    shelving = partial(FileShelf, folder)
    identity = StateIdentity(exact, None, shelving)
    strategy = STRATEGIES[given.strategy]
    hooks = Marking(given.states, is_traced=given.traced)
    with SqliteStore.create(folder, {"entries": [URL]}) as store, rarely_collecting():

        def session() -> Crawl:
            return Crawl([URL], strategy, identity, RESET_COST, shelf=shelving())

        workshop = SwitchWorkshop(identity, shelving)
        crawling = LocalCrawl(workshop, store, session, identity, Volatility(), hooks)
        crawling.with_screenshots = False
        watching = asyncio.create_task(_stop_after(crawling, hooks, len(given.states)))
        await crawling.run(1, None)
        watching.cancel()
    return hooks.marks


async def _stop_after(crawling: LocalCrawl, hooks: Marking, marks: int) -> None:
    while len(hooks.marks) < marks:
        await asyncio.sleep(0.05)
    crawling.stop()


def show(before: Mark, after: Mark) -> None:
    """Print what a state cost between two moments."""
    states = after.states - before.states
    resident, seconds = after.resident - before.resident, after.seconds - before.seconds
    print(
        f"{before.states:,} to {after.states:,} states: {resident / states:,.0f} bytes a state "
        f"({after.resident / 1e6:,.0f} MB), {1e6 * seconds / states:,.0f} µs of processor time"
    )
    if before.traced is None or after.traced is None:
        return
    found = after.traced.compare_to(before.traced, "lineno")
    total = sum(each.size_diff for each in found)
    print(f"traced: {total / states:,.0f} bytes a state")
    for each in found[:LINES]:
        place = each.traceback[0]
        name = "/".join(Path(place.filename).parts[-2:])
        if abs(each.size_diff) >= states:
            print(
                f"{each.size_diff / states:8,.0f} {each.count_diff / states:7.2f}"
                f"  {name}:{place.lineno}"
            )


async def main() -> None:
    """Crawl in a folder that goes, and print what a state cost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("states", nargs="*", type=int, default=[5_000, 20_000])
    parser.add_argument("--strategy", default=DEFAULT_STRATEGY)
    parser.add_argument("--traced", action="store_true", help="say which lines took the memory")
    given = parser.parse_args()
    if given.traced:
        tracemalloc.start()
    with tempfile.TemporaryDirectory() as parent:
        marks = await crawled(given, Path(parent) / "crawl")
    for before, after in pairwise(marks):
        show(before, after)


if __name__ == "__main__":
    asyncio.run(main())
