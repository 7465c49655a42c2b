"""What an equivalence made of a labelled set: all that metrics look at."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from statecrawl.calibration.truth import Table, Truth, kept


class PairCounts(NamedTuple):
    """Of all pairs with a label: those taken for one that are, that are not, and those missed."""

    right: int
    wrong: int
    missed: int


@dataclass(frozen=True)
class ModelOutcome:
    """The states that a model has, how long it took, and how long plain equality takes."""

    truth: Truth
    kept: tuple[int, ...]
    seconds: float = 0.0
    exact_seconds: float = 0.0

    @cached_property
    def duplicates(self) -> int:
        """The states of the model that are one with an earlier one."""
        return sum(
            bool(self.truth.is_same[state, self.kept[:number]].any())
            for number, state in enumerate(self.kept)
        )

    @cached_property
    def missed(self) -> int:
        """The states that the model should have and has not, in any variant."""
        return sum(not self.truth.is_same[state, self.kept].any() for state in self.truth.needed)


@dataclass(frozen=True)
class Outcome(ModelOutcome):
    """Also which states were taken for one."""

    is_same: Table = field(default_factory=lambda: np.eye(0, dtype=np.bool_))

    @classmethod
    def of(cls, truth: Truth, is_same: Table, seconds: float, exact_seconds: float) -> "Outcome":
        """Return what comes of taking these states for one, in the order in which they come."""
        return cls(truth, kept(is_same), seconds, exact_seconds, is_same)

    @cached_property
    def pairs(self) -> PairCounts:
        """The pairs, each once."""
        above = np.triu(self.truth.is_known, 1)
        said, true = self.is_same[above], self.truth.is_same[above]
        return PairCounts(
            int((said & true).sum()), int((said & ~true).sum()), int((~said & true).sum())
        )


class Metric(NamedTuple):
    """A figure of an outcome; counts are summed over applications, others are averaged.

    One that is of pairs needs to know which pairs were taken for one.
    """

    measure: Callable[[Any], float]
    is_count: bool = False
    is_of_pairs: bool = False


def share(part: float, whole: float) -> float:
    """Return a part of a whole; of nothing everything is right."""
    return part / whole if whole else 1.0


def harmonic(one: float, other: float) -> float:
    """Return the harmonic mean of two shares."""
    return 2 * one * other / (one + other) if one + other else 0.0
