"""What the strategies that learn effects cost, beside the published ones and the optimum.

    python -m benchmarks.effects MODE [MODEL ...] [--orders N] [--jobs N]

    states       the cost to all states
    end          the cost to the end
    shares       the cost of 25, 50, 75, 95, 99 and 100 % of the states
    parameters   the cost to all states of models with other parameters
    exceptions   likewise, where 1 % and 5 % of the transitions are exceptional
    regions      likewise, where two regions are one, one is missing, or all are
    plans        how long our strategies take to choose a plan, in complete crawls

A MODEL is NAME[:key=value,...]; without, the eight of the study. Prints Markdown; each cost is
the median over N orders of the events (the first is the order of the page).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.published import SUBJECTS
from benchmarks.variations import EXCEPTIONS, REGIONS
from statecrawl.compose.choices import load_application
from statecrawl.core.application import Application
from statecrawl.core.limits import Limits
from statecrawl.core.strategy import Knowledge, Route, Strategy
from statecrawl.simulation.optimum import optimum
from statecrawl.simulation.result import Result
from statecrawl.simulation.run import shuffled, simulate
from statecrawl.strategies import STRATEGIES

PUBLISHED = ("greedy", "hypercube", "menu", "probability")
OURS = tuple(name for name in ("effects", "adaptive") if name in STRATEGIES)
SHARES = (25, 50, 75, 95, 99, 100)
OTHERS = (
    "bibliography:publications=90,authors=25",
    "bibliography:publications=60,authors=12,years=8,topics=20,per_page=10",
    "files:folders=40",
    "files:folders=30,top=6,branching=9,per_folder=30",
    "filetree:folders=120,top=5,branching=10",
    "filetree:folders=300,top=30,branching=12,files=5",
    "periodic:elements=80,panels=2,compounds=3",
    "clips:clips=90,tags=15,users=40",
    "bank:accounts=5",
    "company:products=9,services=6,articles=12",
    "hypercube:dimensions=8",
    "widgets:count=4,values=4",
)


class Subject(NamedTuple):
    """A model, and how it is varied."""

    model: str
    variation: str = ""

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return f"{self.model}, {self.variation}" if self.variation else self.model


class Run(NamedTuple):
    """One crawl of a subject: to all states only, or to the end."""

    subject: Subject
    strategy: str
    order: int
    to_end: bool


class Costs(NamedTuple):
    """What a crawl cost: each share of the states, and all of it."""

    of_states: dict[int, float]
    to_end: float


@cache
def application_of(subject: Subject) -> Application:
    """Return a model as it is crawled."""
    application = load_application(subject.model)
    vary = {**EXCEPTIONS, **REGIONS}.get(subject.variation)
    return vary(application) if vary else application


@cache
def reachable(subject: Subject) -> int:
    """Count the states that can be found."""
    application = application_of(subject)
    found = set(application.all_entries)
    waiting = list(found)
    while waiting:
        for target in application.targets(waiting.pop()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return len(found)


def crawl(run: Run) -> Costs:
    """Crawl, and say what it cost."""
    application = application_of(run.subject)
    ordered = shuffled(application, run.order) if run.order else application
    limits = Limits() if run.to_end else Limits(max_states=reachable(run.subject))
    result = Result("", "", simulate(ordered, STRATEGIES[run.strategy], limits=limits), 0.0, None)
    return Costs({share: result.cost_of_states(share) for share in SHARES}, result.cost)


class Bench:
    """Crawls in several processes, and says how far it is."""

    def __init__(self, orders: int, jobs: int) -> None:
        self._orders = orders
        self._pool = ProcessPoolExecutor(jobs)

    def costs(
        self, subjects: Sequence[Subject], *, to_end: bool
    ) -> Iterator[dict[str, list[Costs]]]:
        """Yield for each subject what each order cost each strategy."""
        names = (*PUBLISHED, *OURS)
        runs = [
            Run(subject, name, order, to_end)
            for subject in subjects
            for name in names
            for order in range(self._orders)
        ]
        done = zip(runs, self._pool.map(crawl, runs), strict=True)
        for _ in subjects:
            found: dict[str, list[Costs]] = {name: [] for name in names}
            for run, costs in (next(done) for _ in range(len(names) * self._orders)):
                found[run.strategy].append(costs)
                print(f"{run.subject.name}: {run.strategy}, order {run.order}", file=sys.stderr)
            yield found


def print_costs(bench: Bench, subjects: Sequence[Subject], *, to_end: bool) -> None:
    """Print what all states cost, or all transitions, beside the best published and the optimum."""
    ratios = [f"{name} / {other}" for name in OURS for other in ("best of four", "optimum")]
    print_head(["subject", *PUBLISHED, *OURS, "optimum", *ratios])
    for subject, found in zip(subjects, bench.costs(subjects, to_end=to_end), strict=True):
        costs = {
            name: median(each.to_end if to_end else each.of_states[100] for each in crawls)
            for name, crawls in found.items()
        }
        best = optimum(application_of(subject))
        least = best.to_end if to_end else best.to_all_states
        kind = "exact" if to_end else best.kind.replace("_", " ")
        published = min(costs[name] for name in PUBLISHED)
        cells = [f"{cost:,.0f}" for cost in costs.values()]
        cells.append(f"{least:,.0f} ({kind})")
        cells += [f"{costs[name] / other:.2f}" for name in OURS for other in (published, least)]
        print_row([subject.name, *cells])


def print_shares(bench: Bench, subjects: Sequence[Subject]) -> None:
    """Print what each share of the states cost."""
    print_head(["subject", "strategy", *(f"{share} %" for share in SHARES)])
    for subject, found in zip(subjects, bench.costs(subjects, to_end=False), strict=True):
        for name, crawls in found.items():
            costs = [median(each.of_states[share] for each in crawls) for share in SHARES]
            print_row([subject.name, name, *(f"{cost:,.0f}" for cost in costs)])


def print_plans(subjects: Sequence[Subject]) -> None:
    """Print how long choosing a plan took, and learning from what it led to: processor time."""
    print_head(
        ["subject", "strategy", "states", "transitions", "plans", "ms to choose", "ms in all"]
    )
    for subject in subjects:
        for name in OURS:
            watch = Watch(name)
            begun = process_time()
            model = simulate(application_of(subject), watch.strategy).model
            whole = process_time() - begun
            counts = (model.state_count, model.transition_count, watch.plans)
            times = (1000 * seconds / watch.plans for seconds in (watch.seconds, whole))
            cells = [*(f"{count:,}" for count in counts), *(f"{time:.3f}" for time in times)]
            print_row([subject.name, name, *cells])


class Watch:
    """Looks at the clock whenever a strategy is asked for a route."""

    def __init__(self, name: str) -> None:
        self._factory = STRATEGIES[name]
        self.plans = 0
        self.seconds = 0.0

    def strategy(self, knowledge: Knowledge) -> Strategy:
        """Return the strategy, watched."""
        strategy = self._factory(knowledge)
        choose = strategy.route

        def route(cursor: int, state: int) -> Route | None:
            self.plans += 1
            begun = process_time()
            chosen = choose(cursor, state)
            self.seconds += process_time() - begun
            return chosen

        strategy.route = route  # type: ignore[method-assign] # watched from outside
        return strategy


def print_head(cells: list[str]) -> None:
    """Print the head of a table; all columns but the first are numbers."""
    print_row(cells)
    print("|---" + "|--:" * (len(cells) - 1) + "|")


def print_row(cells: list[str]) -> None:
    """Print a row at once."""
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Crawl and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    modes = ("states", "end", "shares", "parameters", "exceptions", "regions", "plans")
    parser.add_argument("mode", choices=modes)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    bench = Bench(options.orders, options.jobs)
    models = options.models or (OTHERS if options.mode == "parameters" else tuple(SUBJECTS))
    subjects = [Subject(model) for model in models]
    if options.mode == "plans":
        print_plans(subjects)
        return
    if options.mode == "shares":
        print_shares(bench, subjects)
        return
    if options.mode in ("exceptions", "regions"):
        kind = EXCEPTIONS if options.mode == "exceptions" else REGIONS
        subjects = [Subject(model, name) for model in models for name in kind]
    print_costs(bench, subjects, to_end=options.mode == "end")


if __name__ == "__main__":
    main()
