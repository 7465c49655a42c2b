"""Of the states of the model, the share that are not there already."""

from statecrawl.calibration.metrics.outcome import ModelOutcome, share


def state_precision(outcome: ModelOutcome) -> float:
    """Return the precision of the model."""
    return share(len(outcome.kept) - outcome.duplicates, len(outcome.kept))
