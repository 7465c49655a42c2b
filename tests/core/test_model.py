import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.model import BLANK, Model, Recorded, Transition
from statecrawl.core.plan import Step
from statecrawl.core.snapshot import Event


def two_states() -> tuple[Model, int, int]:
    model = Model(["/"])
    first = model.add_state("a", [Event("go", "list"), Event("also"), Event("go")], {"r": "1"})
    second = model.add_state("b", [Event("go")], {})
    return model, first, second


def test_states_and_events_are_small_integers_with_identities() -> None:
    model, first, second = two_states()
    assert (first, second) == (1, 2)
    assert model.state("a") == first
    assert model.state("nowhere") is None
    assert model.enabled[first] == (model.event("go"), model.event("also"))
    assert model.enabled[second] == (model.event("go"),)
    assert model.events[model.event("go")].group == "list"
    assert model.regions[first] == {"r": "1"}
    assert model.state_count == 2
    assert list(model.entries.values()) == ["/"]


def test_an_event_that_leads_elsewhere_keeps_every_outcome_with_its_count() -> None:
    model, first, second = two_states()
    go = model.event("go")
    assert model.record(first, go, second) is Recorded.EXPLORED
    assert model.record(first, go, second) is Recorded.REPEATED
    assert model.steps(first) == (Step("go", "b"),)
    assert model.edge(first, second) == model.transition(first, go)
    assert model.record(first, go, first) is Recorded.DIVERGED
    assert model.record(first, go, first) is Recorded.REPEATED
    (transition,) = model.transitions(first)
    assert transition == model.transition(first, go)
    assert transition.outcomes == {second: 2, first: 2}
    assert transition.times == 4
    assert transition.target == second
    assert model.outcomes == {(first, go): transition.outcomes}
    assert not model.successors[first]
    assert not model.predecessors[second]
    assert model.transition_count == 1


def test_another_event_with_the_same_target_keeps_the_edge() -> None:
    model, first, second = two_states()
    go, also = model.event("go"), model.event("also")
    model.record(first, go, second)
    model.record(first, also, second)
    assert model.edge(first, second) == model.transition(first, go)
    model.record(first, go, first)
    assert model.steps(first) == (Step("also", "b"),)
    assert model.edge(first, second) == model.transition(first, also)
    model.refuse(first, also)
    with pytest.raises(KeyError):
        model.edge(first, second)
    assert not model.successors[first]
    assert not model.is_trusted(first, also)


def test_loading_an_entry_is_a_transition_of_the_blank_tab() -> None:
    model, first, _ = two_states()
    (load,) = model.entries
    model.record(BLANK, load, first)
    assert model.edge(BLANK, first) == model.transition(BLANK, load)
    assert model.transition_count == 0


def test_an_edge_that_was_assumed_and_led_elsewhere_is_gone() -> None:
    model, first, second = two_states()
    go = model.event("go")
    model.assume(first, go, second)
    assert model.steps(first) == (Step("go", "b"),)
    assert model.edge(first, second) == model.transition(first, go)
    assert model.record(first, go, first) is Recorded.MISLED
    (transition,) = model.transitions(first)
    assert (transition.target, transition.is_assumed) == (first, False)
    assert not model.successors[first]
    assert not model.predecessors[second]


def test_what_others_tell_is_a_way_to_go_and_nothing_that_was_explored() -> None:
    model, first, second = two_states()
    told, go = Step("go", "b"), model.event("go")
    model.rely(first, {second: go})
    model.rely(first, {second: go, first: go})
    assert model.steps(first) == (told,)
    assert list(model.predecessors[second]) == [first]
    assert model.transition_count == 0
    edge = model.edge(first, second)
    assert (edge.source, edge.event, edge.target, edge.step) == (
        first, go, second, told,
    )  # fmt: skip


def test_what_others_told_is_relied_on_no_more_once_it_led_elsewhere() -> None:
    model, first, second = two_states()
    go = model.event("go")
    model.rely(first, {second: go})
    model.record(first, go, second)
    model.record(first, go, first)
    assert not model.successors[first]
    assert not model.predecessors[second]


def test_an_event_known_by_name_is_told_about_later_and_then_stays_as_it_is() -> None:
    model = Model(["/"])
    known = model.add_state("a", [Event("go")], {})
    told = model.add_state("b", (), {})
    model.enable(told, [Event("go", "list"), Event("on", "menu")], {"r": "1"})
    assert model.enabled[told] == (model.event("go"), model.event("on"))
    assert [model.events[model.event(name)].group for name in ("go", "on")] == ["list", "menu"]
    model.enable(known, [Event("go", "elsewhere")], {})
    assert model.events[model.event("go")].group == "list"


NUMBERS = st.integers(1, 3)
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["record", "repeat", "assume", "rely", "refuse", "put_last"]),
        NUMBERS, NUMBERS, NUMBERS,
    ),
    max_size=20,
)  # fmt: skip


def change(model: Model, what: str, source: int, event: int, target: int) -> None:
    if what == "rely":
        model.rely(source, {target: event})
    elif what == "put_last":
        model.put_last(source, target)
    elif what in ("repeat", "refuse"):
        getattr(model, what)(source, event)
    elif what == "record" or not model.is_explored(source, event):
        getattr(model, what)(source, event, target)


def edges(model: Model) -> list[Transition]:
    return [
        model.edge(source, target)
        for source in range(len(model.states))
        for target in model.successors[source]
    ]


@given(CHANGES)
def test_an_edge_is_the_same_however_often_it_was_asked_for_before(
    changes: list[tuple[str, int, int, int]],
) -> None:
    often, once = (Model(["/"]) for _ in range(2))
    for model in (often, once):
        for state in "abc":
            model.add_state(state, map(Event, "xyz"), {})
    for each in changes:
        edges(often)
        change(often, *each)
        change(once, *each)
    assert edges(often) == edges(once)
