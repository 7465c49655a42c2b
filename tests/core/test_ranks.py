"""Ranks of pages and states."""

import networkx
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.ranks import ajax_ranks, page_ranks

GRAPHS = st.dictionaries(
    st.integers(0, 6), st.sets(st.integers(0, 6), max_size=4), min_size=1, max_size=7
)


@given(GRAPHS)
def test_page_rank_is_where_a_reader_ends_up(links: dict[int, set[int]]) -> None:
    graph = networkx.DiGraph()
    graph.add_nodes_from(links)
    graph.add_edges_from((a, b) for a, targets in links.items() for b in targets if b in links)
    steps = networkx.google_matrix(graph, alpha=0.85)
    known = numpy.linalg.matrix_power(steps, 200)[0]
    for number, rank in enumerate(page_ranks(links).values()):
        assert rank == pytest.approx(known[number] * len(links), abs=0.01)


def test_ajax_rank_of_two_states_is_what_the_formula_gives() -> None:
    ranks = ajax_ranks({"a": ["b"], "b": ["a"], "c": []}, ["a"])
    # r(a) = 0.15 + 0.85 r(b), r(b) = 0.85 r(a)
    assert ranks["a"] == pytest.approx(0.15 / (1 - 0.85**2), abs=1e-3)
    assert ranks["b"] == pytest.approx(0.85 * ranks["a"], abs=1e-3)
    assert ranks["c"] == 0


def test_documents_apart_are_ranked_as_if_alone() -> None:
    alone = ajax_ranks({"a": ["b"], "b": []}, ["a"])
    both = ajax_ranks({"a": ["b"], "b": [], "c": ["d"], "d": ["c"]}, ["a", "c"])
    assert {state: both[state] for state in alone} == pytest.approx(alone, abs=1e-3)
