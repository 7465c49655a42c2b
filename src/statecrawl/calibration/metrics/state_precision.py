"""Of the states of the model, the share that are not there already."""

from statecrawl.calibration.metrics.outcome import Outcome, share


def state_precision(outcome: Outcome) -> float:
    """Return the precision of the model."""
    return share(len(outcome.kept) - outcome.duplicates, len(outcome.kept))
