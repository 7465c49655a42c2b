"""Seconds and memory of complete crawls of the largest models, and how they grow.

    python -m benchmarks.speed [STRATEGY ...]

Each crawl runs in a process of its own, so that its peak memory is its own. The growth is the
ratio of the seconds on a model to those on one with about half as many transitions, scaled to
exactly twice as many. The two are crawled in turn, and the best of a few runs counts for each,
because the machine is shared.
"""

import argparse
import multiprocessing
import resource
from math import log2
from time import perf_counter
from typing import NamedTuple

from statecrawl.compose.choices import load_application, pick_strategies
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import LARGE_BIBLIOGRAPHY, LARGE_FILETREE

MODELS = {
    "bibliography": (
        "bibliography:publications=207,authors=45,topics=16,per_page=25",
        LARGE_BIBLIOGRAPHY,
    ),
    "filetree": ("filetree:folders=2500,top=30,branching=13,files=2", LARGE_FILETREE),
}
"""The applications of Ben Hafaiedh et al., at about half of their size and at full size, with
ways of about the same length."""

STRATEGIES = ("greedy", "hypercube", "menu", "probability")
RUNS = 4


class Measured(NamedTuple):
    """One complete crawl."""

    states: int
    transitions: int
    events: int
    seconds: float
    megabytes: float


def measure(model: str, strategy: str) -> Measured:
    """Crawl a model to the end, in this process."""
    application = load_application(model)
    started = perf_counter()
    crawl = simulate(application, pick_strategies([strategy])[strategy])
    seconds = perf_counter() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = crawl.model
    return Measured(found.state_count, found.transition_count, crawl.events, seconds, megabytes)


def best_of(models: tuple[str, str], strategy: str) -> list[Measured]:
    """Crawl both models in turn, each time in a process of its own, and return the fastest."""
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(1, maxtasksperchild=1) as pool:
        tasks = [(model, strategy) for model in models] * RUNS
        runs = pool.starmap(measure, tasks, chunksize=1)
    return [min(runs[n :: len(models)], key=lambda run: run.seconds) for n in range(len(models))]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    strategies = parser.parse_args().strategies
    print("| model | states | transitions | strategy | events | seconds | MB | growth |")
    print("|---|--:|--:|---|--:|--:|--:|--:|")
    for name, models in MODELS.items():
        for strategy in strategies:
            small, large = best_of(models, strategy)
            doublings = log2(large.transitions / small.transitions)
            growth = (large.seconds / small.seconds) ** (1 / doublings)
            print(
                f"| {name} | {large.states:,} | {large.transitions:,} | {strategy} "
                f"| {large.events:,} | {large.seconds:.1f} | {large.megabytes:.0f} "
                f"| {growth:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
