"""Columns, against lists."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core import column
from statecrawl.core.column import Column
from statecrawl.core.shelf import InMemory

numbers = st.integers(0, 2**32 - 1)


@pytest.fixture(autouse=True, scope="module")
def _few_in_memory() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(column, "CHUNK", 3)
        patching.setattr(column, "LATEST", 6)
        yield


@given(
    st.lists(st.one_of(numbers, st.lists(numbers, max_size=20)), max_size=20),
    st.lists(st.tuples(st.integers(0, 99), numbers), max_size=20),
    st.integers(0, 99),
    st.integers(0, 99),
)
def test_they_are_what_lists_are(
    given_: list[int | list[int]], changes: list[tuple[int, int]], start: int, stop: int
) -> None:
    known, expected = Column("I", InMemory(), [1, 2]), [1, 2]
    for each in given_:
        if isinstance(each, int):
            known.append(each)
            expected.append(each)
        else:
            known.extend(each)
            expected += each
    for place, number in changes:
        if place < len(expected):
            known[place] = expected[place] = number
    assert list(known) == expected
    assert [known[place] for place in range(len(known))] == expected
    assert list(known.part(start, stop)) == expected[start:stop]


def test_what_is_not_there_is_an_error() -> None:
    known = Column("i", InMemory(), range(20))
    for place in (-1, 20):
        with pytest.raises(IndexError):
            known[place]


def test_little_is_in_memory() -> None:
    shelf = InMemory()
    known = Column("B", shelf, range(100))
    assert known[0] == 0
    data = shelf.get(0, 100)
    assert len(data) >= 100 - column.LATEST
    shelf.replace(0, bytes(len(data)))
    assert not any(known.part(0, len(data)))
