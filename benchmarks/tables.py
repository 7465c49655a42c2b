"""Our figures beside Tables II and III of Dincturk et al. 2014, and Figure 5 redrawn.

    python -m benchmarks.tables [SUBJECT ...] [--seeds N] [--figure FILE]

Prints Markdown. Each of our costs is the median over N orders of the events (the first is
the order of the page); in brackets the ratio to the published cost of the same strategy. The
last columns give the best of ours over the best published, and over the optimum.
"""

import argparse
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.published import STRATEGIES, SUBJECTS
from statecrawl.compose.choices import load_application, pick_strategies
from statecrawl.simulation.optimum import Optimum, optimum
from statecrawl.simulation.result import QUARTILES, Result
from statecrawl.simulation.run import shuffled, simulate

Results = dict[str, list[Result]]
"""For each strategy, a result for each order of the events."""


def crawl_all(subject: str, seeds: int) -> tuple[Results, Optimum]:
    """Crawl one subject with every strategy, in several orders of its events."""
    application = load_application(subject)
    best = optimum(application)
    results: Results = {name: [] for name in STRATEGIES}
    for seed in range(seeds):
        ordered = application if seed == 0 else shuffled(application, seed)
        for name, factory in pick_strategies(list(STRATEGIES)).items():
            crawl = simulate(ordered, factory)
            results[name].append(Result(subject, name, crawl, 0.0, best))
    return results, best


def print_sizes(found: dict[str, tuple[Results, Optimum]]) -> None:
    """Print Table I."""
    print("| subject | original | states | paper | transitions | paper | cost of reset |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for subject, (results, _) in found.items():
        paper, model = SUBJECTS[subject], results["greedy"][0].crawl.model
        print(
            f"| {subject} | {paper.original} | {model.state_count:,} | {paper.states:,} "
            f"| {model.transition_count:,} | {paper.transitions:,} | {paper.reset_cost} |"
        )


def print_costs(found: dict[str, tuple[Results, Optimum]], *, to_end: bool) -> None:
    """Print Table III, or Table II."""
    print(f"| subject | {' | '.join(STRATEGIES)} | optimum | best / published | best / optimum |")
    print("|---" + "|--:" * (len(STRATEGIES) + 3) + "|")
    for subject, (results, best) in found.items():
        paper = SUBJECTS[subject]
        published = paper.to_end if to_end else paper.to_all_states
        ours = [
            median(r.cost if to_end else r.cost_of_states(100) for r in results[name])
            for name in STRATEGIES
        ]
        cells = [
            f"{cost:,.0f} ({cost / theirs:.2f})"
            for cost, theirs in zip(ours, published, strict=True)
        ]
        least = best.to_end if to_end else best.to_all_states
        kind = "exact" if to_end else best.kind.replace("_", " ")
        print(
            f"| {subject} | {' | '.join(cells)} | {least:,.0f} ({kind}) "
            f"| {min(ours) / min(published):.2f} | {min(ours) / least:.2f} |"
        )
        print(f"| *paper* | {' | '.join(f'{cost:,}' for cost in published)} ", end="")
        print("| | | |" if to_end else f"| {paper.optimum:,} | | |")


def draw_figure(found: dict[str, tuple[Results, Optimum]], file: Path) -> None:
    """Redraw Figure 5: the cost of the first state, of 25, 50, 75 and of 100 % of the states."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to import, often not wanted

    rows = (len(found) + 1) // 2
    figure = Figure(figsize=(12, 2.6 * rows), layout="constrained")
    for number, (subject, (results, best)) in enumerate(found.items(), start=1):
        axes = figure.add_subplot(rows, 2, number)
        names = list(reversed(STRATEGIES))
        axes.bxp([_box(results[name]) for name in names], orientation="horizontal",
                 showfliers=False)  # fmt: skip
        axes.axvline(best.to_all_states, linestyle=":", color="0.3")
        axes.set_xscale("log")
        axes.set_yticks(range(1, len(names) + 1), names)
        axes.set_title(f"{subject} ({SUBJECTS[subject].original})", fontsize="medium")
        axes.grid(visible=True, axis="x", alpha=0.3)
    figure.supxlabel("cost of discovering the states; dotted: the optimum for all of them")
    figure.savefig(file)


def _box(results: list[Result]) -> dict[str, Any]:
    low, first, half, third, high = (
        median(result.cost_of_states(percent) for result in results) for percent in (0, *QUARTILES)
    )
    return {"whislo": low, "q1": first, "med": half, "q3": third, "whishi": high}


def main() -> None:
    """Crawl, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("subjects", nargs="*", choices=[[], *SUBJECTS], default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--figure", type=Path)
    options = parser.parse_args()
    found = {subject: crawl_all(subject, options.seeds) for subject in options.subjects or SUBJECTS}
    print_sizes(found)
    print("\nCost to all states (Table II)\n")
    print_costs(found, to_end=False)
    print("\nCost to the end (Table III)\n")
    print_costs(found, to_end=True)
    if options.figure:
        draw_figure(found, options.figure)


if __name__ == "__main__":
    main()
