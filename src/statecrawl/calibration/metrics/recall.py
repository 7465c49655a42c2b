"""Of the pairs that are one, the share that were taken for one."""

from statecrawl.calibration.metrics.outcome import Outcome, share


def recall(outcome: Outcome) -> float:
    """Return the recall on pairs."""
    right, _, missed = outcome.pairs
    return share(right, right + missed)
