"""Errors where a missed state counts twice: a duplicate can be seen, a missed state can not."""

from statecrawl.calibration.metrics.outcome import ModelOutcome

MISSED = 2


def weighted_errors(outcome: ModelOutcome) -> float:
    """Return how many states are wrong, the missed ones twice."""
    return MISSED * outcome.missed + outcome.duplicates
