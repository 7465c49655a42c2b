"""The ring beside Ben Hafaiedh et al. 2014: Figures 3 to 5 in virtual time.

    python -m benchmarks.ring schemes [--coordinators 1 5 10 15 20] [--schemes NAME ...]
    python -m benchmarks.ring scale [--coordinators 1 2 3 4 5 50]
    python -m benchmarks.ring load [--crawlers 5 10 20 40 100]
    python -m benchmarks.ring strategies [--crawlers 20 100]

`schemes` takes both applications, the others the bibliography, unless `--model` names one, or says
any other as `simulate` understands it; `--small` takes them at their usual size instead of the full
one. Each crawl is simulated in a process, as many at a time as there are processors, or `--jobs`.
Prints Markdown.

Seconds are virtual. Bytes are those of messages as JSON: one in a thousand is weighed, and each
kind counts as often as it was sent, but for kinds so rare that none was weighed; what weighing
takes is left out of the processor's seconds.
"""

import argparse
import gc
import os
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import cache
from statistics import mean
from time import perf_counter, process_time
from typing import Any, NamedTuple

from statecrawl.compose.choices import load_application
from statecrawl.coordination.ring_messages import Scheme, ToRingCoordinator, ToRingCrawler
from statecrawl.coordination.wire import dump
from statecrawl.core.application import Application
from statecrawl.simulation.outcome import Outcome
from statecrawl.simulation.ring import simulate_ring
from statecrawl.simulation.run import shuffled
from statecrawl.sites.models import LARGE_BIBLIOGRAPHY, LARGE_FILETREE
from statecrawl.strategies import STRATEGIES

KINDS = ToRingCoordinator | ToRingCrawler
LARGE = {"filetree": LARGE_FILETREE, "bibliography": LARGE_BIBLIOGRAPHY}
SMALL = {"filetree": "filetree:reset_cost=12", "bibliography": "bibliography:reset_cost=3"}
EVERY = 1_000
"""One in so many messages is weighed."""


class Task(NamedTuple):
    """One crawl to simulate."""

    model: str
    coordinators: int
    crawlers: int
    scheme: Scheme = Scheme.FORWARD
    strategy: str = "greedy"


class Figures(NamedTuple):
    """What a crawl came to."""

    seconds: float
    idle: float
    events: int
    resets: int
    messages: int
    size: float
    processor_seconds: float
    cost_to_all_states: float
    longest_wait: float
    mean_wait: float

    def cells(self) -> list[str]:
        """Return what every table shows."""
        return [
            f"{self.seconds:,.0f}",
            f"{self.idle:.1%}",
            f"{self.events:,}",
            f"{self.resets:,}",
            f"{self.messages:,}",
            f"{self.size / 1e6:,.0f}",
            f"{self.processor_seconds:,.0f}",
            f"{self.messages / self.processor_seconds:,.0f}",
        ]


HEAD = (
    "seconds", "idle", "events", "resets", "messages", "MB", "processor s", "messages a processor s"
)  # fmt: skip


class Scales:
    """Weighs one message in so many, and knows how long that took."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._until_next = EVERY
        self._weights: defaultdict[type, list[int]] = defaultdict(list)

    def hear(self, sender: str, to: str, message: Any) -> None:
        """Hear a message, and weigh it if it is its turn."""
        del sender, to
        self._until_next -= 1
        if not self._until_next:
            self._until_next = EVERY
            started = process_time()
            self._weights[type(message)].append(len(dump(message, KINDS)))
            self.seconds += process_time() - started

    def total(self, outcome: Outcome) -> float:
        """Return the bytes of all messages, about."""
        sent = outcome.network.messages
        return sum(sent[kind] * mean(weights) for kind, weights in self._weights.items())


@cache
def application(model: str) -> Application:
    """Return an application with its events shuffled."""
    return shuffled(load_application(model), 1)


def simulate(task: Task) -> Figures:
    """Crawl in virtual time."""
    chosen, scales = application(task.model), Scales()
    gc.collect()  # nothing is while a network runs, and the crawl before this one is large
    started = process_time()
    outcome = simulate_ring(
        chosen,
        STRATEGIES[task.strategy],
        task.coordinators,
        task.crawlers,
        task.scheme,
        listener=scales.hear,
    )
    seconds = process_time() - started - scales.seconds
    if not outcome.is_complete:
        raise SystemExit(f"not complete: {task}")
    hubs = outcome.coordinators
    return Figures(
        outcome.simulated_seconds,
        outcome.idle_share,
        *outcome.tally.spent(),
        outcome.messages,
        scales.total(outcome),
        seconds,
        outcome.to_json()["cost_to_all_states"],
        max(hub.longest_wait for hub in hubs),
        sum(hub.wait_seconds for hub in hubs) / sum(hub.served for hub in hubs),
    )


def row(*cells: object) -> None:
    """Print one row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def simulated(executor: Executor, tasks: list[Task], *names: str) -> Iterator[tuple[Task, Figures]]:
    """Print the head of a table, and yield what each of its crawls came to."""
    row(*names, *HEAD)
    row(*["---"] * len(names), *["--:"] * len(HEAD))
    for task, figures in zip(tasks, executor.map(simulate, tasks), strict=True):
        TOTAL.append(figures.processor_seconds)
        yield task, figures


