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
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
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


class Table(NamedTuple):
    """Crawls to simulate, what its first columns are called, and what stands there."""

    names: tuple[str, ...]
    tasks: list[Task]
    cells: Callable[[Task, Figures], tuple[object, ...]]

    def show(self, results: Iterable[Figures]) -> float:
        """Print it as its crawls end; return the processor's seconds of all of them."""
        row(*self.names, *HEAD)
        row(*["---"] * len(self.names), *["--:"] * len(HEAD))
        spent = 0.0
        for task, figures in zip(self.tasks, results, strict=True):
            spent += figures.processor_seconds
            row(*self.cells(task, figures), *figures.cells())
        return spent


def row(*cells: object) -> None:
    """Print one row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def schemes(model: str, coordinators: list[int], names: list[Scheme]) -> Table:
    """Figures 3 and 4: 20 crawlers, five schemes."""
    tasks = [Task(model, count, 20, scheme) for scheme in names for count in coordinators]
    heads = ("scheme", "coordinators")
    return Table(heads, tasks, lambda task, _: (task.scheme, task.coordinators))


def scale(model: str, coordinators: list[int]) -> Table:
    """Figure 5: 20 crawlers a coordinator, and how near to linear that is."""
    tasks = [Task(model, count, 20 * count) for count in coordinators]
    works: list[float] = []

    def cells(task: Task, figures: Figures) -> tuple[object, ...]:
        works.append(figures.seconds * task.coordinators)
        return task.coordinators, task.crawlers, f"{works[0] / works[-1]:.2f}"

    return Table(("coordinators", "crawlers", "of linear"), tasks, cells)


def load(model: str, crawlers: list[int]) -> Table:
    """What a coordinator does that has too many crawlers (left open in section 6)."""
    tasks = [Task(model, 1, count, scheme) for scheme in Scheme for count in crawlers]

    def cells(task: Task, figures: Figures) -> tuple[object, ...]:
        waits = (f"{figures.longest_wait:.3f} s", f"{figures.mean_wait:.4f} s")
        return (task.scheme, task.crawlers, *waits)

    return Table(("scheme", "crawlers", "longest wait", "mean wait"), tasks, cells)


def strategies(model: str, crawlers: list[int]) -> Table:
    """Other strategies beside greedy, on 5 coordinators."""
    names = ("greedy", "menu", "probability", "effects")
    tasks = [Task(model, 5, count, strategy=name) for name in names for count in crawlers]

    def cells(task: Task, figures: Figures) -> tuple[object, ...]:
        return task.strategy, task.crawlers, f"{figures.cost_to_all_states:,.0f}"

    return Table(("strategy", "crawlers", "cost to all states"), tasks, cells)


def table(options: argparse.Namespace, model: str) -> Table:
    """Return what was asked for."""
    if options.what == "schemes":
        return schemes(model, options.coordinators or [1, 5, 10, 15, 20], options.schemes)
    if options.what == "scale":
        return scale(model, options.coordinators or [1, 2, 3, 4, 5, 50])
    if options.what == "load":
        return load(model, options.crawlers or [5, 10, 20, 40, 100])
    return strategies(model, options.crawlers or [20, 100])


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
    names = [options.model] if options.model else both
    started = perf_counter()
    models = [(SMALL if options.small else LARGE).get(name, name) for name in names]
    sizes = [application(model) for model in models]  # before there are other processes
    tables = [table(options, model) for model in models]
    spent = 0.0
    with ProcessPoolExecutor(options.jobs) as executor:
        results = [executor.map(simulate, each.tasks) for each in tables]
        for model, size, each, figures in zip(models, sizes, tables, results, strict=True):
            print(f"\n{model}: {len(size.states):,} / {size.transition_count:,}\n", flush=True)
            spent += each.show(figures)
    print(f"\n{spent:,.0f} s of the processor, {perf_counter() - started:,.0f} s in all")


if __name__ == "__main__":
    main()
