"""States that were taken for new and are not (false negatives of the thesis)."""

from statecrawl.calibration.metrics.outcome import Outcome


def duplicate_states(outcome: Outcome) -> float:
    """Return how many states the model has more than once."""
    return outcome.duplicates
