"""What follows from answers, which of them contradict each other, and which pair is asked next."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.calibration.labels import Answer, Basis, ContradictionError, Judgement, Labels
from statecrawl.calibration.questions import Questions

CLONE, NEAR, DISTINCT = Answer
STATES = "abcdef"
pairs = st.sampled_from(list(combinations(STATES, 2)))
judgements = st.lists(
    st.builds(lambda p, a: Judgement(p[0], p[1], a), pairs, st.sampled_from(Answer))
)


def labels(*said: tuple[str, Answer]) -> Labels:
    return Labels(Judgement(pair[0], pair[1], answer) for pair, answer in said)


def test_a_clone_of_a_clone_is_a_clone_and_has_its_answers() -> None:
    found = labels(("ab", CLONE), ("bc", CLONE), ("cd", NEAR), ("ae", DISTINCT))
    assert found.label("a", "c") == (CLONE, Basis.SURE)
    assert found.label("d", "a") == (NEAR, Basis.SURE)
    assert found.label("e", "c") == (DISTINCT, Basis.SURE)
    assert found.label("a", "b") == (CLONE, Basis.TOLD)
    assert found.label("d", "e") == (DISTINCT, Basis.LIKELY)
    assert found.label("a", "f") is None


def test_near_is_not_transitive_but_likely_to_be() -> None:
    found = labels(("ab", NEAR), ("bc", NEAR))
    assert found.label("a", "c") == (NEAR, Basis.LIKELY)
    told = labels(("ab", NEAR), ("bc", NEAR), ("ac", DISTINCT))
    assert told.label("a", "c") == (DISTINCT, Basis.TOLD)
    assert told.label("a", "b") == (NEAR, Basis.TOLD)


@pytest.mark.parametrize(
    "said",
    [
        (("ab", CLONE), ("bc", CLONE), ("ac", DISTINCT)),
        (("ac", DISTINCT), ("ab", CLONE), ("bc", CLONE)),
        (("ab", CLONE), ("ac", NEAR), ("bc", DISTINCT)),
        (("aa", NEAR),),
    ],
)
def test_what_can_not_all_be_true_is_said_in_one_line(said: tuple[tuple[str, Answer], ...]) -> None:
    with pytest.raises(ContradictionError) as found:
        labels(*said)
    assert "\n" not in str(found.value)
    assert "take" in str(found.value)


def test_of_two_answers_about_one_pair_the_later_counts() -> None:
    found = labels(("ab", CLONE), ("ba", DISTINCT))
    assert found.label("a", "b") == (DISTINCT, Basis.TOLD)


@given(said=judgements)
def test_labels_are_symmetric_and_told_answers_stand(said: list[Judgement]) -> None:
    try:
        found = Labels(said)
    except ContradictionError:
        return
    for one, other in combinations(STATES, 2):
        assert found.label(one, other) == found.label(other, one)
    assert found.count(STATES) == len(list(found.all(STATES)))
    for pair, judgement in found.told.items():
        label = found.label(*pair)
        assert label is not None
        near_among_clones = (judgement.answer, label.answer) == (NEAR, CLONE)
        assert label.answer is judgement.answer or near_among_clones


@given(bins=st.lists(st.integers(0, 3), min_size=2, max_size=9), noise=st.integers(0, 5))
@settings(max_examples=60)
def test_who_answers_what_is_asked_labels_every_pair_right_with_few_answers(
    bins: list[int], noise: int
) -> None:
    states = [f"s{number}" for number in range(len(bins))]
    true = dict(zip(states, bins, strict=True))

    def distance(one: str, other: str) -> float:
        wrong = (int(one[1:]) * 7 + int(other[1:]) * 3) % 10 < noise
        return float((true[one] != true[other]) != wrong)

    table = np.array([[distance(one, other) for other in states] for one in states])
    questions, found, asked = Questions(states, table), Labels(), 0
    while (pair := questions.next(found)) is not None:
        answer = NEAR if true[pair[0]] == true[pair[1]] else DISTINCT
        found, asked = found.plus(Judgement(*pair, answer)), asked + 1
    assert found.count(states) == len(states) * (len(states) - 1) // 2
    for one, other in combinations(states, 2):
        label = found.label(one, other)
        assert label is not None
        assert (label.answer is NEAR) == (true[one] == true[other])
    if not noise:
        kinds = len(set(bins))
        assert asked == len(bins) - kinds + kinds * (kinds - 1) // 2


def test_taking_back_an_answer_asks_again() -> None:
    questions = Questions("abc", np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]]))
    assert questions.next(Labels()) == ("a", "b")
    assert questions.next(labels(("ab", DISTINCT))) == ("b", "c")
    assert questions.next(Labels()) == ("a", "b")
    assert questions.next(Labels(), frozenset([("a", "b")])) == ("b", "c")
    assert questions.next(Labels(rest=True)) is None
