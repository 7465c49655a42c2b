"""What queries ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.errors import InputError
from statecrawl.search.query import All, Either, Query, Row, Without, parse_query, wanted


def row(*words: str, field: str = "text") -> Row:
    return Row(words, field)


A, B, C = row("a"), row("b"), row("c")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a b", All((A, B))),
        ("a AND b", All((A, B))),
        ("a OR b c", Either((A, All((B, C))))),
        ("a NOT b", All((A, Without(B)))),
        ("a -b", All((A, Without(B)))),
        ("a NOT NOT b", All((A, B))),
        ("a -(b OR c)", All((A, Without(Either((B, C)))))),
        ('"a b" c', All((row("a", "b"), C))),
        ("Title:a url:b/c", All((row("a", field="title"), row("b", "c", field="url")))),
        ('heading:"a b" event: c', All((row("a", "b", field="heading"), row("c", field="event")))),
        ("note: a", All((row("note"), A))),
        ("it's", row("it", "s")),
        ("東京", row("東", "京")),
        ('a "b', All((A, B))),
        ("((a", A),
        ("a) b", All((A, B))),
        ("a OR", A),
        ("OR a AND", A),
        ("a & ! b", All((A, B))),
        ("\x00a\x1b[31m b\x7f", All((row("a", "31m"), B))),
    ],
)
def test_what_a_query_asks_for(text: str, query: Query) -> None:
    assert parse_query(text) == query


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no words"),
        (' \t\n"" () OR', "no words"),
        ("🎉 \x00", "no words"),
        ("NOT a", "only what is not wanted"),
        ("-a -b", "only what is not wanted"),
        (" ".join(map(str, range(101))), "101 words"),
        ("word " * 10_000, "characters"),
        ("(" * 5_000 + "a", "parentheses"),
    ],
)
def test_a_query_that_can_not_be_understood_is_told_in_one_line(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        parse_query(text)
    assert "\n" not in str(caught.value)


def test_the_last_word_may_be_only_begun_while_it_is_typed() -> None:
    begun = Row(("ri",), is_begun=True)
    assert parse_query("a ri", is_typed=True) == All((A, begun))
    assert parse_query("a ri ", is_typed=True) == All((A, row("ri")))
    assert parse_query("ri -a", is_typed=True) == All((row("ri"), Without(A)))


@given(st.text(alphabet='ab ()":-ORNOTtitleurl\x00é東', max_size=60), st.booleans())
def test_any_text_is_understood_or_refused(text: str, is_typed: bool) -> None:
    try:
        query = parse_query(text, is_typed=is_typed)
    except InputError:
        return
    assert list(wanted(query))
