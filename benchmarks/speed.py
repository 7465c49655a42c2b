"""Seconds and memory of complete crawls of the largest models, and how they grow.

    python -m benchmarks.speed [STRATEGY ...]

Each crawl runs in a process of its own, so that its peak memory is its own. The growth is the
ratio of the seconds on a model to those on one with half as many transitions, measured one
after the other; the best of a few runs, because the machine is shared.
"""

import json
import multiprocessing
import resource
import sys
from time import perf_counter

from statecrawl.compose import load_application, pick_strategies
from statecrawl.simulation.run import simulate

FULL = {
    "bibliography": "bibliography:publications=142",
    "filetree": "filetree:folders=212",
}
RUNS = 3


def measure(model: str, strategy: str) -> tuple[int, int, float, float]:
    """Return states, transitions, seconds of the crawl, and the peak memory in MB."""
    application = load_application(model)
    started = perf_counter()
    crawl = simulate(application, pick_strategies([strategy])[strategy])
    seconds = perf_counter() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return crawl.model.state_count, crawl.model.transition_count, seconds, megabytes
