"""Where pages are cut: at the parts that one event changes while others stay."""

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.cutting import MAX_REGIONS, Passing, learn_cut
from statecrawl.core.dom import Element
from statecrawl.core.regions import ABSENT, Cut, regions
from tests.core.trees import page, trees

StateT = TypeVar("StateT", bound=Hashable)


class Seen(NamedTuple):
    """All pages of a small application, and all that leads from one to another."""

    pages: list[Element]
    passings: list[Passing]

    @property
    def cut(self) -> Cut:
        return learn_cut(*self)

    @property
    def short_cut(self) -> list[str]:
        return [name.removeprefix("html/body/") for name in self.cut]


def crawled(
    start: StateT,
    show: Callable[[StateT], str],
    click: Callable[[StateT], dict[str, StateT]],
) -> Seen:
    """Go everywhere, the nearest first."""
    numbers = {start: 0}
    passings = []
    for state in (waiting := [start]):
        for event, target in click(state).items():
            if target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
            passings.append(Passing(event, numbers[state], numbers[target]))
    return Seen([page(show(state)) for state in waiting], passings)


def tabs(count: int) -> Seen:
    """Widgets side by side, each with a tab for each of three texts."""

    def show(state: tuple[int, ...]) -> str:
        widget = "<div><button>a</button><button>b</button><p>text {}</p></div>"
        return f"<h1>All</h1>{''.join(widget.format(value) for value in state)}"

    def click(state: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
        return {
            f"{i} {value}": (*state[:i], value, *state[i + 1 :])
            for i in range(count)
            for value in range(3)
        }

    return crawled((0,) * count, show, click)


def test_widgets_that_look_alike_are_regions() -> None:
    assert tabs(3).short_cut == ["div", "div[2]", "div[3]"]


def test_so_are_those_that_look_like_them_and_were_never_used() -> None:
    seen = tabs(4)
    used = [passing for passing in seen.passings if passing.event[0] in "01"]
    assert learn_cut(seen.pages, used) == seen.cut


@pytest.mark.parametrize("mark", [' class="chosen"', "", ' aria-current="true"'])
def test_a_list_of_which_one_is_chosen_is_one_region(mark: str) -> None:
    def show(state: tuple[int, str]) -> str:
        items = (
            f"<li{mark if i == state[0] else ''}>item {i}{'<b>!</b>' * (i == state[0])}</li>"
            for i in range(6)
        )
        return f"<ul>{''.join(items)}</ul><p>{state[1]}</p>"

    def click(state: tuple[int, str]) -> dict[str, tuple[int, str]]:
        chosen, panel = state
        return {f"choose {i}": (i, panel) for i in range(6)} | {
            "open": (chosen, "open"),
            "close": (chosen, "closed"),
        }

    assert crawled((9, "closed"), show, click).short_cut == ["p", "ul"]


def library(state: tuple[str, int, str]) -> str:
    """A list that makes room for a book, which is shown in one of two ways."""
    author, book, view = state
    marked = "".join(f"<i>{name}</i>" if name == author else f"<b>{name}</b>" for name in "xyz")
    books = "".join(f"<li>{author} {i}</li>" for i in range(4))
    shown = f"<h2>{author} {book}</h2><small>{book} of 4</small>" if book else f"<ol>{books}</ol>"
    text = f"<{view}>{view} of {author} {book}</{view}>" if book else ""
    return f"<nav>{marked}</nav><main>{shown}</main><aside>{text}</aside>"


def borrow(state: tuple[str, int, str]) -> dict[str, tuple[str, int, str]]:
    author, book, _ = state
    found = {f"author {name}": (name, 0, "p") for name in "xyz"}
    if book:
        return (
            found
            | {view: (author, book, view) for view in ("p", "pre")}
            | {"close": (author, 0, "p")}
        )
    return found | {f"book {i}": (author, i, "p") for i in range(1, 4)}


def test_parts_that_change_at_other_times_are_regions() -> None:
    assert crawled(("x", 0, "p"), library, borrow).short_cut == ["aside", "main", "nav"]


def test_what_comes_and_goes_is_a_region() -> None:
    seen = crawled(
        (0, False),
        lambda state: f"<p>{state[0]}</p>{'<dialog>Sure?</dialog>' * state[1]}",
        lambda state: {
            "more": (min(state[0] + 1, 4), state[1]),
            "ask": (state[0], True),
            "answer": (state[0], False),
        },
    )
    assert seen.short_cut == ["dialog", "p"]
    shown = [regions(each, seen.cut)["html/body/dialog"] for each in seen.pages]
    assert len(set(shown)) == 2
    assert ABSENT in shown


def test_a_list_is_divided_from_a_frame_that_changes_on_its_own() -> None:
    def show(state: tuple[str, int]) -> str:
        view, folder = state
        items = "".join(f"<li>file {folder} {i}</li>" for i in range(3))
        return f'<h1>Files</h1><ul class="{view}">{items}</ul>'

    def click(state: tuple[str, int]) -> dict[str, tuple[str, int]]:
        return {view: (view, state[1]) for view in ("icons", "rows")} | {
            f"open {i}": (state[0], i) for i in range(4)
        }

    assert crawled(("icons", 0), show, click).short_cut == ["ul/*"]


def test_one_region_turns_out_to_be_two() -> None:
    """As long as nobody has used the second part alone, both seem to be one."""

    def show(state: tuple[int, int]) -> str:
        return f"<header>same</header><main>{state[0]}</main><footer>{state[1]}</footer>"

    pages = [page(show(state)) for state in ((0, 0), (1, 1), (2, 2), (2, 3))]
    passings = [Passing("next", 0, 1), Passing("next", 1, 2), Passing("next", 2, 0)]
    assert learn_cut(pages, passings) == ()
    passings.append(Passing("turn", 2, 3))
    assert learn_cut(pages, passings) == ("html/body/footer", "html/body/main")


def test_there_are_tens_of_regions_at_most() -> None:
    """Of a hundred switches, each with a tag of its own, those most used are regions."""

    def show(state: int) -> str:
        return "".join(f"<x-{i}>{state == i}</x-{i}>" for i in range(1, 101))

    pages = [page(show(state)) for state in range(101)]
    passings = [Passing(f"flip {i}", 0, i) for i in range(1, 101)]
    passings += [Passing("back", 7, 0)]
    cut = learn_cut(pages, passings)
    assert len(cut) == MAX_REGIONS
    assert "html/body/x-7" in cut


def test_nothing_is_learned_from_nothing() -> None:
    assert learn_cut([], []) == ()
    assert learn_cut([page("<p>a</p>")], [Passing("stay", 0, 0)]) == ()


@settings(max_examples=40)
@given(
    pages=st.lists(
        trees(tags=("p", "div"), names=("id", "class"), depth=2), min_size=2, max_size=5
    ),
    steps=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.integers(0, 4))),
    lot=st.randoms(use_true_random=False),
)
def test_the_order_of_observation_does_not_matter(
    pages: list[Element], steps: list[tuple[str, int, int]], lot: object
) -> None:
    passings = [Passing(event, a % len(pages), b % len(pages)) for event, a, b in steps]
    cut = learn_cut(pages, passings)
    order = list(range(len(pages)))
    lot.shuffle(order)  # type: ignore[attr-defined]
    again = [Passing(e, order.index(a), order.index(b)) for e, a, b in passings]
    lot.shuffle(again)  # type: ignore[attr-defined]
    assert learn_cut([pages[number] for number in order], again) == cut
