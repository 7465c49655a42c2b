"""States that were taken for new and are not (false negatives of the thesis)."""

from statecrawl.calibration.metrics.outcome import ModelOutcome


def duplicate_states(outcome: ModelOutcome) -> float:
    """Return how many states the model has more than once."""
    return outcome.duplicates
