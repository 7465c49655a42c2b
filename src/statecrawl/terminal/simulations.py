"""What strategies cost in simulations, as tables."""

from collections.abc import Iterator
from typing import Any

from statecrawl.simulation.result import QUARTILES, Result
from statecrawl.terminal.lines import number, print_lines, print_table


def print_results(results: list[Result]) -> None:
    """Print what each strategy cost, cheapest to all states first."""
    model, best = results[0].crawl.model, results[0].optimum
    print_lines(
        [
            f"{results[0].model}: {model.state_count:,} states, "
            f"{model.transition_count:,} transitions, "
            f"a reset costs {number(results[0].crawl.reset_cost)}",
            "",
        ]
    )
    ranked = sorted(results, key=lambda result: result.cost_of_states(100))
    print_table(
        "Cost at which states were found",
        ["strategy", "first", *(f"{percent} %" for percent in QUARTILES), "/ optimum"],
        [
            [
                result.strategy,
                *(number(result.cost_of_states(percent)) for percent in (0, *QUARTILES)),
                _ratio(result.cost_of_states(100), best.to_all_states if best else None),
            ]
            for result in ranked
        ],
    )
    print_table(
        "The whole crawl",
        ["strategy", "events", "resets", "cost", "/ optimum", "seconds"],
        [
            [
                result.strategy,
                number(result.crawl.events),
                number(result.crawl.resets),
                number(result.cost),
                _ratio(result.cost, best.to_end if best else None),
                f"{result.seconds:.2f}",
            ]
            for result in ranked
        ],
    )
    print_lines(_remarks(results))


def _remarks(results: list[Result]) -> Iterator[str]:
    """Yield the optimum, and what each strategy did not come to know."""
    best = results[0].optimum
    if best is not None:
        yield (
            f"optimum: {number(best.to_all_states)} to all states "
            f"({best.kind.replace('_', ' ')}), {number(best.to_end)} to the end"
        )
    for result in results:
        for what, count in (
            ("events nondeterministic", len(result.crawl.nondeterministic)),
            ("events given up", len(result.crawl.given_up)),
            ("events could not be fired", len(result.crawl.model.refused)),
            ("events not fired, to combine known content", len(result.crawl.not_combined)),
        ):
            if count:
                yield f"{result.strategy}: {count:,} {what}"


def _ratio(cost: float, least: float | None) -> str:
    return f"{cost / least:.2f}" if least else "-"


def print_fleet(results: list[dict[str, Any]]) -> None:
    """Print what distributed crawls in virtual time came to."""
    first = results[0]
    what = f"{first['model']}: {first['states']:,} states, {first['transitions']:,} transitions"
    how = f"{first['crawlers']:,} crawlers on {first['coordinators']:,} coordinators"
    detail = first["scheme"] or first["assignment"]
    print_table(
        f"{what}; {first['topology']} ({detail}), {how}",
        [
            "strategy", "seconds", "speed-up", "idle", "messages", "events", "resets",
            "cost to all states", "complete", "violations",
        ],
        [
            [
                result["strategy"],
                f"{result['simulated_seconds']:,.1f}",
                "" if result["speedup"] is None else f"{result['speedup']:.2f}",
                f"{result['idle_share']:.1%}",
                *(f"{result[name]:,}" for name in ("messages", "events", "resets")),
                number(result["cost_to_all_states"]),
                "yes" if result["complete"] else "no",
                f"{len(result['violations']):,}",
            ]
            for result in results
        ],
    )  # fmt: skip
    print_lines(f"violation: {each}" for result in results for each in result["violations"])
