"""What kind of thing differs in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.values import (
    MAX_QUOTED,
    differ_in_made_up,
    differ_in_numbers,
    differ_in_time,
    grows,
    quoted,
)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("It is 10:31", "It is 11:02"),
        ("10:31:02 AM", "1:05:00 pm"),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:03Z"),
        ("1/5/2024", "12/31/2024"),
        ("1.5.2024", "31.12.2024"),
        ("May 5, 2024", "Sep 12th, 2025"),
        ("Monday, 5 May 2024", "Tuesday, 6 May 2024"),
        ("5 seconds ago", "a minute ago"),
        ("updated just now", "updated 3 minutes ago"),
        ("up for 12 s", "up for 130 s"),
        ("1716000000", "1716000042000"),
    ],
)
def test_times(was: str, now: str) -> None:
    assert differ_in_time(was, now)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Clicks: 1", "Clicks: 2"),
        ("10:31 shoes", "10:32 socks"),
        ("5 steps", "6 steps"),
        ("may 1", "can 1"),
        ("open", "closed"),
    ],
)
def test_no_times(was: str, now: str) -> None:
    assert not differ_in_time(was, now)


@pytest.mark.parametrize(
    ("was", "now", "is_made_up"),
    [
        ("id x7f3kq9", "id p01zzt4", True),
        ("0.8372615", "0.1182736", True),
        ("a3f9-44bc-1", "99fe-01aa-2", True),
        ("6f1ed002-ab55-4d1c-8a3e-0123456789ab", "00000000-0000-4000-8000-000000000000", True),
        ("shoes", "socks", False),
        ("open", "closed", False),
        ("12", "13", False),
    ],
)
def test_made_up_values(was: str, now: str, is_made_up: bool) -> None:
    assert differ_in_made_up(was, now) is is_made_up


@given(st.text(), st.integers(0), st.integers(0))
def test_counts(word: str, before: int, after: int) -> None:
    was, now = f"{word} {before % 10**9} items", f"{word} {after % 10**9} items"
    assert differ_in_numbers(was, now)
    assert grows(was, now) is (before % 10**9 <= after % 10**9)
    assert not differ_in_numbers(was, f"{now} more")


@given(st.text())
def test_what_is_quoted_is_one_short_printable_line(text: str) -> None:
    shown = quoted(text)
    assert shown.isprintable()
    assert len(shown) <= MAX_QUOTED + len('"..."')
