"""How much less time it took than plain equality, in percent; below zero: more."""

from statecrawl.calibration.metrics.outcome import ModelOutcome


def speed(outcome: ModelOutcome) -> float:
    """Return the gain in time against the exact baseline, in percent of that."""
    if not outcome.exact_seconds:
        return 0.0
    return 100 * (outcome.exact_seconds - outcome.seconds) / outcome.exact_seconds
