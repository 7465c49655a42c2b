"""States that multiply by one part of the page."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core import explosion as module
from statecrawl.core.explosion import ENOUGH, WINDOW, Explosion, Multiplied
from statecrawl.core.masks import Masks
from statecrawl.core.snapshot import Event, Snapshot

Step = tuple[str, str]
"""An event, and the body of the new page that it led to."""


def watch(
    steps: Iterable[Step], url: str = "/", explosion: Explosion | None = None
) -> list[tuple[int, Multiplied]]:
    """What is said of a crawl that finds these pages, and after how many."""
    watching, said = explosion or Explosion(), []
    pages: dict[str, Snapshot] = {}
    for number, (event, body) in enumerate(steps, start=1):
        events = tuple(Event(name) for name in body.split('name="')[1:])
        pages[body] = Snapshot(f"<html><body>{body}</body></html>", events, url)
        found = watching.look(url, pages.get, Masks()) if watching.found(body, event, url) else None
        if found is not None:
            said.append((number, found))
    return said


def counter(number: int) -> Step:
    return "click +", f'<p>Hello</p><p>Clicks: <span id="count">{number}</span></p>'


def calendar(number: int) -> Step:
    days = "".join(f"<td>{(day + number) % 31 + 1}</td>" for day in range(28))
    title = f"<h2>Month {number}</h2>"
    return "click next", f'<nav>menu</nav><div class="cal">{title}<table>{days}</table></div>'


def endless_list(number: int) -> Step:
    rows = "".join(f"<li>row {n}</li>" for n in range(number))
    return "click more", f"<h1>List</h1><section><ul>{rows}</ul></section>"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (counter, "#count"),
        (calendar, ".cal"),
        (endless_list, "html > body > section:nth-of-type(1) > ul:nth-of-type(1)"),
    ],
)
def test_what_never_ends_is_named_once(kind: object, expected: str) -> None:
    assert callable(kind)
    ((number, found),) = watch(kind(n) for n in range(10 * WINDOW))
    assert number == ENOUGH
    assert (found.selector, found.of, found.has_controls) == (expected, ENOUGH, False)
    assert found.states == ENOUGH - 1  # the first had nothing to be compared with


def test_the_warning_names_the_part_and_the_option() -> None:
    ((_, found),) = watch(counter(n) for n in range(40))
    assert found.warning == (
        '29 of the last 30 new states differ only in "29" (#count): '
        "if that is no content, give --ignore '#count'"
    )
    with_controls = found._replace(has_controls=True).warning
    assert with_controls.endswith("--ignore '#count' --skip '#count'")


def test_controls_that_come_with_each_state_are_to_be_skipped_too() -> None:
    def more(number: int) -> Step:
        rows = "".join(f'<li name="row {n}">row</li>' for n in range(number))
        return "click more", f'<h1>List</h1><ul class="rows">{rows}</ul>'

    ((_, found),) = watch(more(n) for n in range(40))
    assert (found.selector, found.has_controls) == (".rows", True)


def test_a_page_that_grows_has_no_part_to_leave_out() -> None:
    steps = [("more", "<h1>News</h1>" + "<p>new</p>" * n) for n in range(1, 40)]
    ((_, found),) = watch(steps)
    assert found.warning == (
        "29 of the last 30 new states differ only in how long the page is: "
        "if that never ends, give --max-states-per-url"
    )


def test_a_counter_is_found_beside_content_that_changes_too() -> None:
    """Each step changes both; the closest page before differs in the counter only."""
    steps = [
        (f"click {n % 4}", f'<main>page {n % 4} {"x" * (n % 4)}</main><p class="n">{n}</p>')
        for n in range(100)
    ]
    ((_, found),) = watch(steps)
    assert found.selector == ".n"


def test_pages_that_each_have_an_event_of_their_own_do_not_multiply() -> None:
    assert not watch((f"click {n}", counter(n)[1]) for n in range(200))


def test_pages_that_differ_all_over_are_not_blamed_on_one_part() -> None:
    steps = ((f"click {n % 3}", f"<h1>{n}</h1><p>{n * n}</p>") for n in range(200))
    assert not watch(steps)


def test_too_few_states_say_nothing() -> None:
    assert not watch(counter(n) for n in range(ENOUGH - 1))


def test_few_states_of_many_pages_say_nothing() -> None:
    watching = Explosion()
    due = [watching.found(f"s{n}", "next", "/calendar") for n in range(ENOUGH)]
    assert due == [False] * (ENOUGH - 1) + [True]
    others = Explosion()
    assert not any(others.found(f"s{n}", "next", f"/{n // 10}") for n in range(10 * ENOUGH))


def test_what_was_said_before_is_not_said_again() -> None:
    assert not watch((counter(n) for n in range(200)), explosion=Explosion(["#count"]))


def test_a_second_part_is_named_too() -> None:
    steps = [counter(n) for n in range(40)]
    steps += [("click next", f'<p>Hello</p><b id="month">{n}</b>') for n in range(300)]
    assert [found.selector for _, found in watch(steps)] == ["#count", "#month"]


def test_pages_too_large_to_compare_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CHARACTERS", 1000)
    assert not watch(counter(n) for n in range(200))


def test_states_that_have_become_one_do_not_multiply() -> None:
    watching = Explosion()
    page = Snapshot(counter(1)[1], ())
    due = [watching.found(f"s{n}", "go", "/") for n in range(ENOUGH)]
    assert due[-1]
    assert watching.look("/", lambda _: page, Masks()) is None
    assert watching.look("/", lambda _: None, Masks()) is None


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b"]),
            st.text(st.sampled_from("<p>div/ul li'\"=1\ud800"), max_size=12),
        ),
        min_size=ENOUGH,
        max_size=2 * ENOUGH,
    )
)
def test_hostile_pages_do_no_harm(steps: list[Step]) -> None:
    for _, found in watch(steps):
        assert found.warning.isprintable()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["/", "/x"])), max_size=300))
def test_looks_become_rare(finds: list[tuple[str, str]]) -> None:
    watching = Explosion()
    looks = sum(watching.found(f"s{n}", *find) for n, find in enumerate(finds))
    assert looks <= 2 * 3  # of each URL at 30, 90, 270
