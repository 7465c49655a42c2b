"""Rolls of texts, against lists and dictionaries."""

import tracemalloc
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core import column, roll
from statecrawl.core.roll import Packed, Roll
from statecrawl.core.shelf import InMemory
from statecrawl.storage.shelf import FileShelf

FEW = 3


@pytest.fixture(autouse=True, scope="module")
def _few_unpacked() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(roll, "UNPACKED", FEW)
        yield


any_text = st.text(st.characters(codec=None), max_size=6)
digits = st.text("0aA9 fé", max_size=4)  # of which some are hexadecimal as we write them
ids = st.integers(0, 2**64 - 1).map("{:016x}".format)
texts = st.one_of(any_text, digits, ids)


@given(st.lists(texts, unique=True, max_size=30), st.lists(st.integers(0, 29), max_size=60), texts)
def test_every_text_has_its_number_and_every_number_its_text(
    given_: list[str], asked: list[int], other: str
) -> None:
    known = Roll(given_[:10])
    for number, text in enumerate(given_[10:], len(known)):
        assert known.number(text) is None
        assert known.append(text) == number
    for number in asked:
        if number < len(given_):
            assert known[number] == given_[number]
            assert known.number(given_[number]) == known.numbers[given_[number]] == number
    assert list(known) == given_
    assert len(known) == len(given_)
    assert (other in known) == (other in given_)


@given(st.lists(texts, max_size=30))
def test_what_is_added_again_keeps_its_number(given_: list[str]) -> None:
    known, numbers = Roll(), dict[str, int]()
    assert [known.add(text) for text in given_] == [
        numbers.setdefault(text, len(numbers)) for text in given_
    ]


@given(st.lists(texts, max_size=30))
def test_packed_texts_are_what_they_were(given_: list[str]) -> None:
    packed = Packed(InMemory())
    for text in given_:
        packed.append(text)
    assert [packed[number] for number in range(len(packed))] == given_


def test_what_is_not_there_is_an_error() -> None:
    known = Roll(["a", "b", "c", "d"])
    with pytest.raises(KeyError):
        known.numbers["e"]
    for number in (-1, 4):
        with pytest.raises(IndexError):
            known[number]


def test_an_id_takes_a_few_bytes_more_than_it_has() -> None:
    assert _taken_by(20_000, Roll()) < 36 * 20_000


def test_an_id_on_a_shelf_takes_hardly_any_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(column, "LATEST", column.CHUNK)
    known = Roll(shelf=FileShelf(tmp_path))
    assert _taken_by(20_000, known) < 8 * 20_000
    assert known.number(_id(5)) == 5
    assert known[5] == _id(5)


def _id(number: int) -> str:
    return blake2b(str(number).encode(), digest_size=8).hexdigest()


def _taken_by(count: int, known: Roll) -> int:
    """Append so many ids, and return how much memory that took."""
    tracemalloc.start()
    for number in range(len(known), len(known) + count):
        known.append(_id(number))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size
