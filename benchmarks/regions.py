"""The regions that crawls learn in a real browser, beside those of the true models.

python -m benchmarks.regions                # every site below
python -m benchmarks.regions files bank     # some of them

An event explains a region if it keeps it, always sets it to the same, or to something that
depends on what the region showed before; counted are events that were fired in several states.
"""

import asyncio
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from statecrawl.config import RunOptions
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from tests.browser.agreement import (
    Regions,
    Step,
    agreements,
    changes,
    learned_regions,
    steps,
    true_regions,
)
from tests.browser.helpers import crawl

SITES = {
    "filetree": "filetree:folders=40",
    "files": "files:folders=6,per_folder=4",
    "bibliography": "bibliography:publications=8,authors=4,years=2,topics=2,per_page=5",
    "periodic": "periodic:elements=20,panels=2,compounds=2",
    "bank": "bank",
    "company": "company",
    "hypercube": "hypercube:dimensions=6",
    "widgets": "widgets:count=3,values=4",
}
KINDS = ("keeps", "sets", "maps", "unexplained")


def explained(regions: Regions, done: list[Step]) -> dict[str, float]:
    """Of all events and regions the share that is explained in each way, the simplest first."""
    pairs: defaultdict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    fired = Counter(event for _, event, _ in done)
    for source, event, target in done:
        if fired[event] > 1:
            for name, old in regions[source].items():
                pairs[event, name].add((old, regions[target][name]))
    kinds: Counter[str] = Counter()
    for effects in pairs.values():
        if all(old == new for old, new in effects):
            kinds["keeps"] += 1
        elif len({new for _, new in effects}) == 1:
            kinds["sets"] += 1
        elif len({old for old, _ in effects}) == len(effects):
            kinds["maps"] += 1
        else:
            kinds["unexplained"] += 1
    return {kind: kinds[kind] / max(1, kinds.total()) for kind in KINDS}


async def measure(spec: str) -> None:
    """Crawl a site, and print how good its regions are."""
    truth = build_model(spec)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "crawl"
        async with serve(spec) as url:
            await crawl(url, out, RunOptions(out=out, screenshots=False), strategy="greedy")
        with SqliteStore.open(out, read_only=True) as store:
            done = steps(store)
            learned, true = learned_regions(store), true_regions(store, truth)
    print(f"{spec}: {len(learned)} states, {len(done)} transitions")
    for title, regions in (("learned", learned), ("true", true)):
        times = changes(regions, done)
        counted = Counter(
            sum(number in each for each in times.values()) for number in range(len(done))
        )
        spread = ", ".join(f"{count} change {many}" for many, count in sorted(counted.items()))
        shares = ", ".join(f"{kind} {each:.1%}" for kind, each in explained(regions, done).items())
        print(f"  {title}: {len(times)} regions; transitions: {spread}; {shares}")
    found = agreements(learned, true, done)
    print("  agreement:", ", ".join(f"{name} {share:.1%}" for name, share in found.items()))
    print("  cut:", ", ".join(sorted(next(iter(learned.values())))), flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or SITES:
        asyncio.run(measure(SITES[name]))
