"""The pages of a site, ranked and shared out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.site import Site, parse_part, parse_site
from statecrawl.errors import InputError

SITE = Site("/a", {"/a": ["/b", "/c"], "/b": ["/c"], "/c": []})


def test_a_site_is_read_as_it_was_written() -> None:
    assert parse_site(json.dumps(SITE.to_json())) == SITE
    assert SITE.ranks["/c"] > SITE.ranks["/b"]


@given(st.integers(1, 20), st.integers(1, 6))
def test_the_parts_are_everything_once(pages: int, of: int) -> None:
    site = Site("0", {str(page): [] for page in range(pages)})
    parts = [site.part(number, of) for number in range(1, of + 1)]
    assert sorted(page for part in parts for page in part) == sorted(site.links)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"url": "/", "pages": []}',
        '{"url": 1, "pages": [{"url": "/", "links": [7]}]}',
    ],
)
def test_what_is_no_site_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="the list of pages"):
        parse_site(text)


@pytest.mark.parametrize("text", ["", "0/4", "5/4", "1", "a/b", "1/-2", "²/4"])
def test_what_is_no_part_is_refused(text: str) -> None:
    assert parse_part("2/4") == (2, 4)
    with pytest.raises(InputError, match="--part"):
        parse_part(text)
