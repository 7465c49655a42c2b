"""The harmonic mean of precision and recall on pairs."""

from statecrawl.calibration.metrics.outcome import Outcome, harmonic
from statecrawl.calibration.metrics.precision import precision
from statecrawl.calibration.metrics.recall import recall


def f1(outcome: Outcome) -> float:
    """Return F1 on pairs."""
    return harmonic(precision(outcome), recall(outcome))
