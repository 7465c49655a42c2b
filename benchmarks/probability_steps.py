"""What the simplifications of the probability strategy cost, and what they save.

    python -m benchmarks.probability_steps [MODEL ...]

Crawls each model with the strategy as it is, and with every probability compared exactly and
the average taken anew before every plan. Prints the median cost to all states over three orders
of the events, and the seconds of all three.
"""

import argparse
from statistics import median
from time import perf_counter

from statecrawl.compose.choices import load_application
from statecrawl.core.application import Application
from statecrawl.simulation.run import shuffled, simulate
from statecrawl.strategies import probability

SEEDS = (1, 2, 3)
EXACT = (1e-12, 1.0)


def crawl(application: Application) -> tuple[float, float]:
    """Return the median cost to all states, and the seconds."""
    started = perf_counter()
    costs = []
    for seed in SEEDS:
        found = simulate(shuffled(application, seed), probability.Probability)
        costs.append(found.cost(*found.discoveries[-1]))
    return median(costs), perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("models", nargs="*", default=["company", "bank", "filetree", "periodic"])
    settings = (probability.STEP, probability.GROWTH)
    print("| model | cost as it is | seconds | cost exactly | seconds |")
    print("|---|--:|--:|--:|--:|")
    for model in parser.parse_args().models:
        application = load_application(model)
        cells = []
        for probability.STEP, probability.GROWTH in (settings, EXACT):
            cost, seconds = crawl(application)
            cells.append(f"{cost:,.0f} | {seconds:.1f}")
        print(f"| {model} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
