"""States that were taken for others and are not (false positives of the thesis)."""

from statecrawl.calibration.metrics.outcome import ModelOutcome


def missed_states(outcome: ModelOutcome) -> float:
    """Return how many states the model should have and has not."""
    return outcome.missed
