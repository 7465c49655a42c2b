"""What events do to regions, learned from toy applications whose effects are known."""

from collections.abc import Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.effects import Effects, Outlook

LIST, DETAIL = "list", "detail"


class Toy:
    """States by what their regions show, and events by name, for a learner."""

    def __init__(self, groups: Mapping[str, str | None]) -> None:
        self.effects = Effects()
        self.events = {name: number for number, name in enumerate(groups)}
        self.states: dict[tuple[tuple[str, str], ...], int] = {}
        for group in groups.values():
            self.effects.meet(group)

    def state(self, **regions: str) -> int:
        key = tuple(sorted(regions.items()))
        if key not in self.states:
            self.states[key] = len(self.states)
            self.effects.pages.discover(regions)
        return self.states[key]

    def fire(self, event: str, source: int, target: int) -> None:
        self.effects.learn(self.events[event], source, target)

    def outlook(self, event: str, state: int) -> Outlook:
        return self.effects.predict(self.events[event], state).outlook

    def target(self, event: str, state: int) -> int:
        return self.effects.predict(self.events[event], state).state


def test_an_event_that_was_never_fired_is_fresh() -> None:
    toy = Toy({"open": "menu"})
    assert toy.outlook("open", toy.state(list="a")) is Outlook.FRESH


def test_an_event_that_sets_a_region_leads_from_anywhere_to_what_shows_it() -> None:
    toy = Toy({"a": "tabs", "b": "tabs"})
    start, a, b = toy.state(tab=""), toy.state(tab="a"), toy.state(tab="b")
    toy.fire("a", start, a)
    toy.fire("b", a, b)
    toy.fire("a", b, a)  # the first time that setting is put to the test
    assert toy.target("b", start) == b
    assert toy.target("a", b) == a


def test_a_combination_that_no_state_shows_is_new_until_it_is_found() -> None:
    toy = Toy({"left": None, "right": None})
    start = toy.state(one="off", two="off")
    left, right = toy.state(one="on", two="off"), toy.state(one="off", two="on")
    toy.fire("left", start, left)
    toy.fire("right", start, right)
    assert toy.outlook("left", right) is Outlook.NEW
    both = toy.state(one="on", two="on")
    assert toy.target("left", right) == both


def test_a_group_tells_what_its_next_event_does() -> None:
    """Items show themselves: one that was never fired shows something of its own."""
    toy = Toy({f"item {n}": "items" for n in range(4)})
    pages = [toy.state(detail=str(n), list="page") for n in range(3)]
    for number, page in enumerate(pages):
        toy.fire(f"item {number}", pages[number - 1], page)
    toy.fire("item 1", pages[2], pages[1])
    assert toy.outlook("item 3", pages[0]) is Outlook.FRESH
    assert toy.target("item 2", pages[0]) == pages[2]


def test_events_of_a_group_that_do_nothing_are_not_hoped_for() -> None:
    toy = Toy({f"file {n}": "files" for n in range(4)})
    start = toy.state(tree="/")
    for number in range(3):
        toy.fire(f"file {number}", start, start)
    assert toy.target("file 3", start) == start


def test_a_control_may_undo_what_it_did_until_it_was_seen_not_to() -> None:
    toy = Toy({"open": None})
    closed, opened, other = toy.state(box=""), toy.state(box="open"), toy.state(box="other")
    toy.fire("open", closed, opened)
    toy.fire("open", other, opened)
    assert toy.outlook("open", opened) is not Outlook.KNOWN
    toy.fire("open", opened, opened)
    assert toy.target("open", opened) == opened


def test_going_on_from_where_it_led_is_not_setting() -> None:
    """Next leads to the second page and from there to the third: nobody knows where from others."""
    toy = Toy({**{f"item {n}": "links" for n in range(4)}, "next": "links"})
    pages = [toy.state(detail=str(n)) for n in range(4)]
    for number, page in enumerate(pages):
        toy.fire(f"item {number}", pages[number - 1], page)
        toy.fire(f"item {number}", pages[number - 2], page)
    toy.fire("next", pages[0], pages[1])
    toy.fire("next", pages[1], pages[2])
    assert toy.outlook("next", pages[3]) is Outlook.GUESS


def test_what_hangs_on_another_region_is_not_believed_of_all() -> None:
    """Opening leads to what is selected: the same folder, another selection, another outcome."""
    toy = Toy({"open": None})
    root_a, root_b = toy.state(folder="/", picked="a"), toy.state(folder="/", picked="b")
    in_a, in_b = toy.state(folder="a", picked=""), toy.state(folder="b", picked="")
    listed = toy.state(folder="/", picked="a", view="list")
    toy.fire("open", root_a, in_a)
    toy.fire("open", root_b, in_b)
    assert toy.target("open", listed) != in_b


def test_one_that_brings_a_message_once_makes_no_others_of_its_group_fresh() -> None:
    toy = Toy({"a": "menu", "b": "menu", "c": "menu"})
    start, a, b = toy.state(page=""), toy.state(page="a"), toy.state(page="b")
    toy.fire("a", start, a)
    toy.fire("b", a, b)
    toy.fire("a", b, a)
    toy.fire("c", a, toy.state(page="a", message="sorry"))
    assert toy.target("b", start) == b
    assert toy.target("a", b) == a


def test_what_was_never_fired_teaches_unless_its_kind_does_something_else_everywhere() -> None:
    toy = Toy({"facet": "facets", "other": "facets", "name": "names", "label": "names"})
    teaches = {name: toy.effects.would_teach(number) for name, number in toy.events.items()}
    assert teaches == dict.fromkeys(toy.events, True)
    folders = ("f", "g")
    toy.fire("facet", toy.state(folder="f", file=""), toy.state(folder="g", file=""))
    for file in ("", "x", "y"):
        for folder in folders:
            shown = f"{folder}/{file}" if file else ""
            opened = toy.state(folder=folder, file=f"{folder}/name")
            toy.fire("name", toy.state(folder=folder, file=shown), opened)
    teaches = {name: toy.effects.would_teach(number) for name, number in toy.events.items()}
    assert teaches == {"facet": False, "other": True, "name": False, "label": False}


def test_next_and_previous_undo_each_other() -> None:
    toy = Toy({"next": "pager", "previous": "pager"})
    lists = {
        name: [toy.state(of=name, item=item) for item in items]
        for name, items in {"x": "abcd", "y": "badc", "z": "cadb"}.items()
    }
    for pages in lists.values():
        for here, there in pairwise(pages[:3]):
            toy.fire("next", here, there)
            toy.fire("previous", there, here)
    here, there = lists["z"][2:]
    toy.fire("next", here, there)
    assert toy.target("previous", there) == here


def test_states_that_show_the_same_are_told_apart() -> None:
    toy = Toy({})
    pages = toy.effects.pages
    pages.discover({"all": "same"})
    pages.discover({"all": "same"})
    pages.discover({})
    pages.discover({})
    assert len(set(pages.signatures)) == 4


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=60
    )
)
def test_whatever_happens_a_known_prediction_names_a_state(
    executions: list[tuple[int, int, int]],
) -> None:
    toy = Toy({"a": "g", "b": "g", "c": "h", "d": None})
    states = [toy.state(one=str(n // 3), two=str(n % 3)) for n in range(9)]
    for event, source, target in executions:
        toy.effects.learn(event, states[source], states[target])
        for other in range(4):
            for state in states:
                prediction = toy.effects.predict(other, state)
                assert (prediction.outlook is Outlook.KNOWN) == (prediction.state >= 0)
