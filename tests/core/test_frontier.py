"""What is open, in states that share it and in those that do not."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.frontier import FEW, SHARED, Frontier
from statecrawl.core.model import Model
from statecrawl.core.snapshot import Event

SIZES = (3, SHARED - 1, SHARED + 1)


def frontier() -> Frontier:
    """Return two states of each size, with the same events, and the blank tab."""
    model = Model(["/"])
    found = Frontier(model)
    found.add_state(0)
    for size in SIZES:
        for name in "ab":
            state = model.add_state(f"{name}{size}", [Event(str(n)) for n in range(size)], {})
            found.add_state(state)
    return found


steps = st.tuples(st.booleans(), st.integers(1, 2 * len(SIZES)), st.integers(1, 5))


@given(st.lists(steps, max_size=40))
def test_each_state_has_open_what_was_not_closed_in_order(
    done: list[tuple[bool, int, int]],
) -> None:
    tested = frontier()
    expected = [dict(events) for events in tested.open]
    for is_closing, state, event in done:
        if is_closing:
            assert tested.close(state, event) == (event in expected[state])
            expected[state].pop(event, None)
        else:
            tested.reopen(state, event)
            expected[state].setdefault(event)
    assert list(map(list, tested.open)) == list(map(list, expected))
    assert tested.total == sum(map(len, expected))


def test_states_with_the_same_open_events_share_them_as_long_as_few_are_closed() -> None:
    tested = frontier()
    one, other = 3, 4
    for event in range(1, FEW + 1):
        assert tested.open[one] is tested.open[other]
        tested.close(one, event)
        assert tested.open[one] is not tested.open[other]
        tested.close(other, event)
    assert tested.open[one] is tested.open[other]
    tested.close(one, FEW + 1)
    tested.close(other, FEW + 1)
    assert tested.open[one] is not tested.open[other]
