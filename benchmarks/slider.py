"""Whether the threshold slider shows what a crawl with that threshold finds.

    python -m benchmarks.slider [SITE ...] [--equivalence NAME[:key=value,...]] [--thresholds T,...]

Crawls a built-in application in Chromium once with exact states, and once with each threshold.
Prints Markdown: the states that the slider leaves at that threshold, those that the crawl found,
and those in both. Of the others it says how many are within the threshold of a state on the other
side (in brackets): near is not transitive, so another order of discovery may choose another
representative.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import statecrawl
from statecrawl.compose.near import features_of, merges_of
from statecrawl.config import NO_CLASSES
from statecrawl.core.merging import merged_at
from statecrawl.core.resemblance import Features, NearEquivalence
from statecrawl.equivalences import DEFAULT_EQUIVALENCE, near_equivalence
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore

SITES = ("company", "clips:clips=20,tags=8,users=6", "modern")
EQUIVALENCE = "broder:size=2,unit=words"
THRESHOLDS = "0.05,0.1,0.2,0.4,0.6"


@contextmanager
def crawled(
    site: str, equivalence: str = DEFAULT_EQUIVALENCE, classes: str = NO_CLASSES
) -> Iterator[SqliteStore]:
    """Give a crawl of a built-in application, as long as this lasts."""

    async def run(folder: Path) -> None:
        async with serve(site) as url:
            chosen = statecrawl.CrawlOptions(
                url, strategy="breadth_first", equivalence=equivalence, classes=classes
            )
            await statecrawl.crawl_async(
                chosen, statecrawl.RunOptions(out=folder, screenshots=False)
            )

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder) / "crawl"))
        with SqliteStore.open(Path(folder) / "crawl", read_only=True) as store:
            yield store


def explained(near: NearEquivalence, alone: Iterable[Features], others: list[Features]) -> int:
    """Return how many pages are within the threshold of one on the other side."""
    return sum(
        bool((near.resemblance.distances(each, others) <= near.threshold).any()) for each in alone
    )


def compare(site: str, equivalence: str, thresholds: list[float]) -> None:
    """Print a row for each threshold."""
    with crawled(site, classes=equivalence) as store:
        steps = merges_of(store).steps
        _, known = features_of(store, near_equivalence(equivalence).resemblance)
    for threshold in thresholds:
        near = near_equivalence(equivalence).at(threshold)
        now = {**{state: state for state in known}, **merged_at(steps, threshold)}
        slider = {state for state, stands in now.items() if state == stands}
        with crawled(site, equivalence=near.name) as store:
            _, found = features_of(store, near.resemblance)
        left, right = slider - found.keys(), found.keys() - slider
        here, there = [known[state] for state in slider], list(found.values())
        said = [
            f"{len(left)} ({explained(near, (known[s] for s in left), there)})",
            f"{len(right)} ({explained(near, (found[s] for s in right), here)})",
        ]
        print(f"| {site} | {threshold} | {len(known)} | {len(slider)} | {len(found)} | "
              f"{len(slider & found.keys())} | {' | '.join(said)} |", flush=True)  # fmt: skip


def main() -> None:
    """Compare on every site."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sites", nargs="*", default=SITES)
    parser.add_argument("--equivalence", default=EQUIVALENCE)
    parser.add_argument("--thresholds", default=THRESHOLDS)
    options = parser.parse_args()
    head = ["site", "threshold", "exact", "slider", "crawl", "both", "only slider", "only crawl"]
    print(f"| {' | '.join(head)} |")
    print(f"|---{'|--:' * (len(head) - 1)}|")
    for site in options.sites:
        compare(site, options.equivalence, [float(each) for each in options.thresholds.split(",")])


if __name__ == "__main__":
    main()
