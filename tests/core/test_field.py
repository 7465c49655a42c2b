"""The field against a search of the whole graph, whatever happens in between."""

import itertools
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.field import Field
from statecrawl.core.model import BLANK

SIZE = 7
nodes = st.integers(0, SIZE - 1)
tolls = st.sampled_from([0, 1, 2.5, -1, inf])
changes = st.lists(
    st.one_of(
        st.tuples(st.just("toll"), nodes, tolls),
        st.tuples(st.just("edge"), nodes, nodes),
        st.tuples(st.just("cut"), nodes, nodes),
        st.tuples(st.just("rewire"), nodes, nodes),
        st.tuples(st.just("ask"), nodes, nodes),
    ),
    max_size=40,
)


class Graph:
    """A field with what it is told, and the truth beside it."""

    def __init__(self, reset_cost: float) -> None:
        self.reset_cost = reset_cost
        self.toll: list[float] = [inf] * SIZE
        self.successors: list[dict[int, None]] = [{} for _ in range(SIZE)]
        self.predecessors: list[dict[int, None]] = [{} for _ in range(SIZE)]
        self.field = Field(
            self.toll.__getitem__,
            self.successors.__getitem__,
            self.predecessors.__getitem__,
            reset_cost,
        )
        for state in range(SIZE):
            self.field.add_state(state)

    def set_toll(self, state: int, toll: float) -> None:
        self.toll[state] = toll
        self.field.ease(state)

    def add_edge(self, source: int, target: int) -> None:
        if target not in (source, BLANK):
            self.successors[source][target] = None
            self.predecessors[target][source] = None
            self.field.add_edge(source, target)

    def cut_edge(self, source: int, target: int) -> None:
        if target in self.successors[source]:
            del self.successors[source][target], self.predecessors[target][source]
            self.field.drop_edges(source)

    def rewire(self, state: int, target: int) -> None:
        """Let all edges of a state go, and two others come."""
        for each in self.successors[state]:
            del self.predecessors[each][state]
        self.successors[state].clear()
        for each in {target, (target + 1) % SIZE} - {state, BLANK}:
            self.successors[state][each] = None
            self.predecessors[each][state] = None
        self.field.rewire(state)

    def cost_of(self, way: list[int]) -> float:
        goal = way[-1]
        cost = self.toll[goal] + (self.reset_cost - 1 if goal == BLANK else 0)
        for state, target in itertools.pairwise(way):
            assert target in self.successors[state]
            cost += self.reset_cost if state == BLANK else 1
        return cost

    def cheapest(self, start: int) -> float:
        """Bellman and Ford, without any memory."""
        best = [
            toll + (self.reset_cost - 1 if s == BLANK else 0) for s, toll in enumerate(self.toll)
        ]
        for _ in range(SIZE):
            for state in range(SIZE):
                step = self.reset_cost if state == BLANK else 1
                for target in self.successors[state]:
                    best[state] = min(best[state], best[target] + step)
        return min(best[start], best[BLANK])


@settings(max_examples=500)
@given(changes=changes, reset_cost=st.sampled_from([0, 0.5, 1, 3]))
def test_a_way_is_always_as_cheap_as_a_search_finds(
    changes: list[tuple[str, int, float]], reset_cost: float
) -> None:
    graph = Graph(reset_cost)
    for kind, state, value in changes:
        if kind == "toll":
            graph.set_toll(state, value)
        elif kind == "edge":
            graph.add_edge(state, int(value))
        elif kind == "cut":
            graph.cut_edge(state, int(value))
        elif kind == "rewire":
            graph.rewire(state, int(value))
        else:
            way = graph.field.way(state)
            expected = graph.cheapest(state)
            if way is None:
                assert expected == inf
            else:
                assert way[0] in (state, BLANK)
                assert abs(graph.cost_of(way) - expected) < 1e-9


def test_events_are_preferred_to_a_reset_of_the_same_cost() -> None:
    graph = Graph(reset_cost=1)
    graph.add_edge(BLANK, 1)
    graph.add_edge(2, 1)
    graph.set_toll(1, 0)
    assert graph.field.way(2) == [2, 1]
    assert graph.field.way(3) == [BLANK, 1]


def test_events_are_preferred_even_when_a_reset_once_was_cheaper() -> None:
    graph = Graph(reset_cost=1)
    for source, target in ((BLANK, 1), (1, 5), (2, 3), (3, 5)):
        graph.add_edge(source, target)
    graph.set_toll(1, 0)
    assert graph.field.way(2) == [BLANK, 1]
    graph.set_toll(1, inf)
    graph.set_toll(5, 0)
    assert graph.field.way(2) == [2, 3, 5]


def test_a_ring_without_a_goal_is_noticed() -> None:
    graph = Graph(reset_cost=1)
    for state in range(1, SIZE):
        graph.add_edge(state, state % (SIZE - 1) + 1)
    graph.set_toll(3, 0)
    assert graph.field.way(4) == [4, 5, 6, 1, 2, 3]
    graph.set_toll(3, inf)
    assert graph.field.way(4) is None
    graph.set_toll(5, 0)
    assert graph.field.way(4) == [4, 5]
