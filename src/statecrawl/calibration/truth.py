"""What a labelled set says, as tables: which states are one, and which of them are needed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Answer

Table = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Truth:
    """For every two states of a set whether they are one, and whether anybody knows.

    `needed` are the states that a crawl should end with: the first of those that are one.
    """

    is_same: Table
    is_known: Table
    needed: tuple[int, ...]


def truth_of(labelled: LabelledSet) -> Truth:
    """Return what people said, as tables; clones and near-duplicates are one state."""
    states = list(labelled.pages)
    numbers = {state: number for number, state in enumerate(states)}
    is_same = np.eye(len(states), dtype=np.bool_)
    is_known = np.eye(len(states), dtype=np.bool_)
    for (one, other), label in labelled.labels.all(states):
        a, b = numbers[one], numbers[other]
        is_known[a, b] = is_known[b, a] = True
        is_same[a, b] = is_same[b, a] = label.answer is not Answer.DISTINCT
    return Truth(is_same, is_known, kept(is_same))


def kept(is_same: Table, order: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the states that a crawl keeps: those that are not the same as one it has kept."""
    found: list[int] = []
    for state in range(len(is_same)) if order is None else order:
        if not is_same[state, found].any():
            found.append(state)
    return tuple(found)
