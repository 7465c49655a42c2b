"""Whether strategies do in a real browser what simulation says of them.

    python -m benchmarks.strategies_in_chromium [SITE ...] [--strategies NAME,...]

Crawls built-in applications in Chromium with several strategies, and simulates the same on
their true models with the same cost of reset. Prints Markdown: the events to all states in both,
and their ratio. The regions that strategies learn from are those of the true model there, and
those that were learned from pages here. A page lists its events in an order of its own, which is
not the model's, and some strategies find the last state early or late by nothing but that order:
what is simulated is the median over several orders, with the least and the most.
"""

import argparse
import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

import statecrawl
from statecrawl.compose.choices import load_application, pick_strategies
from statecrawl.core.limits import Limits
from statecrawl.simulation.run import shuffled, simulate
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
ORDERS = 11


async def crawled(site: str, strategy: str) -> statecrawl.Crawled:
    """Return a crawl of a built-in application in Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        async with serve(site) as url:
            options = statecrawl.CrawlOptions(url, strategy=strategy)
            run = statecrawl.RunOptions(out=Path(folder) / "crawl", screenshots=False)
            return await statecrawl.crawl_async(options, run)


def simulated(site: str, strategy: str, reset_cost: float) -> list[int]:
    """Return the events to all states of the true model, for several orders of its events."""
    application = replace(load_application(site), reset_cost=reset_cost)
    orders = [application, *(shuffled(application, seed) for seed in range(1, ORDERS))]
    factory, limits = pick_strategies([strategy])[strategy], Limits(len(application.states))
    return [simulate(each, factory, limits=limits).discoveries[-1][0] for each in orders]


def main() -> None:
    """Crawl and simulate, and print both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sites", nargs="*", default=SITES)
    parser.add_argument("--strategies", default=STRATEGIES)
    options = parser.parse_args()
    print(
        "| site | states | strategy | events in Chromium | simulated | from to | ratio |",
        flush=True,
    )
    print("|---|--:|---|--:|--:|--:|--:|")
    for site in options.sites:
        for strategy in options.strategies.split(","):
            found = asyncio.run(crawled(site, strategy))
            here = found.summary()["events_to_all_states"]
            there = simulated(site, strategy, found.reset_cost)
            usual = median(there)
            cells = (
                site,
                len(found.states),
                strategy,
                here,
                usual,
                f"{min(there)} to {max(there)}",
            )
            print(f"| {' | '.join(map(str, cells))} | {here / usual:.2f} |", flush=True)


if __name__ == "__main__":
    main()
