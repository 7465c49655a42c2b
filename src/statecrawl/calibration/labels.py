"""What people said about pairs of states, and what follows from it.

A clone of a clone is a clone, and clones have the same answer to every other state: that is sure.
Near-duplicates are not transitive, so what follows from them is only likely: whoever is asked and
says otherwise is right.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from statecrawl.errors import InputError

Pair = tuple[str, str]


class Answer(StrEnum):
    """What two states are to each other."""

    CLONE = "clone"
    NEAR = "near-duplicate"
    DISTINCT = "distinct"


class Basis(StrEnum):
    """How an answer is known."""

    TOLD = "told"
    SURE = "sure"
    LIKELY = "likely"


class Judgement(NamedTuple):
    """What somebody said about two states, and when (seconds since 1970)."""

    one: str
    other: str
    answer: Answer
    by: str = ""
    at: float = 0.0

    @property
    def pair(self) -> Pair:
        """The two states, in one order whichever was named first."""
        return pair_of(self.one, self.other)


class Label(NamedTuple):
    """An answer, and how it is known."""

    answer: Answer
    basis: Basis


class ContradictionError(InputError):
    """Answers that can't all be true."""


def pair_of(one: str, other: str) -> Pair:
    """Return two states as a pair, in one order."""
    return (one, other) if one <= other else (other, one)


class Labels:
    """All answers, told and inferred; of two answers about one pair the later counts.

    With `rest`, whatever nobody said anything about is likely distinct.
    """

    def __init__(self, judgements: Iterable[Judgement] = (), *, rest: bool = False) -> None:
        self.judgements = tuple(judgements)
        self.rest = rest
        self.told = {each.pair: each for each in self.judgements}
        if any(one == other for one, other in self.told):
            raise ContradictionError("a state was compared with itself: take that answer out")
        clones = (each.pair for each in self.told.values() if each.answer is Answer.CLONE)
        self._clones = _Groups(clones)
        self._between: dict[Pair, Judgement] = {}
        for judgement in self.told.values():
            self._take(judgement)
        near = (pair for pair, each in self._between.items() if each.answer is Answer.NEAR)
        self._alike = _Groups(near)
        self._apart = {
            pair_of(*map(self._alike.of, pair))
            for pair, each in self._between.items()
            if each.answer is Answer.DISTINCT
        }

    def _take(self, judgement: Judgement) -> None:
        """Note what was said about two groups of clones, if it goes with the rest."""
        pair = pair_of(*map(self._clones.of, judgement.pair))
        if judgement.answer is Answer.CLONE or (
            pair[0] == pair[1] and judgement.answer is Answer.NEAR
        ):
            return
        if pair[0] == pair[1]:
            raise ContradictionError(
                f"{_said(judgement)}, but they are clones by other answers: "
                "take back one of these answers"
            )
        before = self._between.setdefault(pair, judgement)
        if before.answer is not judgement.answer:
            raise ContradictionError(
                f"{_said(judgement)}, but {_said(before)}, and clones have the same answers: "
                "take back one of these answers"
            )

    def label(self, one: str, other: str) -> Label | None:
        """Return what two states are to each other; None when nobody can tell yet."""
        judgement = self.told.get(pair_of(one, other))
        clones = self._clones.of(one), self._clones.of(other)
        if clones[0] == clones[1]:
            is_told = judgement is not None and judgement.answer is Answer.CLONE
            return Label(Answer.CLONE, Basis.TOLD if is_told else Basis.SURE)
        known = self._between.get(pair_of(*clones))
        if known is not None:
            return Label(known.answer, Basis.SURE if judgement is None else Basis.TOLD)
        groups = self._alike.of(clones[0]), self._alike.of(clones[1])
        if groups[0] == groups[1]:
            return Label(Answer.NEAR, Basis.LIKELY)
        if self.rest or pair_of(*groups) in self._apart:
            return Label(Answer.DISTINCT, Basis.LIKELY)
        return None

    def plus(self, *judgements: Judgement) -> "Labels":
        """Return these labels and more; ContradictionError when they can't be true as well."""
        return Labels((*self.judgements, *judgements), rest=self.rest)

    def group(self, state: str) -> str:
        """Return the state that names all that are alike by somebody's word, near or clone."""
        return self._alike.of(self._clones.of(state))

    def count(self, states: Sequence[str]) -> int:
        """Return how many pairs of these states have a label."""
        if self.rest:
            return len(states) * (len(states) - 1) // 2
        sizes = Counter(map(self.group, states))
        inside = sum(size * (size - 1) // 2 for size in sizes.values())
        return inside + sum(sizes[one] * sizes[other] for one, other in self._apart if one != other)

    def all(self, states: Sequence[str]) -> Iterator[tuple[Pair, Label]]:
        """Yield every pair of these states that has a label."""
        for number, one in enumerate(states):
            for other in states[number + 1 :]:
                label = self.label(one, other)
                if label is not None:
                    yield (one, other), label


def _said(judgement: Judgement) -> str:
    who = judgement.by or "somebody"
    return f"{who} said that {judgement.one} and {judgement.other} are {judgement.answer}"


class _Groups:
    """States that belong together, each group under the name of one of them."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._above: dict[str, str] = {}
        for one, other in pairs:
            self._above[self.of(one)] = self.of(other)

    def of(self, state: str) -> str:
        """Return the name of a state's group."""
        top = state
        while (above := self._above.get(top, top)) != top:
            top = above
        while self._above.get(state, top) != top:
            self._above[state], state = top, self._above[state]
        return top
