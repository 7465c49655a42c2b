"""Which pair to ask about next."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from statecrawl.calibration.labels import Labels, Pair


class Questions:
    """Pairs of states in the order in which their answers teach most.

    What looks alike comes first: every "alike" joins two groups, and from then on one answer about
    one of its states is likely to hold for all of them. No other order needs fewer answers when
    the distances are right (Wang et al. 2013, on joins with transitive relations).
    """

    def __init__(self, states: Sequence[str], distances: NDArray[np.float64]) -> None:
        self._states = states
        ones, others = np.triu_indices(len(states), 1)
        order = np.argsort(distances[ones, others], kind="stable")
        self._ones, self._others = ones[order], others[order]
        self._numbers = {state: number for number, state in enumerate(states)}
        self._distances = distances
        self._asked = Labels()
        self._at = 0

    def next(self, labels: Labels, passed: frozenset[Pair] = frozenset()) -> Pair | None:
        """Return the next pair without an answer, but for some; None when all have one."""
        self._go_on(labels)
        for at in range(self._at, len(self._ones)):
            pair = self._pair(at)
            if pair not in passed and labels.label(*pair) is None:
                return pair
        return None

    def distance(self, one: str, other: str) -> float:
        """Return how far apart two states look."""
        return float(self._distances[self._numbers[one], self._numbers[other]])

    def _go_on(self, labels: Labels) -> None:
        """Move to the first pair without an answer; when one was taken back, from the start."""
        before = len(self._asked.judgements)
        if labels.judgements[:before] != self._asked.judgements or labels.rest < self._asked.rest:
            self._at = 0
        while self._at < len(self._ones) and labels.label(*self._pair(self._at)) is not None:
            self._at += 1
        self._asked = labels

    def _pair(self, at: int) -> Pair:
        return self._states[self._ones[at]], self._states[self._others[at]]
