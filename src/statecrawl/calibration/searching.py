"""Searches of parameters: the best size and threshold without measuring the whole grid."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple, TypeVar

from statecrawl.calibration.grids import Family
from statecrawl.errors import InputError

Thing = TypeVar("Thing")
CHILDREN = 30
CURIOSITY = 2.0
MAX_TRIES = 20
"""So many proposals there are for each one that is measured: those known already are left."""


class Point(NamedTuple):
    """A place in a space: which family, which of its sizes, which of its thresholds."""

    family: int
    size: int
    threshold: int


class Candidate(NamedTuple):
    """An equivalence with a threshold."""

    equivalence: str
    threshold: float


Loss = Callable[[Candidate], float]
"""What a search makes small."""


class Space:
    """All equivalences and thresholds of some families, as points that can be mixed."""

    def __init__(self, families: Sequence[Family]) -> None:
        self.families = families

    @cached_property
    def size(self) -> int:
        """How many candidates there are: what a whole grid would measure."""
        return sum(len(each.sizes) * len(each.thresholds) for each in self.families)

    def points(self) -> Iterator[Point]:
        """Yield every point."""
        for number, family in enumerate(self.families):
            for size in range(len(family.sizes)):
                for threshold in range(len(family.thresholds)):
                    yield Point(number, size, threshold)

    def candidate(self, point: Point) -> Candidate:
        """Return the candidate at a point."""
        family = self.families[point.family]
        cell = family.cell(family.sizes[point.size])
        return Candidate(cell.equivalence, family.thresholds[point.threshold])

    def at(self, family: int, size: float, threshold: float) -> Point:
        """Return the point that lies so far along the sizes and thresholds of a family (0 to 1)."""
        sizes, thresholds = self.families[family].sizes, self.families[family].thresholds
        return Point(family, _place(size, len(sizes)), _place(threshold, len(thresholds)))


def _place(share: float, count: int) -> int:
    return min(count - 1, max(0, int(share * count)))


class Found(NamedTuple):
    """The best that a search found, and all that it measured."""

    best: Candidate
    loss: float
    measured: Mapping[Candidate, float]


class Ledger:
    """Measures each candidate once, as long as there is something left to spend."""

    def __init__(self, loss: Loss, budget: int) -> None:
        self._loss = loss
        self._budget = budget
        self.measured: dict[Candidate, float] = {}

    @property
    def is_spent(self) -> bool:
        """Tell whether nothing more may be measured."""
        return len(self.measured) >= self._budget

    def __call__(self, candidate: Candidate) -> float:
        """Return the loss of a candidate; infinite for a new one when all is spent."""
        if candidate not in self.measured:
            if self.is_spent:
                return float("inf")
            self.measured[candidate] = self._loss(candidate)
        return self.measured[candidate]

    @property
    def found(self) -> Found:
        """The best so far; of equals the first."""
        best = min(self.measured, key=self.measured.__getitem__)
        return Found(best, self.measured[best], self.measured)


Search = Callable[[Space, Loss, int, int], Found]
"""Takes a space, what to make small, how many candidates to measure, and a seed."""


def genetic(space: Space, loss: Loss, budget: int, seed: int) -> Found:
    """Breed points: children have the size of one parent and the threshold of another, moved a bit.

    Better families and better points in them are parents more often, but none is given up. Of many
    children only the most promising is measured, going by what was measured around it.
    """
    chance, ledger = Random(seed), Ledger(loss, budget)  # noqa: S311 - no secret
    scored = {p: ledger(space.candidate(p)) for p in _spread(space, chance, budget // 3)}
    for _ in range(MAX_TRIES * budget):
        if ledger.is_spent:
            break
        children = {_child(space, scored, chance) for _ in range(CHILDREN)} - set(scored)
        if children:
            child = min(sorted(children), key=lambda point: _promise(space, scored, point))
            scored[child] = ledger(space.candidate(child))
    return ledger.found


def _child(space: Space, scored: Mapping[Point, float], chance: Random) -> Point:
    """Return a point a few steps from where two good points of one family meet."""
    families: dict[int, list[Point]] = {}
    for point in sorted(scored, key=scored.__getitem__):
        families.setdefault(point.family, []).append(point)
    family = _drawn(list(families.values()), chance)
    one, other = _drawn(family, chance), _drawn(family, chance)
    place = space.families[one.family]

    def moved(at: int, count: int) -> int:
        return min(count - 1, max(0, at + round(chance.gauss(0, max(0.8, count / 5)))))

    return Point(
        one.family, moved(one.size, len(place.sizes)), moved(other.threshold, len(place.thresholds))
    )


def _drawn(ranked: Sequence[Thing], chance: Random) -> Thing:
    """Draw one of a list that begins with the best."""
    return ranked[int(len(ranked) * chance.random() ** 2)]


def _promise(space: Space, scored: Mapping[Point, float], point: Point) -> float:
    """Return what to expect at a point: its neighbours' loss, less where nobody has looked."""
    place = space.families[point.family]
    losses = sorted(scored.values())
    total = weights = 0.0
    nearest = math.inf
    for other, value in scored.items():
        if other.family == point.family:
            away = math.hypot(
                (other.size - point.size) / len(place.sizes),
                (other.threshold - point.threshold) / len(place.thresholds),
            )
            nearest = min(nearest, away)
            total += value / away**3
            weights += 1 / away**3
    return total / weights - CURIOSITY * nearest * (losses[len(losses) // 2] - losses[0])


def _spread(space: Space, chance: Random, count: int) -> list[Point]:
    """Return points of every family, each in another part of its sizes and thresholds."""
    rounds = max(1, count // len(space.families))
    points = []
    for family in range(len(space.families)):
        rows, columns = (chance.sample(range(rounds), rounds) for _ in range(2))
        for row, column in zip(rows, columns, strict=True):
            place = ((part + chance.random()) / rounds for part in (row, column))
            points.append(space.at(family, *place))
    return list(dict.fromkeys(points))


def optuna(space: Space, loss: Loss, budget: int, seed: int) -> Found:
    """Let Optuna's tree-structured Parzen estimator propose candidates."""
    try:
        import optuna as library  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError("this search needs optuna: pip install 'statecrawl[lab]'") from None
    library.logging.set_verbosity(library.logging.ERROR)
    ledger = Ledger(loss, budget)

    def tried(trial: library.Trial) -> float:
        number = trial.suggest_categorical("family", list(range(len(space.families))))
        size = trial.suggest_float(f"size {number}", 0, 0.999)
        threshold = trial.suggest_float(f"threshold {number}", 0, 0.999)
        value = ledger(space.candidate(space.at(number, size, threshold)))
        if ledger.is_spent:
            trial.study.stop()
        return value if value < float("inf") else 1e9

    sampler = library.samplers.TPESampler(seed=seed, n_startup_trials=max(5, budget // 4))
    study = library.create_study(sampler=sampler)
    study.optimize(tried, n_trials=MAX_TRIES * budget)
    return ledger.found


SEARCHES: dict[str, Search] = {"genetic": genetic, "optuna": optuna}
