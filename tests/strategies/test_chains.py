"""The worked examples of sections 5.3 and 6.1.1, and what a decomposition must be."""

from math import comb

import pytest

from statecrawl.strategies.chains import is_starter, starters_above, successor


def bits(text: str) -> int:
    """Bit i of the text, from the left, as bit number i."""
    return sum(1 << i for i, bit in enumerate(text) if bit == "1")


def chain_from(dimension: int, starter: int) -> list[int]:
    chain = [starter]
    while (event := successor(dimension, chain[-1])) is not None:
        chain.append(chain[-1] | 1 << event)
    return chain


def test_the_successor_of_the_example() -> None:
    event = successor(10, bits("1100110001"))
    assert event == 6
    assert bits("1100110001") | 1 << event == bits("1100111001")
    assert not is_starter(10, bits("1100110001"))


def test_the_six_chains_of_dimension_four() -> None:
    chains = {
        tuple(
            frozenset(f"e{i + 1}" for i in range(4) if not state >> i & 1)
            for state in chain_from(4, starter)
        )
        for starter in range(16)
        if is_starter(4, starter)
    }
    assert chains == {
        tuple(frozenset(enabled.split()) for enabled in chain.split(","))
        for chain in (
            "e1 e2 e3 e4, e2 e3 e4, e3 e4, e4, ",
            "e1 e2 e3, e2 e3, e3",
            "e1 e2 e4, e2 e4, e2",
            "e1 e2",
            "e1 e3 e4, e1 e4, e1",
            "e1 e3",
        )
    }


@pytest.mark.parametrize("dimension", range(11))
def test_the_chains_are_a_minimum_decomposition(dimension: int) -> None:
    starters = [state for state in range(1 << dimension) if is_starter(dimension, state)]
    chains = [chain_from(dimension, starter) for starter in starters]
    assert len(chains) == comb(dimension, dimension // 2)
    assert sorted(state for chain in chains for state in chain) == list(range(1 << dimension))
    for starter, chain in zip(starters, chains, strict=True):
        assert len(chain) == dimension - 2 * starter.bit_count() + 1


@pytest.mark.parametrize("dimension", range(11))
def test_the_starters_above_a_state_are_those_one_event_away(dimension: int) -> None:
    for state in range(1 << dimension):
        expected = [
            event
            for event in range(dimension)
            if not state >> event & 1 and is_starter(dimension, state | 1 << event)
        ]
        if is_starter(dimension, state):
            assert starters_above(dimension, state) == expected
        else:
            assert starters_above(dimension, state) == []
            assert expected == []
