"""Packed rows."""

import pytest

from statecrawl.core.rows import Rows, Texts
from statecrawl.core.shelf import InMemory


@pytest.mark.parametrize("large", [1, 2**16 - 1, 2**16, 2**31 - 1])
def test_rows_are_what_was_put_in_however_large_their_numbers_become(large: int) -> None:
    rows: Rows[str] = Rows(InMemory())
    put = [{"a": 1, "b": 2}, {}, {"b": 3, "a": 0}, {"a": large}, {"a": 4, "b": 5}]
    for row in put:
        rows.append(row)
    assert [rows[number] for number in range(len(rows))] == put
    assert list(rows[2]) == ["b", "a"]
    rows[0] = {"c": 6}
    assert [rows[number] for number in range(len(rows))] == [{"c": 6}, *put[1:]]


def test_texts_can_be_replaced_and_are_read_again_as_they_were() -> None:
    texts = Texts(InMemory())
    put = [{"menu": "x", "page": "y"}, {}, {"page": "x"}]
    for each in put:
        texts.append(each)
    assert list(texts) == put
    assert texts[2] == put[2]
    texts[1] = {"menu": "z"}
    assert list(texts) == [put[0], {"menu": "z"}, put[2]]
