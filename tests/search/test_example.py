"""The motivating example of the paper: queries that only states answer."""

from pathlib import Path

import pytest

from statecrawl.compose.search import open_index
from statecrawl.search.documents import outlines
from statecrawl.search.index import Index
from statecrawl.search.searching import search
from statecrawl.storage.sqlite import SqliteStore
from tests.search.youtube import RIDE, write_youtube

Q1 = "Morcheeba Enjoy the Ride"
Q2 = "Morcheeba mysterious video"
Q3 = "Morcheeba Enjoy the Ride Singer"
FIRST_PAGES = {"s1", "t1"}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("search") / "youtube"
    write_youtube(folder)
    return open_index(folder, lambda _done, _of: None)


def found(index: Index, query: str) -> list[tuple[str, str]]:
    return [(result.url, result.state) for result in search([index], query, 10).best]


def test_q1_finds_the_video_as_traditional_search_does(index: Index) -> None:
    assert found(index, Q1)[0] == (RIDE, "s1")
    assert {url for url, _ in found(index, Q1)} == {RIDE}


@pytest.mark.parametrize(("query", "state"), [(Q2, "s3"), (Q3, "s2")])
def test_q2_and_q3_find_it_only_because_comment_pages_are_states(
    index: Index, query: str, state: str
) -> None:
    assert found(index, query) == [(RIDE, state)]
    assert state not in FIRST_PAGES


def test_q3_says_where_the_singer_is_and_how_to_get_there(index: Index) -> None:
    (result,) = search([index], Q3, 10).best
    assert (result.entry, [hop.label for hop in result.path]) == (RIDE, ["Next"])
    assert "html/body[1]/div[1]/ul[1]/li[1]" in result.excerpt.elements
    assert "new singer" in result.excerpt.text


def test_table_vii_the_word_that_stands_there_twice_comes_first(index: Index) -> None:
    states = found(index, "morcheeba")
    assert len(states) == 4
    assert states[0][1] in FIRST_PAGES


def test_the_prior_falls_with_the_distance_from_the_start(tmp_path: Path) -> None:
    write_youtube(tmp_path / "crawl")
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        by_state = {outline.state: outline for outline in outlines(store.crawled())}
    assert [by_state[state].distance for state in ("s1", "s2", "s3", "t1")] == [0, 1, 2, 0]
    assert by_state["s1"].prior > by_state["s2"].prior > by_state["s3"].prior
    assert by_state["s2"].labels == ("Next", "Previous")
    assert by_state["t1"].labels == ("Rome Wasn't Built in a Day",)
