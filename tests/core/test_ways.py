"""Ways to states, whoever told of the transitions first."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.plan import Step
from statecrawl.core.ways import Ways

STATES = st.sampled_from(["", "a", "b", "c", "d", "e"])
EVENTS = st.sampled_from(["x", "y"])
TOLD = st.lists(st.tuples(STATES, EVENTS, STATES.filter(bool)), max_size=20)


def reachable(told: list[tuple[str, str, str]]) -> set[str]:
    reached = {""}
    while more := {target for source, _, target in told if source in reached} - reached:
        reached |= more
    return reached


@given(TOLD)
def test_every_state_that_can_be_reached_has_a_way_over_what_was_told(
    told: list[tuple[str, str, str]],
) -> None:
    ways = Ways()
    for each in told:
        ways.learn(*each)
    reached = reachable(told)
    for state in ("", "a", "b", "c", "d", "e"):
        way = ways.to(state)
        assert (way is not None) == (state in reached)
        at = ""
        for step in way or ():
            assert step.expected is not None
            assert (at, step.event, step.expected) in told
            at = step.expected
        assert way is None or at == state


@given(TOLD)
def test_all_outcomes_are_known(told: list[tuple[str, str, str]]) -> None:
    ways = Ways()
    for each in told:
        ways.learn(*each)
    for source, event, _ in [*told, ("nowhere", "x", "")]:
        assert ways.outcomes(source, event) == {t for s, e, t in told if (s, e) == (source, event)}


def test_who_reached_a_state_first_shows_the_way() -> None:
    ways = Ways()
    ways.learn("b", "on", "c")
    ways.learn("c", "round", "b")
    assert ways.to("c") is None
    ways.learn("", "load", "b")
    ways.learn("", "elsewhere", "c")
    assert ways.to("c") == (Step("load", "b"), Step("on", "c"))
