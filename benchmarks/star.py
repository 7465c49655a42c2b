"""The star beside Mirtaheri et al. 2013: Table I, Figures 3 and 4 in virtual time.

    python -m benchmarks.star [--nodes 15] [--runs 3]

Two trees of folders as large as those of the paper, one folder open at a time, crawled by 1 to 15
nodes that pick first in, first out and reset before each transfer; three orders of the events
each. Prints Markdown: seconds beside T1/n, what the time goes into, and idle nodes, without and
with balancing.
"""

import argparse
from statistics import mean

from statecrawl.compose.choices import load_application
from statecrawl.coordination.pick import fifo
from statecrawl.core.application import Application
from statecrawl.simulation.outcome import Outcome
from statecrawl.simulation.run import shuffled
from statecrawl.simulation.star import simulate_star

TREES = {
    "HTTPD": ("filetree:folders=89,top=6,branching=6,files=0", 91, 2_293, 7_461),
    "Cassandra": ("filetree:folders=161,top=9,branching=7,files=0", 163, 4_816, 27_149),
}
PARTS = ("execution", "network", "coordinator", "idle")


def crawl(application: Application, nodes: int, runs: int, *, balances: bool) -> list[Outcome]:
    """Crawl in several orders of the events."""
    return [
        simulate_star(
            shuffled(application, seed),
            fifo,
            nodes,
            assignment="stride",
            passes_all=False,
            balances=balances,
        )
        for seed in range(runs)
    ]


def seconds(outcomes: list[Outcome]) -> float:
    """Return how long the crawls took on average."""
    return mean(outcome.simulated_seconds for outcome in outcomes)


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=15)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    for name, (spec, states, transitions, events) in TREES.items():
        application = load_application(spec)
        print(f"\n### {name}: {spec}\n")
        alone = crawl(application, 1, options.runs, balances=False)
        ours = mean(outcome.tally.spent()[0] for outcome in alone)
        print(
            f"{len(application.states):,} states (paper {states:,}), "
            f"{application.transition_count:,} transitions (paper {transitions:,}), "
            f"{ours:,.0f} events with one node (paper {events:,})\n"
        )
        print(f"| nodes | seconds | T1/n | {' | '.join(PARTS)} | balanced | idle |")
        print("|--:" * (len(PARTS) + 5) + "|")
        for nodes in range(1, options.nodes + 1):
            strict = crawl(application, nodes, options.runs, balances=False)
            balanced = crawl(application, nodes, options.runs, balances=True)
            shares = [mean(each.breakdown[part] for each in strict) for part in PARTS]
            idle = mean(each.breakdown["idle"] for each in balanced)
            print(
                f"| {nodes} | {seconds(strict):,.0f} | {seconds(alone) / nodes:,.0f} | "
                f"{' | '.join(f'{share:.1%}' for share in shares)} | "
                f"{seconds(balanced):,.0f} | {idle:.1%} |"
            )
        print("\nIdle seconds of each node, one row a run (Figure 4):\n")
        for outcome in crawl(application, options.nodes, options.runs, balances=False):
            rest = [outcome.simulated_seconds - each.busy_seconds for each in outcome.crawlers]
            print(f"    {' '.join(f'{each:5.0f}' for each in rest)}")


if __name__ == "__main__":
    main()
