"""The ring beside Ben Hafaiedh et al. 2014: Figures 3 to 5 in virtual time.

    python -m benchmarks.ring schemes [--model filetree|bibliography] [--coordinators 1 5 10 15 20]
    python -m benchmarks.ring scale [--coordinators 1 2 3 4 5 50]
    python -m benchmarks.ring load [--crawlers 5 10 20 40 100]
    python -m benchmarks.ring strategies [--crawlers 20 100]
    python -m benchmarks.ring messages

`--small` takes the applications of the usual size instead of the full one. Prints Markdown.
"""

import argparse
from time import process_time

from statecrawl.compose.choices import load_application
from statecrawl.coordination.ring_messages import Scheme, ToRingCoordinator, ToRingCrawler
from statecrawl.coordination.wire import dump
from statecrawl.core.application import Application
from statecrawl.simulation.network import Listener
from statecrawl.simulation.outcome import Outcome
from statecrawl.simulation.ring import simulate_ring
from statecrawl.simulation.run import shuffled
from statecrawl.sites.models import LARGE_BIBLIOGRAPHY, LARGE_FILETREE
from statecrawl.strategies import STRATEGIES

KINDS = ToRingCoordinator | ToRingCrawler
LARGE = {"filetree": LARGE_FILETREE, "bibliography": LARGE_BIBLIOGRAPHY}
SMALL = {"filetree": "filetree:reset_cost=12", "bibliography": "bibliography:reset_cost=3"}


def run(
    application: Application,
    coordinators: int,
    crawlers: int,
    scheme: Scheme = Scheme.FORWARD,
    strategy: str = "greedy",
) -> tuple[Outcome, float]:
    """Crawl, and return the outcome and the CPU seconds that simulating it took."""
    started = process_time()
    outcome = simulate_ring(application, STRATEGIES[strategy], coordinators, crawlers, scheme)
    if not outcome.is_complete:
        raise SystemExit("the crawl is not complete")
    return outcome, process_time() - started


def row(*cells: object) -> None:
    """Print one row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def figures(outcome: Outcome, seconds: float) -> list[str]:
    """Return what every table shows of a crawl."""
    events, resets = outcome.tally.spent()
    return [
        f"{outcome.simulated_seconds:,.0f}",
        f"{outcome.idle_share:.1%}",
        f"{events:,}",
        f"{resets:,}",
        f"{outcome.messages:,}",
        f"{outcome.messages / seconds:,.0f}",
    ]


HEAD = ("seconds", "idle", "events", "resets", "messages", "messages a CPU second")


def schemes(application: Application, coordinators: list[int]) -> None:
    """Print Figures 3 and 4: 20 crawlers, five schemes."""
    row("scheme", "coordinators", *HEAD)
    row(*["---"] * (len(HEAD) + 2))
    for scheme in Scheme:
        for count in coordinators:
            row(scheme, count, *figures(*run(application, count, 20, scheme)))


def scale(application: Application, coordinators: list[int]) -> None:
    """Print Figure 5: 20 crawlers a coordinator, and how near to linear that is."""
    row("coordinators", "crawlers", "of linear", *HEAD)
    row(*["---"] * (len(HEAD) + 3))
    first = 0.0
    for count in coordinators:
        outcome, seconds = run(application, count, 20 * count)
        first = first or outcome.simulated_seconds * count
        ratio = first / outcome.simulated_seconds / count
        row(count, 20 * count, f"{ratio:.2f}", *figures(outcome, seconds))


def load(application: Application, crawlers: list[int]) -> None:
    """Print what a coordinator does that has too many crawlers (left open in section 6)."""
    row("scheme", "crawlers", "longest wait", "mean wait", *HEAD)
    row(*["---"] * (len(HEAD) + 4))
    for scheme in Scheme:
        for count in crawlers:
            outcome, seconds = run(application, 1, count, scheme)
            hub = outcome.coordinators[0]
            waits = (f"{hub.longest_wait:.3f} s", f"{hub.wait_seconds / hub.served:.4f} s")
            row(scheme, count, *waits, *figures(outcome, seconds))


def strategies(application: Application, crawlers: list[int]) -> None:
    """Print other strategies beside greedy, on 5 coordinators."""
    row("strategy", "crawlers", "cost to all states", *HEAD)
    row(*["---"] * (len(HEAD) + 3))
    for name in ("greedy", "menu", "probability", "effects"):
        for count in crawlers:
            outcome, seconds = run(application, 5, count, strategy=name)
            cost = f"{outcome.to_json()['cost_to_all_states']:,.0f}"
            row(name, count, cost, *figures(outcome, seconds))


def messages(application: Application) -> None:
    """Print how many messages and bytes of JSON each scheme sends, on 5 coordinators."""
    row("scheme", "messages", "bytes", "bytes a transition")
    row(*["---"] * 4)
    for scheme in Scheme:
        weights: list[int] = []
        outcome = simulate_ring(
            application, STRATEGIES["greedy"], 5, 20, scheme, listener=_weigher(weights)
        )
        share = f"{sum(weights) / application.transition_count:,.0f}"
        row(scheme, f"{outcome.messages:,}", f"{sum(weights):,}", share)


def _weigher(weights: list[int]) -> Listener:
    """Return what notes the size of every message."""
    return lambda _, __, message: weights.append(len(dump(message, KINDS)))


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["schemes", "scale", "load", "strategies", "messages"])
    parser.add_argument("--model", choices=list(LARGE), default="bibliography")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--coordinators", type=int, nargs="+")
    parser.add_argument("--crawlers", type=int, nargs="+")
    options = parser.parse_args()
    spec = (SMALL if options.small else LARGE)[options.model]
    application = shuffled(load_application(spec), 1)
    print(f"\n{spec}: {len(application.states):,} / {application.transition_count:,}\n")
    if options.what == "schemes":
        schemes(application, options.coordinators or [1, 5, 10, 15, 20])
    elif options.what == "scale":
        scale(application, options.coordinators or [1, 2, 3, 4, 5, 50])
    elif options.what == "load":
        load(application, options.crawlers or [5, 10, 20, 40, 100])
    elif options.what == "strategies":
        strategies(application, options.crawlers or [20, 100])
    else:
        messages(application)


if __name__ == "__main__":
    main()
