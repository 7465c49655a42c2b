"""Whether strategies do in a real browser what simulation says of them.

    python -m benchmarks.strategies_in_chromium [SITE ...] [--strategies NAME,...]

Crawls built-in applications in Chromium with several strategies, and simulates the same on
their true models with the same cost of reset. Prints Markdown: the events to all states in both,
and their ratio. The regions that strategies learn from are those of the true model there, and
those that were learned from pages here.
"""

import argparse
import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path

import statecrawl
from statecrawl.compose.choices import load_application, pick_strategies
from statecrawl.simulation.run import simulate
from statecrawl.sites.server import serve

SITES = (
    "bank",
    "company",
    "clips:clips=20,tags=8,users=6",
    "filetree:folders=40",
    "bibliography:publications=20,authors=6,years=5,topics=4",
    "periodic:elements=30",
    "files:folders=6,top=3,per_folder=3",
    "hypercube:dimensions=7",
)
STRATEGIES = "greedy,menu,probability,effects,adaptive"


async def crawled(site: str, strategy: str) -> statecrawl.Crawled:
    """Return a crawl of a built-in application in Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        async with serve(site) as url:
            options = statecrawl.CrawlOptions(url, strategy=strategy)
            run = statecrawl.RunOptions(out=Path(folder) / "crawl", screenshots=False)
            return await statecrawl.crawl_async(options, run)


def simulated(site: str, strategy: str, reset_cost: float) -> int:
    """Return the events to all states of the true model."""
    application = replace(load_application(site), reset_cost=reset_cost)
    return simulate(application, pick_strategies([strategy])[strategy]).discoveries[-1][0]


def main() -> None:
    """Crawl and simulate, and print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sites", nargs="*", default=SITES)
    parser.add_argument("--strategies", default=STRATEGIES)
    options = parser.parse_args()
    print("| site | states | strategy | events in Chromium | simulated | ratio |", flush=True)
    print("|---|--:|---|--:|--:|--:|")
    for site in options.sites:
        for strategy in options.strategies.split(","):
            found = asyncio.run(crawled(site, strategy))
            here = found.summary()["events_to_all_states"]
            there = simulated(site, strategy, found.reset_cost)
            ratio = here / there
            print(f"| {site} | {len(found.states)} | {strategy} | {here} | {there} | {ratio:.2f} |",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
