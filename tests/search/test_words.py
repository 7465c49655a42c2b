"""The words of texts in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.search.words import MAX_LETTERS, placed_words, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Ride, 2nd take_two!", ["the", "ride", "2nd", "take", "two"]),
        ("Café Łódź Straße ΣΟΦΌΣ", ["cafe", "łodz", "strasse", "σοφοσ"]),
        ("\uff26\uff55\uff4c\uff4c width", ["full", "width"]),
        ("東京タワー", ["東", "京", "タ", "ワ", "ー"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("한국어 검색", ["한국어", "검색"]),
        ("a\x00b \x1f \ud800 🎉", ["a", "b"]),
        ("x" * 200, ["x" * MAX_LETTERS]),
    ],
)
def test_the_words_of_a_text(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(st.text())
def test_no_word_is_empty_or_has_a_space_and_all_stand_where_they_are_said_to(text: str) -> None:
    found = words(text)
    placed = list(placed_words(text))
    assert [word.text for word in placed] == found
    assert all(word and len(word.split()) == 1 for word in found)
    ends = [0, *(word.end for word in placed)]
    assert all(end <= word.start < word.end for end, word in zip(ends, placed, strict=False))


@given(st.text())
def test_case_makes_no_difference(text: str) -> None:
    if text.isascii():
        assert words(text.upper()) == words(text.lower())
