"""Of the pairs that were taken for one, the share that are."""

from statecrawl.calibration.metrics.outcome import Outcome, share


def precision(outcome: Outcome) -> float:
    """Return the precision on pairs."""
    right, wrong, _ = outcome.pairs
    return share(right, right + wrong)
