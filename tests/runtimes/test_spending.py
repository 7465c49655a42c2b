"""Every second of a crawler is accounted for, once."""

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists, sampled_from, tuples

from statecrawl.runtimes.spending import PARTS, Spending, together


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def spent(spending: Spending) -> dict[str, float]:
    """What the time went into, without what none went into."""
    return {name: seconds for name, seconds in spending.seconds().items() if seconds}


def test_a_wait_is_divided_into_the_way_the_coordinator_and_idleness() -> None:
    clock = Clock()
    spending = Spending(clock)
    clock.now = 1.0
    spending.turn("execution")
    clock.now = 5.0
    spending.turn("idle")
    spending.answered(network=0.5, coordinator=0.25)
    clock.now = 6.0
    spending.turn("execution")
    spending.answered(network=9.0, coordinator=9.0)  # while it works, nobody waits
    clock.now = 8.0
    assert spent(spending) == {"execution": 6.0, "network": 0.5, "coordinator": 0.25, "idle": 1.25}


def test_what_is_done_apart_is_no_part_of_what_it_interrupts() -> None:
    clock = Clock()
    spending = Spending(clock)
    spending.turn("coordinator")
    clock.now = 1.0
    with spending.apart("probes"):
        clock.now = 4.0
        spending.turn("idle")  # counts from when the probes are over
        spending.answered(network=9.0, coordinator=9.0)
        clock.now = 6.0
    clock.now = 7.0
    assert spent(spending) == {"coordinator": 1.0, "probes": 5.0, "idle": 1.0}


def test_nothing_counts_after_the_end() -> None:
    clock = Clock()
    spending = Spending(clock)
    clock.now = 2.0
    spending.end()
    clock.now = 9.0
    assert spent(spending) == {"idle": 2.0}


@given(lists(tuples(floats(0, 10), sampled_from(PARTS), floats(0, 20), floats(0, 20)), max_size=20))
def test_the_parts_are_the_whole(turns: list[tuple[float, str, float, float]]) -> None:
    clock = Clock()
    spending = Spending(clock)
    for seconds, into, network, coordinator in turns:
        spending.answered(network, coordinator)
        clock.now += seconds
        spending.turn(into)
        with spending.apart(into):
            spending.answered(network, coordinator)
            clock.now += seconds
    assert sum(spending.seconds().values()) == pytest.approx(clock.now)


def test_accounts_are_added_up() -> None:
    assert together([{"idle": 1.0}, {"idle": 2.0, "network": 0.5}]) == {
        "idle": 3.0, "network": 0.5
    }  # fmt: skip
