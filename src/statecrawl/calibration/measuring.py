"""Measures equivalences on labelled sets, side by side in processes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from statecrawl.calibration.families import Cell
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.measures import EXACT, Measure, measure_of
from statecrawl.calibration.metrics import METRICS, Outcome
from statecrawl.calibration.truth import Truth, truth_of

Load = Callable[[], Sequence[LabelledSet]]
"""Reads the labelled sets; every process does so for itself."""
Told = Callable[[int, int], None]
Figures = Mapping[str, float]


class Result(NamedTuple):
    """What an equivalence with a threshold came to on one application."""

    equivalence: str
    threshold: float
    application: str
    figures: Figures


@dataclass(frozen=True)
class Distances:
    """How far any two pages of a set are apart, and how long it took to tell."""

    table: NDArray[np.float64]
    seconds: float


def distances_of(labelled: LabelledSet, measure: Measure) -> Distances:
    """Return the distances between all pages of a set."""
    began = perf_counter()
    features = [measure.features(page) for page in labelled.pages.values()]
    count = len(features)
    table = np.zeros((count, count))
    for number, one in enumerate(features):
        if others := features[number + 1 :]:
            table[number, number + 1 :] = table[number + 1 :, number] = measure.distances(
                one, others
            )
    return Distances(table, perf_counter() - began)


def _measured(labelled: LabelledSet, equivalence: str) -> Distances:
    return distances_of(labelled, measure_of(equivalence, labelled.pages.values()))


def figures_at(
    truth: Truth, distances: Distances, threshold: float, exact_seconds: float
) -> dict[str, float]:
    """Return every metric for one threshold."""
    outcome = Outcome.of(truth, distances.table <= threshold, distances.seconds, exact_seconds)
    found = {name: float(metric.measure(outcome)) for name, metric in METRICS.items()}
    return {**found, "states": float(len(outcome.kept)), "seconds": distances.seconds}


class Bench:
    """Labelled sets, what they say, and how long plain equality takes on each."""

    def __init__(self, sets: Sequence[LabelledSet]) -> None:
        self.sets = sets
        self._truths = [truth_of(each) for each in sets]
        self._exact = [_measured(each, EXACT).seconds for each in sets]

    def results(self, number: int, cell: Cell) -> list[Result]:
        """Return what an equivalence comes to on one set, for every threshold."""
        labelled = self.sets[number]
        distances = _measured(labelled, cell.equivalence)
        return [
            Result(
                cell.equivalence,
                threshold,
                labelled.name,
                figures_at(self._truths[number], distances, threshold, self._exact[number]),
            )
            for threshold in cell.thresholds
        ]

    def all_results(self, cell: Cell) -> list[Result]:
        """Return what an equivalence comes to on every set, for every threshold."""
        return [result for number in range(len(self.sets)) for result in self.results(number, cell)]


def together(figures: Iterable[Figures]) -> dict[str, float]:
    """Return figures of several applications as one: counts and times summed, shares averaged."""
    rows = list(figures)
    summed = {name for name, metric in METRICS.items() if metric.is_count} | {"states", "seconds"}
    return {
        name: sum(row[name] for row in rows) / (1 if name in summed else len(rows))
        for name in rows[0]
    }


_bench: dict[str, Bench] = {}
"""What a process of the pool has read."""


def _read(load: Load) -> None:
    _bench["read"] = Bench(load())


def _results(job: tuple[int, Cell]) -> list[Result]:
    return _bench["read"].results(*job)


def measured(
    load: Load, sets: Sequence[LabelledSet], cells: Sequence[Cell], processes: int, told: Told
) -> list[Result]:
    """Measure everything on every set; the order of results depends on nothing but the input."""
    jobs = [(number, cell) for number in range(len(sets)) for cell in cells]
    return [result for results in _each(load, sets, jobs, processes, told) for result in results]


def _each(
    load: Load, sets: Sequence[LabelledSet], jobs: Sequence[Any], processes: int, told: Told
) -> Iterator[list[Result]]:
    if processes == 1:
        bench = Bench(sets)
        for done, job in enumerate(jobs):
            told(done, len(jobs))
            yield bench.results(*job)
        return
    # Fresh processes: those that are forked off would inherit our threads' locks.
    with ProcessPoolExecutor(processes, get_context("spawn"), _read, (load,)) as pool:
        for done, results in enumerate(pool.map(_results, jobs)):
            told(done, len(jobs))
            yield results
