"""Searches of parameters: the best equivalence of a space without measuring all of them.

What costs time is to compare the pages, once for each equivalence; all its thresholds are looked at
then. So an evaluation is an equivalence at its best threshold, in a grid as in a search.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from statecrawl.calibration.families import Cell
from statecrawl.calibration.spaces import Point, Space
from statecrawl.errors import InputError

Thing = TypeVar("Thing")
FIRST = 0.3
"""Such a share of the evaluations is spread over the space before anything is bred."""
NEAR = 0.5
"""Such a share of what is measured then are neighbours of the best points."""
ELITE = 2
MAX_TRIES = 50
"""So many proposals there are for each one that is measured: those known already are left."""

Loss = Callable[[Cell], float]
"""What a search makes small."""


class Found(NamedTuple):
    """The best that a search found, and all that it measured, by name."""

    best: str
    loss: float
    measured: Mapping[str, float]


class Ledger:
    """Measures each equivalence once, as long as there is something left to spend."""

    def __init__(self, space: Space, loss: Loss, budget: int) -> None:
        self._space = space
        self._loss = loss
        self._budget = budget
        self.measured: dict[str, float] = {}
        self.scored: dict[Point, float] = {}

    @property
    def is_spent(self) -> bool:
        """Tell whether nothing more may be measured."""
        return len(self.measured) >= self._budget

    def is_known(self, point: Point) -> bool:
        """Tell whether the equivalence at a point was measured."""
        return self._space.cell(point).equivalence in self.measured

    def __call__(self, point: Point) -> float:
        """Return the loss at a point; infinite for a new one when all is spent."""
        cell = self._space.cell(point)
        if cell.equivalence not in self.measured:
            if self.is_spent:
                return float("inf")
            self.measured[cell.equivalence] = self._loss(cell)
            self.scored[point] = self.measured[cell.equivalence]
        return self.measured[cell.equivalence]

    @property
    def ranked(self) -> list[Point]:
        """The points measured, best first; of equals the first."""
        return sorted(self.scored, key=self.scored.__getitem__)

    def untried(self, count: int) -> list[Point]:
        """Return the neighbours of the best points that are not known yet."""
        around = (near for best in self.ranked[:count] for near in self._space.neighbours(best))
        return [point for point in dict.fromkeys(around) if not self.is_known(point)]

    @property
    def found(self) -> Found:
        """The best so far; of equals the first."""
        best = min(self.measured, key=self.measured.__getitem__)
        return Found(best, self.measured[best], self.measured)


Search = Callable[[Space, Loss, int, int], Found]
"""Takes a space, what to make small, how many equivalences to measure, and a seed."""


def genetic(space: Space, loss: Loss, budget: int, seed: int) -> Found:
    """Breed points: children have each gene from one of two good parents, some genes change.

    In between the neighbours of the best are looked at, which differ from them in one gene.
    """
    chance, ledger = Random(seed), Ledger(space, loss, budget)  # noqa: S311 - no secret
    for point in _spread(space, chance, max(2, round(FIRST * budget))):
        ledger(point)
    for _ in range(MAX_TRIES * budget):
        if ledger.is_spent:
            break
        near = ledger.untried(ELITE) if chance.random() < NEAR else []
        ledger(chance.choice(near) if near else _child(space, ledger.ranked, chance))
    return ledger.found


def _child(space: Space, ranked: Sequence[Point], chance: Random) -> Point:
    """Return what two good points have between them, with some genes changed."""
    parents = (_drawn(ranked, chance), _drawn(ranked, chance))
    genes = [chance.choice(pair) for pair in zip(*parents, strict=True)]
    for number, gene in enumerate(space.genes):
        if chance.random() < 1 / len(genes):
            genes[number] = chance.randrange(len(gene.values))
    return tuple(genes)


def _drawn(ranked: Sequence[Thing], chance: Random) -> Thing:
    """Draw one of a list that begins with the best, the better the more often."""
    return ranked[int(len(ranked) * chance.random() ** 3)]


def _spread(space: Space, chance: Random, count: int) -> list[Point]:
    """Return points in which every value of every gene is about equally often."""
    columns = []
    for gene in space.genes:
        values = [number % len(gene.values) for number in range(count)]
        chance.shuffle(values)
        columns.append(values)
    return list(zip(*columns, strict=True))


def optuna(space: Space, loss: Loss, budget: int, seed: int) -> Found:
    """Let Optuna's tree-structured Parzen estimator propose points, after some spread ones.

    Every other time, and when it proposes what is known, a neighbour of the best is next.
    """
    try:
        import optuna as library  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError("this search needs optuna: pip install 'statecrawl[lab]'") from None
    library.logging.set_verbosity(library.logging.ERROR)
    chance, ledger = Random(seed), Ledger(space, loss, budget)  # noqa: S311 - no secret
    names = [gene.name for gene in space.genes]
    first = _spread(space, chance, max(2, round(FIRST * budget)))

    def tried(trial: library.Trial) -> float:
        point = tuple(
            trial.suggest_int(gene.name, 0, len(gene.values) - 1)
            if gene.is_ordered
            else trial.suggest_categorical(gene.name, tuple(range(len(gene.values))))
            for gene in space.genes
        )
        is_turn = trial.number >= len(first) and (trial.number % 2 or ledger.is_known(point))
        value = ledger(point)
        if is_turn and (near := ledger.untried(1) or ledger.untried(ELITE)):
            trial.study.enqueue_trial(dict(zip(names, chance.choice(near), strict=True)))
        if ledger.is_spent:
            trial.study.stop()
        return value if value < float("inf") else 1e9

    sampler = library.samplers.TPESampler(seed=seed, multivariate=True, n_startup_trials=len(first))
    study = library.create_study(sampler=sampler)
    for point in first:
        study.enqueue_trial(dict(zip(names, point, strict=True)))
    study.optimize(tried, n_trials=MAX_TRIES * budget)
    return ledger.found


SEARCHES: dict[str, Search] = {"genetic": genetic, "optuna": optuna}
