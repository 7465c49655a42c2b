"""Which URLs belong to an application."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.scope import Scope, host_of, origin_of
from statecrawl.errors import InputError

START = "http://shop.test:8000/a/b?c#d"


@pytest.mark.parametrize(
    ("url", "belongs"),
    [
        ("http://shop.test:8000", True),
        ("http://shop.test:8000/x", True),
        ("http://shop.test:8000?x", True),
        ("http://shop.test:80001/", False),
        ("http://shop.test:8000.evil.test/", False),
        ("https://shop.test:8000/", False),
        ("http://shopxtest:8000/", False),
        ("http://evil.test/http://shop.test:8000/", False),
        ("javascript:alert(1)", False),
        ("about:blank", False),
    ],
)
def test_the_origin_of_the_start_belongs_and_nothing_else(url: str, belongs: bool) -> None:
    assert (url in Scope.of([START])) is belongs


def test_patterns_add_and_take_away() -> None:
    scope = Scope.of([START], ["https://api.test/v1/*", "*.shop.test/*"], ["/admin", "*?print=1"])
    assert "https://api.test/v1/x" in scope
    assert "https://api.test/v2/x" not in scope
    assert "http://www.shop.test/x" in scope
    assert "http://shop.test:8000/admin/users" not in scope
    assert "http://shop.test:8000/x?print=1" not in scope
    assert "http://shop.test:8000/x?print=10" in scope


@pytest.mark.parametrize("pattern", ["", "  ", "x" * 3000])
def test_a_pattern_that_says_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="URL pattern"):
        Scope.of([START], [pattern])


def test_what_has_no_origin_is_refused() -> None:
    with pytest.raises(InputError, match="not a URL"):
        Scope.of(["ftp://host/"])


def test_hosts_are_those_that_patterns_name() -> None:
    assert host_of("http://me@Shop.test:8000/a") == "shop.test"
    assert host_of("*.shop.test/*") == "*.shop.test"
    assert host_of("http://[::1]:80/") == "[::1]"
    for pattern in ("*", "http://*/x", "http://a b/"):
        with pytest.raises(InputError, match="no host"):
            host_of(pattern)


def test_usual_ports_and_names_in_capitals_are_written_as_browsers_do() -> None:
    assert origin_of("HTTPS://user:word@Host.Test:443/x") == "https://host.test"
    assert origin_of("http://host.test:8080") == "http://host.test:8080"


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1))
def test_any_pattern_is_one_that_can_be_read(pattern: str) -> None:
    if not pattern.strip():
        return
    scope = Scope.of([START], [pattern], [pattern])
    assert all(re.compile(each) for each in (*scope.inside, *scope.outside))
    assert START in Scope.of([START], [pattern])
