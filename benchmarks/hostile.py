"""The hostile site from its first page to its last: what happened, and what is left of it.

python -m benchmarks.hostile                     # the options that the documentation advises
python -m benchmarks.hostile --seconds 300       # at most so long
python -m benchmarks.hostile --keep FOLDER       # keeps the crawl
"""

import argparse
import asyncio
import gc
import json
import tempfile
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

from benchmarks.serving import served
from benchmarks.watch import Watch, watched
from statecrawl.config import RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.limits import Limits
from statecrawl.sites.apps.hostile.pages import PAGES
from tests.browser.helpers import crawl

HARM = ("outside", "deleted", "logged_out", "paid")
LIMITS = Limits(max_depth=3, max_states_per_url=10)


async def measure(given: argparse.Namespace, out: Path, watch: Watch) -> None:
    """Crawl the site and say what came of it."""
    before = watch.sample()
    run = RunOptions(
        out=out,
        screenshots=False,
        browsers=given.tabs,
        limits=LIMITS,
        max_seconds=given.seconds,
    )
    with served("hostile") as url:
        async with watch.sampling(5):
            found = await crawl(url, out, run, isolate=True)
        with await asyncio.to_thread(urlopen, f"{url}counts") as answer:
            counted = json.load(answer)
    gc.collect()
    after = watch.sample()
    report(found)
    print("the server counted:", ", ".join(f"{counted[kind]} {kind}" for kind in HARM))
    print(f"browser processes left: {after.processes}, files left: {watch.leftovers() or 'none'}")
    peak = max(sample.browser for sample in watch.samples)
    print(
        f"memory in MB: ours {before.ours:.0f} before, {after.ours:.0f} after; "
        f"the browser's at most {peak:.0f}"
    )


def report(found: Crawled) -> None:
    """Say how the crawl ended, and what became of every page."""
    summary = found.summary()
    for name in ("stop_reason", "seconds", "states", "transitions", "urls", "events", "resets"):
        print(f"{name}: {summary[name]}")
    print("failures:", summary["failures"])
    start = found.entries[summary["url"]]
    shown = {urlsplit(state.url).path.split("/")[1] for state in found.states.values()}
    shown |= {  # a page that looks like one of another URL is the same state
        event.split('"')[1]
        for (source, event), transition in found.transitions.items()
        if source == start != transition.target
    }
    refused = {
        event.split('"')[1]: reason
        for (_, event), reason in found.refused.items()
        if event.count('"') > 1
    }
    for name in PAGES:
        if name not in shown:
            print(f"page {name}: {refused.get(name, 'NOT SEEN')}")
    print(f"pages shown: {len(shown & set(PAGES))} of {len(PAGES)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, help="at most")
    parser.add_argument("--tabs", type=int, default=2, help="side by side")
    parser.add_argument("--keep", type=Path, help="the folder in which to keep the crawl")
    return parser.parse_args()


async def main() -> None:
    """Measure, in a folder that goes unless it is to be kept."""
    given = _arguments()
    with tempfile.TemporaryDirectory() as parent, watched() as watch:
        await measure(given, given.keep or Path(parent) / "crawl", watch)


if __name__ == "__main__":
    asyncio.run(main())
