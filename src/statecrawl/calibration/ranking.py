"""Which equivalence is best, and what that is worth on an application it was not chosen on."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from statecrawl.calibration.measuring import Figures, Result, together
from statecrawl.calibration.metrics import METRICS


class Row(NamedTuple):
    """What an equivalence with a threshold came to on some applications together."""

    equivalence: str
    threshold: float
    figures: Figures


class HeldOut(NamedTuple):
    """What was chosen without an application, and what it came to there and on the others."""

    application: str
    chosen: Row
    figures: Figures


def ranked(results: Iterable[Result], by: str) -> list[Row]:
    """Return every equivalence and threshold, best first by a metric.

    Of equals the one that misses fewer states is better, then the one with fewer duplicates, then
    the lower threshold: rather a state twice than one that nobody sees.
    """
    found: dict[tuple[str, float], list[Figures]] = defaultdict(list)
    for result in results:
        found[result.equivalence, result.threshold].append(result.figures)
    rows = [Row(*key, together(figures)) for key, figures in found.items()]
    return sorted(rows, key=lambda row: rank(row, by))


def rank(row: Row, by: str) -> tuple[float, ...]:
    """Return what is less the better a row is."""
    value = row.figures[by]
    return (
        value if METRICS[by].is_count else -value,
        row.figures["missed_states"],
        row.figures["duplicate_states"],
        row.threshold,
    )


def best_by_equivalence(rows: Sequence[Row]) -> list[Row]:
    """Return the best threshold of every equivalence, in the order of the rows."""
    best: dict[str, Row] = {}
    for row in rows:
        best.setdefault(row.equivalence, row)
    return list(best.values())


def cross_validated(results: Sequence[Result], by: str) -> list[HeldOut]:
    """Choose on all applications but one, look at that one; for each of them."""
    applications = list(dict.fromkeys(result.application for result in results))
    if len(applications) < 2:
        return []
    found = []
    for held_out in applications:
        chosen = ranked((r for r in results if r.application != held_out), by)[0]
        there = next(
            result.figures
            for result in results
            if (result.application, result.equivalence, result.threshold)
            == (held_out, chosen.equivalence, chosen.threshold)
        )
        found.append(HeldOut(held_out, chosen, there))
    return found
