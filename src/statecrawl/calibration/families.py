"""Equivalences with thresholds to measure them at, and families of them: surfaces of figures."""

from typing import NamedTuple

import numpy as np

from statecrawl.calibration.measures import BASELINES, measure_of

STEPS = 40
"""Into so many thresholds a distance is divided where nobody says otherwise."""


class Cell(NamedTuple):
    """An equivalence by its name, and the thresholds to look at."""

    equivalence: str
    thresholds: tuple[float, ...]


class Family(NamedTuple):
    """Equivalences that differ in the size of their shingles: one surface in a figure."""

    name: str
    unit: str
    sizes: tuple[int, ...]
    thresholds: tuple[float, ...]
    more: str = ""

    @property
    def title(self) -> str:
        """What the family is called."""
        return f"{self.name}, {self.unit}"

    def cell(self, size: int) -> Cell:
        """Return the equivalence with this size."""
        return Cell(f"{self.name}:{self.more}unit={self.unit},size={size}", self.thresholds)


def _up_to(last: float, step: float, first: float) -> tuple[float, ...]:
    count = round((last - first) / step) + 1
    return tuple(round(first + step * number, 6) for number in range(count))


def _sizes(last: int) -> tuple[int, ...]:
    return tuple(range(1, last + 1))


SHORT = "bits=32,"
"""The thesis has fingerprints of 32 bits."""

THESIS = (
    Family("crawlhash", "words", _sizes(9), _up_to(8, 1, 1), SHORT),
    Family("crawlhash", "sentences", _sizes(6), _up_to(14, 1, 1), SHORT),
    Family("crawlhash", "chars", _sizes(15), _up_to(5, 1, 1), SHORT),
    Family("broder", "words", _sizes(7), _up_to(0.4, 0.05, 0.05)),
    Family("broder", "sentences", _sizes(5), _up_to(0.3, 0.05, 0.2)),
    Family("broder", "chars", _sizes(9), _up_to(0.65, 0.05, 0.0)),
)
"""Figures 9 to 15: sizes and thresholds as they were tested there."""

WIDE = (
    *(
        Family("crawlhash", unit, _sizes(last), _up_to(32, 1, 0), SHORT)
        for unit, last in (("words", 9), ("sentences", 6), ("chars", 15))
    ),
    *(
        Family("broder", unit, _sizes(last), _up_to(1, 0.025, 0))
        for unit, last in (("words", 9), ("sentences", 6), ("chars", 15))
    ),
)
"""The same, with every threshold."""

FAMILIES = {"thesis": THESIS, "wide": WIDE}


def whole(spec: str) -> Cell:
    """Return an equivalence with thresholds over the whole of its distance."""
    measure = measure_of(spec)
    if spec in BASELINES and spec != "levenshtein":
        return Cell(spec, (0.0,))
    if measure.farthest > 1:
        return Cell(spec, tuple(float(bits) for bits in range(int(measure.farthest) + 1)))
    steps = np.linspace(0, measure.farthest, STEPS + 1)
    return Cell(spec, tuple(round(float(step), 6) for step in steps))
