"""What balancing a star gains where there are more nodes than events in a state, in virtual time.

    python -m benchmarks.balancing [--assign hash stride range] [--strategy fifo greedy adaptive]

For each model means over several numbers of nodes, the first one more than the events of its
largest state. Prints Markdown: the share of all nodes' time in which they execute nothing, and
the seconds of the crawl, without and with balancing.
"""

import argparse
from statistics import mean

from statecrawl.compose.choices import load_application
from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.pick import PICKS
from statecrawl.simulation.star import simulate_star
from statecrawl.strategies import STRATEGIES

MODELS = (
    "hypercube:dimensions=5",
    "hypercube:dimensions=8",
    "company",
    "bank",
    "modern",
    "videos:videos=40",
    "widgets",
    "filetree:folders=40",
)
FAMILIES = {**STRATEGIES, **PICKS}


def crawl(model: str, strategy: str, assignment: str, sizes: int) -> str:
    """Return a row of the table."""
    application = load_application(model)
    least = 1 + max(map(len, application.states.values()))
    strict, balanced = (
        [
            simulate_star(
                application,
                FAMILIES[strategy],
                nodes,
                assignment=assignment,
                passes_all=strategy not in PICKS,
                balances=balances,
            )
            for nodes in range(least, least + sizes)
        ]
        for balances in (False, True)
    )
    before, after = (mean(each.idle_share for each in runs) for runs in (strict, balanced))
    slow, fast = (mean(each.simulated_seconds for each in runs) for runs in (strict, balanced))
    return (
        f"| `{model}` | {least} to {least + sizes - 1} | {strategy} | {assignment} | "
        f"{before:.1%} | {after:.1%} | {after / before:.2f} | {slow:,.1f} | {fast:,.1f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assign", nargs="+", default=["hash"], choices=ASSIGNMENTS)
    parser.add_argument(
        "--strategy", nargs="+", default=["fifo", "greedy", "adaptive"], choices=FAMILIES
    )
    parser.add_argument("--model", nargs="+", default=MODELS)
    parser.add_argument("--sizes", type=int, default=4, help="how many numbers of nodes")
    options = parser.parse_args()
    print(
        "| model | nodes | strategy | dealt out by | idle | balanced | of not balanced "
        "| seconds | balanced |"
    )
    print("|---|---|---|---|--:|--:|--:|--:|--:|")
    for model in options.model:
        for assignment in options.assign:
            for strategy in options.strategy:
                print(crawl(model, strategy, assignment, options.sizes), flush=True)


if __name__ == "__main__":
    main()