TOTAL: list[float] = []
"""The processor's seconds of all crawls so far."""


def schemes(executor: Executor, model: str, coordinators: list[int], names: list[Scheme]) -> None:
    """Print Figures 3 and 4: 20 crawlers, five schemes."""
    tasks = [Task(model, count, 20, scheme) for scheme in names for count in coordinators]
    for task, figures in simulated(executor, tasks, "scheme", "coordinators"):
        row(task.scheme, task.coordinators, *figures.cells())


def scale(executor: Executor, model: str, coordinators: list[int]) -> None:
    """Print Figure 5: 20 crawlers a coordinator, and how near to linear that is."""
    tasks = [Task(model, count, 20 * count) for count in coordinators]
    first = 0.0
    for task, figures in simulated(executor, tasks, "coordinators", "crawlers", "of linear"):
        work = figures.seconds * task.coordinators
        first = first or work
        row(task.coordinators, task.crawlers, f"{first / work:.2f}", *figures.cells())


def load(executor: Executor, model: str, crawlers: list[int]) -> None:
    """Print what a coordinator does that has too many crawlers (left open in section 6)."""
    tasks = [Task(model, 1, count, scheme) for scheme in Scheme for count in crawlers]
    names = ("scheme", "crawlers", "longest wait", "mean wait")
    for task, figures in simulated(executor, tasks, *names):
        waits = (f"{figures.longest_wait:.3f} s", f"{figures.mean_wait:.4f} s")
        row(task.scheme, task.crawlers, *waits, *figures.cells())


def strategies(executor: Executor, model: str, crawlers: list[int]) -> None:
    """Print other strategies beside greedy, on 5 coordinators."""
    names = ("greedy", "menu", "probability", "effects")
    tasks = [Task(model, 5, count, strategy=name) for name in names for count in crawlers]
    for task, figures in simulated(executor, tasks, "strategy", "crawlers", "cost to all states"):
        cost = f"{figures.cost_to_all_states:,.0f}"
        row(task.strategy, task.crawlers, cost, *figures.cells())


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["schemes", "scale", "load", "strategies"])
    parser.add_argument("--model")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--schemes", type=Scheme, nargs="+", default=list(Scheme))
    parser.add_argument("--coordinators", type=int, nargs="+")
    parser.add_argument("--crawlers", type=int, nargs="+")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    both = list(LARGE) if options.what == "schemes" else ["bibliography"]
    started = perf_counter()
    with ProcessPoolExecutor(options.jobs) as executor:
        for name in [options.model] if options.model else both:
            model = (SMALL if options.small else LARGE).get(name, name)
            size = application(model)
            print(f"\n{model}: {len(size.states):,} / {size.transition_count:,}\n")
            if options.what == "schemes":
                counts = options.coordinators or [1, 5, 10, 15, 20]
                schemes(executor, model, counts, options.schemes)
            elif options.what == "scale":
                scale(executor, model, options.coordinators or [1, 2, 3, 4, 5, 50])
            elif options.what == "load":
                load(executor, model, options.crawlers or [5, 10, 20, 40, 100])
            else:
                strategies(executor, model, options.crawlers or [20, 100])
    print(f"\n{sum(TOTAL):,.0f} s of the processor, {perf_counter() - started:,.0f} s in all")


if __name__ == "__main__":
    main()
