from itertools import pairwise
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.model import BLANK, Model
from statecrawl.core.paths import Toward, any_way, nearest
from statecrawl.core.snapshot import Event

SIZE = 6
nodes = st.integers(1, SIZE)


def model_of(edges: list[tuple[int, int]], entries: list[int]) -> Model:
    model = Model([f"s{entry}" for entry in entries])
    for number in range(1, SIZE + 1):
        model.add_state(f"s{number}", [Event(f"to {t}") for t in range(1, SIZE + 1)], {})
    for event, entry in zip(model.entries, entries, strict=True):
        model.record(BLANK, event, entry)
    for source, target in edges:
        model.record(source, model.event(f"to {target}"), target)
    return model


@given(
    edges=st.lists(st.tuples(nodes, nodes), max_size=15),
    entries=st.lists(nodes, min_size=1, max_size=2, unique=True),
    source=st.integers(0, SIZE),
    target=nodes,
    reset_cost=st.sampled_from([0, 1, 2.5]),
)
def test_the_way_to_a_state_is_the_cheapest(
    edges: list[tuple[int, int]], entries: list[int], source: int, target: int, reset_cost: float
) -> None:
    model = model_of(edges, entries)
    toward = Toward(model, target, reset_cost)
    way = toward.way(source)
    found = any_way(model, source, lambda state: state == target, reset_cost)
    if way is None:
        assert found is None
    else:
        assert found is not None
        goal, moves = found
        assert goal == target
        assert way[0] in (source, BLANK)
        assert way[-1] == target
        cost = sum(reset_cost if state == BLANK else 1 for state in way[:-1])
        assert cost == sum(reset_cost if move.source == BLANK else 1 for move in moves)
        assert all(b in model.successors[a] for a, b in pairwise(way))
        assert [move.source for move in moves[1:]] == [move.target for move in moves[:-1]]
    assert toward.way(source) == way


@given(
    edges=st.lists(st.tuples(nodes, nodes), max_size=15),
    entries=st.lists(nodes, min_size=1, max_size=2, unique=True),
    source=st.integers(0, SIZE),
    goals=st.sets(nodes, max_size=2),
    reset_cost=st.integers(1, 4),
)
def test_the_nearest_goal_is_as_near_as_any(
    edges: list[tuple[int, int]],
    entries: list[int],
    source: int,
    goals: set[int],
    reset_cost: int,
) -> None:
    model = model_of(edges, entries)
    found = nearest(model, source, goals.__contains__, reset_cost)
    known = any_way(model, source, goals.__contains__, reset_cost)
    assert (found is None) == (known is None)
    if found is not None and known is not None:
        ways = [way for _, way in (found, known)]
        costs = [sum(reset_cost if m.source == BLANK else 1 for m in way) for way in ways]
        assert costs[0] == costs[1]
        goal, way = found
        assert goal in goals
        states = [way[0].source if way else goal, *(move.target for move in way)]
        assert states[0] in (source, BLANK)
        assert states[-1] == goal
        assert [move.source for move in way] == states[:-1]


def test_an_unreliable_transition_is_only_a_last_resort() -> None:
    model = model_of([(1, 2), (2, 3)], [1])
    assert Toward(model, 3, inf).way(1) == [1, 2, 3]
    model.record(2, model.event("to 3"), 4)
    assert Toward(model, 3, inf).way(1) is None
    for goal, last in ((3, "to 3"), (4, "to 3")):
        found = any_way(model, 1, goal.__eq__, 5)
        assert found is not None
        assert found[0] == goal
        assert [move.step.event for move in found[1]] == ["to 2", last]
        assert [move.step.expected for move in found[1]] == ["s2", f"s{goal}"]
