"""Missed and duplicate states, one error each, as figures 9 to 15 of the thesis show them."""

from statecrawl.calibration.metrics.outcome import ModelOutcome


def total_errors(outcome: ModelOutcome) -> float:
    """Return how many states are wrong."""
    return outcome.missed + outcome.duplicates
