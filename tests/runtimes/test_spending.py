"""Every second of a crawler is accounted for, once."""

import pytest
from hypothesis import given
from hypothesis.strategies import booleans, floats, lists, tuples

from statecrawl.runtimes.spending import Spending, together


def test_a_wait_is_divided_into_the_way_the_coordinator_and_idleness() -> None:
    spending = Spending(0.0)
    spending.turn(1.0, is_busy=True)
    spending.turn(5.0, is_busy=False)
    spending.answered(network=0.5, coordinator=0.25)
    spending.turn(6.0, is_busy=True)
    spending.answered(network=9.0, coordinator=9.0)  # while it works, nobody waits
    assert spending.seconds(8.0) == {
        "execution": 6.0, "network": 0.5, "coordinator": 0.25, "idle": 1.25
    }  # fmt: skip


@given(lists(tuples(floats(0, 10), booleans(), floats(0, 20), floats(0, 20)), max_size=20))
def test_the_parts_are_the_whole(turns: list[tuple[float, bool, float, float]]) -> None:
    now = 0.0
    spending = Spending(now)
    for seconds, is_busy, network, coordinator in turns:
        spending.answered(network, coordinator)
        now += seconds
        spending.turn(now, is_busy=is_busy)
    assert sum(spending.seconds(now + 1).values()) == pytest.approx(now + 1)


def test_accounts_are_added_up() -> None:
    assert together([{"idle": 1.0}, {"idle": 2.0, "network": 0.5}]) == {
        "idle": 3.0, "network": 0.5
    }  # fmt: skip
