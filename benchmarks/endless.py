"""States without end, for as long as asked: is memory flat, and does the crawl stop on time.

python -m benchmarks.endless                     # twenty minutes
python -m benchmarks.endless --seconds 60 --page counter
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.serving import served
from benchmarks.watch import Watch, watched
from statecrawl.config import RunOptions
from tests.browser.helpers import crawl

ROWS = 20


async def measure(given: argparse.Namespace, out: Path, watch: Watch) -> None:
    """Crawl one page of the hostile site, and print memory as it was on the way."""
    run = RunOptions(out=out, screenshots=False, max_seconds=given.seconds)
    with served("hostile") as url:
        async with watch.sampling(given.seconds / 200):
            found = await crawl(f"{url}{given.page}", out, run, skip=("nav",))
    summary = found.summary()
    print(f"{'seconds':>8} {'ours':>8} {'browser':>8} processes (MB)")
    for sample in watch.samples[:: max(1, len(watch.samples) // ROWS)]:
        print(f"{sample.seconds:8.0f} {sample.ours:8.0f} {sample.browser:8.0f} {sample.processes}")
    for name in ("stop_reason", "seconds", "states", "transitions", "events", "failures"):
        print(f"{name}: {summary[name]}")
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    print(f"folder: {size / 1_000_000:.0f} MB")
    print(f"left: {watch.sample().processes} processes, {watch.leftovers() or 'no files'}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=1200, help="how long to crawl")
    parser.add_argument("--page", default="facets", help="the page of the hostile site")
    return parser.parse_args()


async def main() -> None:
    """Measure, in a folder that goes."""
    given = _arguments()
    with tempfile.TemporaryDirectory() as parent, watched() as watch:
        await measure(given, Path(parent) / "crawl", watch)


if __name__ == "__main__":
    asyncio.run(main())
