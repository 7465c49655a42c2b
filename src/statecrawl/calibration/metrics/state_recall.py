"""Of the states that the model should have, the share that it has."""

from statecrawl.calibration.metrics.outcome import ModelOutcome, share


def state_recall(outcome: ModelOutcome) -> float:
    """Return the recall of the model."""
    needed = len(outcome.truth.needed)
    return share(needed - outcome.missed, needed)
