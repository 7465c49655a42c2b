import itertools
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.model import BLANK, Model
from statecrawl.core.paths import Toward, any_way
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
    moves = any_way(model, source, lambda state: state == target, reset_cost)
    if way is None:
        assert moves is None
    else:
        assert moves is not None
        assert way[0] in (source, BLANK)
        assert way[-1] == target
        cost = sum(reset_cost if state == BLANK else 1 for state in way[:-1])
        assert cost == sum(reset_cost if state == BLANK else 1 for state, _, _ in moves)
        assert all(b in model.successors[a] for a, b in itertools.pairwise(way))
        assert [move[0] for move in moves[1:]] == [move[2] for move in moves[:-1]]
    assert toward.way(source) == way


def test_an_unreliable_transition_is_only_a_last_resort() -> None:
    model = model_of([(1, 2), (2, 3)], [1])
    assert Toward(model, 3, inf).way(1) == [1, 2, 3]
    model.record(2, model.event("to 3"), 4)
    assert Toward(model, 3, inf).way(1) is None
    assert any_way(model, 1, lambda state: state == 3, 5) == [
        (1, model.event("to 2"), 2),
        (2, model.event("to 3"), 3),
    ]
