"""States without end, for as long as asked: is memory flat, and does the crawl stop on time.

python -m benchmarks.endless                     # twenty minutes
python -m benchmarks.endless --seconds 60 --page counter
python -m benchmarks.endless --seconds 240 --every 30
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.serving import served
from benchmarks.watch import Watch, watched
from statecrawl.compose.crawl import crawl_application
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.counts import Counts
from statecrawl.core.hooks import Hooks
from statecrawl.core.session import Crawl
from statecrawl.storage import SqliteStore


class Counting(Hooks):
    """Knows how many states were found."""

    states = 0

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        """Count."""
        del counts
        self.states = crawl.model.state_count


async def tell(watch: Watch, hooks: Counting, every: float) -> None:
    """Print memory as it is, again and again, and what each state took since the first time."""
    print(f"{'seconds':>8} {'states':>8} {'ours':>8} {'browser':>8} processes (MB); bytes a state")
    first: tuple[int, float] | None = None
    while True:
        await asyncio.sleep(every)
        sample, states = watch.sample(), hooks.states
        first = first or (states, sample.ours)
        taken = 1e6 * (sample.ours - first[1]) / max(1, states - first[0])
        print(
            f"{sample.seconds:8.0f} {states:8,} {sample.ours:8.0f} {sample.browser:8.0f} "
            f"{sample.processes}; {taken:,.0f}",
            flush=True,
        )


async def measure(given: argparse.Namespace, out: Path, watch: Watch) -> None:
    """Crawl one page of the hostile site, and print memory as it is on the way."""
    run = RunOptions(out=out, screenshots=False, max_seconds=given.seconds)
    hooks = Counting()
    with served("hostile") as url:
        telling = asyncio.create_task(tell(watch, hooks, given.every))
        options = CrawlOptions(f"{url}{given.page}", skip=("nav",)).checked()
        await crawl_application(options, run, hooks)
        telling.cancel()
    with SqliteStore.open(out, read_only=True) as store:
        summary = store.crawled().summary()
    for name in ("stop_reason", "seconds", "states", "transitions", "events", "failures"):
        print(f"{name}: {summary[name]}")
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"folder: {size / 1_000_000:.0f} MB")
    print(f"left: {watch.sample().processes} processes, {watch.leftovers() or 'no files'}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=1200, help="how long to crawl")
    parser.add_argument("--every", type=float, default=60, help="seconds between two lines")
    parser.add_argument("--page", default="facets", help="the page of the hostile site")
    return parser.parse_args()


async def main() -> None:
    """Measure, in a folder that goes."""
    given = _arguments()
    with tempfile.TemporaryDirectory() as parent, watched() as watch:
        await measure(given, Path(parent) / "crawl", watch)


if __name__ == "__main__":
    asyncio.run(main())
