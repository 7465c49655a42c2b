"""What the coordinators of a ring know when it goes on with a crawl."""

from itertools import combinations

import pytest

from statecrawl.compose.choices import load_application
from statecrawl.coordination.recalled import recalled_copies
from statecrawl.coordination.ring_messages import Copy
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, GivenUp, Refused
from statecrawl.core.plan import Step
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.simulation.ring import simulate_ring
from statecrawl.strategies import STRATEGIES

PAGE = Snapshot("", (Event("on"), Event("off"), Event("link"), Event("never")))
REFUSED, GIVEN_UP = Refused("home", "off", "download"), GivenUp("home", "never")
FACTS: list[Fact] = [
    Found("home", PAGE, 0, 1),
    Executed("", "load /", "home"),
    Found("next", Snapshot("", ()), 1, 1),
    Executed("home", "on", "next"),
    REFUSED,
    Assumed("home", "link", "next"),
    GIVEN_UP,
    EntryFound("/more"),
]


@pytest.mark.parametrize("size", [3, 4, 5, 8])
def test_whatever_majority_there_is_knows_every_state(size: int) -> None:
    facts = simulate_ring(load_application("company"), STRATEGIES["greedy"], 3, 5).tally.facts
    everyone = [f"coordinator {number}" for number in range(size)]
    states = {fact.state for fact in facts if isinstance(fact, Found)}
    copies = recalled_copies(facts, ["/"], everyone)
    kept = {each: {copy.state for copy in copies[each]} for each in everyone}
    for majority in combinations(everyone, size // 2 + 1):
        assert set().union(*(kept[each] for each in majority)) == {*states, ""}


def test_a_state_comes_with_a_way_to_it_and_all_that_was_decided() -> None:
    copies = {each.state: each for each in recalled_copies(FACTS, ["/", "/more"], ["a"])["a"]}
    assert copies["home"] == Copy(
        "home", PAGE, (Step("load /", "home"),),
        (
            Executed("home", "on", "next"), REFUSED, Executed("home", "link", "next"), GIVEN_UP,
        ),
    )  # fmt: skip
    assert copies["next"].path == (Step("load /", "home"), Step("on", "next"))
    assert [event.identity for event in copies[""].snapshot.events] == ["load /", "load /more"]
    assert copies[""].decided == (Executed("", "load /", "home"),)


def test_a_state_that_nobody_can_go_to_is_left_out() -> None:
    facts = [*FACTS, Found("island", PAGE, 3, 1)]
    assert {each.state for each in recalled_copies(facts, ["/"], ["a"])["a"]} == {
        "",
        "home",
        "next",
    }
