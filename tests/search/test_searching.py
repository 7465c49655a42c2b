"""What is found, in which order, and that several indexes answer as one."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statecrawl.errors import InputError
from statecrawl.search.documents import Hop
from statecrawl.search.index import Index
from statecrawl.search.searching import PER_URL, search
from tests.search.library import Document, in_memory, made

WORDS = ("a", "b", "c", "d", "e")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@st.composite
def libraries(draw: st.DrawFn) -> list[tuple[int, Document]]:
    """Documents, each with the shard that it goes to; many are alike, or as good as others."""
    count = draw(st.integers(0, 25))
    return [
        (
            draw(st.integers(0, 3)),
            made(
                f"s{number}",
                *draw(st.lists(TEXTS, min_size=1, max_size=3)),
                url=f"http://site/{draw(st.integers(0, 6))}",
                title=draw(st.sampled_from(["", "a", "b c"])),
                prior=draw(st.sampled_from([1.0, 1.123, 1.5])),
                near=draw(st.sampled_from(["", "", "s0", "s1"])),
            ),
        )
        for number in range(count)
    ]


QUERIES = st.sampled_from(
    [
        "a",
        "a b",
        '"a b"',
        "a OR b OR c",
        "a -b",
        "title:b c",
        "url:3 a",
        "(a b) OR (c -d)",
        "a b c d",
    ]
)


def ranked(indexes: list[Index], query: str, limit: int) -> tuple[int, list[tuple[object, ...]]]:
    found = search(indexes, query, limit)
    return found.total, [(r.url, r.state, r.score, r.excerpt, r.alike) for r in found.best]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(libraries(), QUERIES, st.sampled_from([1, 3, 20]))
def test_four_shards_answer_as_one_index_order_included(
    library: list[tuple[int, Document]], query: str, limit: int
) -> None:
    whole = in_memory(document for _, document in library)
    shards = [
        in_memory(document for shard, document in library if shard == number) for number in range(4)
    ]
    assert ranked(shards, query, limit) == ranked([whole], query, limit)


def states(documents: list[Document], query: str, limit: int = 10) -> list[str]:
    return [result.state for result in search([in_memory(documents)], query, limit).best]


LIBRARY = [
    made("ride", "Morcheeba", "enjoy the ride", title="Enjoy"),
    made("singer", "Morcheeba", "the new singer"),
    made("other", "ride the bus", label="ride"),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("morcheeba", {"ride", "singer"}),
        ("MORCHEEBA singer", {"singer"}),
        ('"the ride"', {"ride"}),
        ('"ride enjoy"', set()),
        ("singer OR bus", {"singer", "other"}),
        ("ride -morcheeba", {"other"}),
        ("ride NOT (bus OR enjoy)", set()),
        ("title:enjoy", {"ride"}),
        ("url:site/other", {"other"}),
        ("event:ride", {"other"}),
        ("ride OR NOT the", {"ride", "other"}),
        ("nothing", set()),
    ],
)
def test_what_is_found(query: str, found: set[str]) -> None:
    assert set(states(LIBRARY, query)) == found


def test_a_phrase_stands_in_one_element() -> None:
    assert states([made("s", "enjoy the", "ride")], '"the ride"') == []


@pytest.mark.parametrize(
    ("better", "worse", "query"),
    [
        (("cat cat dog",), ("cat bird dog",), "cat"),  # more often
        (("cat dog",), ("cat dog and much more to read",), "cat"),  # in less text
        (("x cat dog y z",), ("cat x y z dog",), "cat dog"),  # in a row
        (("cat x dog y y y y y y y",), ("cat y y y y y y y x dog",), "cat dog"),  # close
    ],
)
def test_which_comes_first(better: tuple[str, ...], worse: tuple[str, ...], query: str) -> None:
    documents = [made("1", *worse), made("2", *better), *(made(f"n{n}", "no") for n in range(5))]
    assert states(documents, query)[0] == "2"


def test_a_rare_word_is_worth_more() -> None:
    documents = [made("1", "common x"), made("2", "rare x"), made("3", "common y")]
    assert states(documents, "common OR rare")[0] == "2"


def test_a_likelier_state_comes_first_and_equal_ones_by_url_and_state() -> None:
    likely = [made("b", "x", prior=1.4), made("a", "x y", url="http://site/0", prior=1.4)]
    equal = [made(f"s{n:02}", f"x {chr(0x61 + n)}x", url="http://site/z") for n in range(25, 0, -1)]
    found = states([*equal, *likely], "x", 5)
    assert found == ["b", "a", "s01", "s02", "s03"]


def test_states_of_one_url_stand_together_and_leave_room_for_others() -> None:
    many = [made(f"m{n}", f"x x {chr(0x61 + n)}", url="http://site/m") for n in range(8)]
    few = [made(f"f{n}", f"x y more {chr(0x61 + n)}", url=f"http://site/f{n}") for n in range(3)]
    assert states([*many, *few], "x", 5) == ["m0", "m1", "m2", "f0", "f1"]
    assert PER_URL == 3
    assert states([*many, *few], "x", 20)[:8] == [f"m{n}" for n in range(8)]


def test_those_that_show_the_same_are_shown_once() -> None:
    found = search([in_memory([made("a", "x y"), made("b", "x y"), made("c", "x")])], "x", 10)
    assert [(result.state, result.alike) for result in found.best] == [("c", 0), ("a", 1)]
    assert found.total == 3


def test_those_that_differ_in_numbers_only_are_shown_once() -> None:
    pages = [made("a", "x at 11:59, 3 new"), made("b", "x at 12:00, 14 new"), made("c", "x at")]
    found = search([in_memory(pages)], "x", 10).best
    assert [(result.state, result.alike) for result in found] == [("c", 0), ("a", 1)]


def test_near_duplicates_are_shown_once_where_they_have_the_words_in_the_same_passages() -> None:
    def page(state: str, comment: str, near: str = "n", url: str = "http://site/v") -> Document:
        return made(state, "the ride", comment, url=url, near=near)

    pages = [
        page("a", "lovely"),
        page("b", "mysterious"),
        page("c", "what a ride"),
        page("d", "strange", near="other"),
        page("e", "strange", near=""),
        page("f", "peculiar", url="http://site/w"),
    ]
    index = in_memory(pages)
    found = {result.state: result.alike for result in search([index], "ride", 10).best}
    assert found == {"a": 1, "c": 0, "d": 1, "f": 0}
    found = {result.state: result.alike for result in search([index], "mysterious", 10).best}
    assert found == {"b": 0}


def test_a_result_says_where_the_words_stand_and_how_to_get_there() -> None:
    start, content = made("start", "page one")
    later, text = made("later", "first of all", "here is the Singer", url="http://site/start")
    by_next = replace(later, hop=Hop("start", "click next", "Next", "click"))
    documents = [(start, content), (by_next, text)]
    (result,) = search([in_memory(documents)], "SINGER", 10).best
    shown = result.to_json()
    assert (shown["snippet"], shown["marks"]) == ("here is the Singer", [[12, 18]])
    assert shown["elements"] == ["html/body[1]/p[2]"]
    assert (shown["entry"], shown["path"], shown["labels"]) == (
        "http://site/start", ["click next"], ["Next"],
    )  # fmt: skip


def test_a_word_that_is_only_begun_finds_what_begins_so() -> None:
    index = in_memory([made("1", "mysterious ride"), made("2", "mystic"), made("3", "other")])
    found = search([index], "myst", 10, is_typed=True)
    assert {result.state for result in found.best} == {"1", "2"}
    assert set(found.words) == {"mysterious", "mystic"}
    assert search([index], "myst", 10).total == 0


def test_a_limit_out_of_bounds_is_refused() -> None:
    for limit in (0, -1, 1001):
        with pytest.raises(InputError, match="--limit"):
            search([], "x", limit)


def test_no_index_no_result() -> None:
    assert search([in_memory([])], "x", 10).best == ()
