"""Numbers found by hashes, against dictionaries."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.shelf import InMemory
from statecrawl.core.table import Table

# Those alike in their last bits are in one bucket, of which there is room for some.
alike = st.integers(0, 200).map(lambda n: n << 20)
hashes = st.one_of(alike, st.integers(-(2**63), 2**63 - 1), st.just(5))


@given(st.lists(hashes, max_size=400), hashes)
def test_whoever_has_a_hash_is_among_those_that_may(given_: list[int], other: int) -> None:
    table, numbers = Table(InMemory()), defaultdict[int, list[int]](list)
    for number, hashed in enumerate(given_):
        table.add(number, hashed)
        numbers[hashed].append(number)
    assert len(table) == len(given_)
    for hashed in (*numbers, other):
        assert set(numbers[hashed]) <= set(table.candidates(hashed)) <= set(range(len(given_)))


def test_many_with_one_hash_are_found() -> None:
    table = Table(InMemory())
    for number in range(300):
        table.add(number, 7)
    assert sorted(table.candidates(7)) == list(range(300))
    assert not list(table.candidates(8))
