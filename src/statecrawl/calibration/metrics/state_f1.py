"""The harmonic mean of the model's precision and recall."""

from statecrawl.calibration.metrics.outcome import ModelOutcome, harmonic
from statecrawl.calibration.metrics.state_precision import state_precision
from statecrawl.calibration.metrics.state_recall import state_recall


def state_f1(outcome: ModelOutcome) -> float:
    """Return F1 of the model's states."""
    return harmonic(state_precision(outcome), state_recall(outcome))
