"""`statecrawl index` and `search` as users meet them."""

import json
from pathlib import Path

import pytest

from tests.command import statecrawl
from tests.search.youtube import RIDE, write_youtube
from tests.test_cli import assert_refused

FIELDS = {"url", "state", "score", "title", "snippet", "path"}


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawls")
    write_youtube(folder / "one")
    return folder


def test_search_indexes_what_is_not_indexed_and_says_how_to_get_there(crawls: Path) -> None:
    done = statecrawl("search", "one", "morcheeba singer", "--json", cwd=crawls)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)
    assert set(result) >= FIELDS
    assert (result["url"], result["state"], result["path"]) == (RIDE, "s2", ["click next"])
    assert (crawls / "one" / "index").is_dir()
    told = statecrawl("index", "one", "--json", cwd=crawls)
    (told_of,) = json.loads(told.stdout)
    assert told_of == {"crawl": "one", "added": 0, "changed": 0, "removed": 0, "kept": 4}


def test_several_crawls_are_searched_as_one(crawls: Path) -> None:
    done = statecrawl("search", "one", "one", "mysterious", cwd=crawls)
    assert done.returncode == 0, done.stderr
    assert "1 state found" in done.stdout
    assert "Next > Next" in done.stdout
    assert "such a mysterious place" in done.stdout


def test_nothing_found_is_no_error(crawls: Path) -> None:
    done = statecrawl("search", "one", "東京 שלום", cwd=crawls)
    assert (done.returncode, done.stdout.strip()) == (0, "0 states found")


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("", "no words"),
        ("\x01\x02 \x1b", "no words"),
        ("word " * 1_500, "1,500 words"),
        ("NOT morcheeba", "not wanted"),
    ],
)
def test_a_bad_query_is_one_line(crawls: Path, query: str, what: str) -> None:
    assert_refused(statecrawl("search", "one", query, cwd=crawls), what)


def test_an_open_quote_is_closed(crawls: Path) -> None:
    done = statecrawl("search", "one", 'title:"enjoy the', "--json", "--limit", "1", cwd=crawls)
    assert len(json.loads(done.stdout)) == 1


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("index", "nowhere"), "there is no crawl"),
        (("search", "nowhere", "word"), "there is no crawl"),
        (("search", "word"), "Missing argument"),
        (("search", "one", "word", "--limit", "0"), "--limit 0"),
    ],
)
def test_bad_arguments_are_one_line(crawls: Path, arguments: tuple[str, ...], what: str) -> None:
    assert_refused(statecrawl(*arguments, cwd=crawls), what)
