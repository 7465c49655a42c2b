"""Figures of what an equivalence made of a labelled set: one file each, by name."""

from statecrawl.calibration.metrics.duplicate_states import duplicate_states
from statecrawl.calibration.metrics.f1 import f1
from statecrawl.calibration.metrics.missed_states import missed_states
from statecrawl.calibration.metrics.outcome import Metric, ModelOutcome, Outcome
from statecrawl.calibration.metrics.precision import precision
from statecrawl.calibration.metrics.recall import recall
from statecrawl.calibration.metrics.speed import speed
from statecrawl.calibration.metrics.state_f1 import state_f1
from statecrawl.calibration.metrics.state_precision import state_precision
from statecrawl.calibration.metrics.state_recall import state_recall
from statecrawl.calibration.metrics.total_errors import total_errors
from statecrawl.calibration.metrics.weighted_errors import weighted_errors

METRICS: dict[str, Metric] = {
    "f1": Metric(f1, is_of_pairs=True),
    "precision": Metric(precision, is_of_pairs=True),
    "recall": Metric(recall, is_of_pairs=True),
    "missed_states": Metric(missed_states, is_count=True),
    "duplicate_states": Metric(duplicate_states, is_count=True),
    "total_errors": Metric(total_errors, is_count=True),
    "weighted_errors": Metric(weighted_errors, is_count=True),
    "state_f1": Metric(state_f1),
    "state_precision": Metric(state_precision),
    "state_recall": Metric(state_recall),
    "speed": Metric(speed),
}

__all__ = ["METRICS", "Metric", "ModelOutcome", "Outcome"]
