"""Which states show which value, against lists."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statecrawl.core import showing as showing_of
from statecrawl.core.shelf import InMemory
from statecrawl.core.showing import Showing

VALUES = 4
gaps = st.one_of(st.integers(0, 3), st.integers(100, 300), st.integers(0, 2**26))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, VALUES - 1), gaps), max_size=40))
def test_the_states_are_those_that_were_put_in(
    monkeypatch: pytest.MonkeyPatch, shown: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(showing_of, "BLOCK", 5)
    showing, lists = Showing(InMemory()), [list[int]() for _ in range(VALUES)]
    for _ in range(VALUES):
        showing.append()
    state = 0
    for value, gap in shown:
        state += gap
        showing.add(value, state)
        lists[value].append(state)
    assert [list(showing.states(value)) for value in range(VALUES)] == lists
    assert [showing.count(value) for value in range(VALUES)] == list(map(len, lists))
