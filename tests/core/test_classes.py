"""Near-duplicate classes, and the graph that a threshold would have given."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.classes import Edge, Resolver, classes, curve, thinned
from statecrawl.core.resemblance import Features, NearEquivalence
from statecrawl.equivalences import near_equivalence

BRODER = near_equivalence("broder").resemblance


def pages(**sets: str) -> dict[str, Features]:
    return {
        name: np.array(sorted(map(ord, letters)), dtype=np.uint64) for name, letters in sets.items()
    }


def at(threshold: float) -> NearEquivalence:
    return NearEquivalence(BRODER, threshold)


NEAR = pages(a="uvwx", b="uvwy", c="uvzy")
"""Half of the letters of a are not in c; b is between them (3 of 5 in common with both)."""


def test_near_is_not_transitive_so_only_representatives_are_compared() -> None:
    found = classes(at(0.4), NEAR)
    assert found.members == {"a": ("a", "b"), "c": ("c",)}
    assert found.decisions["b"].distance == pytest.approx(0.4)
    assert not found.decisions["b"].is_new
    assert classes(at(0.4), {name: NEAR[name] for name in "bac"}).members == {"b": ("b", "a", "c")}


def test_the_nearest_representative_takes_a_state_in() -> None:
    found = classes(at(0.8), pages(a="uvwx", b="ghij", c="uvgh", d="hijk"))
    assert found.representative("d") == "b"
    assert found.representative("unheard of") == "unheard of"


def test_the_curve_to_choose_on() -> None:
    assert curve(BRODER, NEAR, [0, 0.4, 1]) == {0: 3, 0.4: 2, 1: 1}


def test_what_only_a_merged_state_led_to_is_lost() -> None:
    edges = [Edge("", "load", "a"), Edge("a", "x", "b"), Edge("b", "y", "c"), Edge("a", "z", "a")]
    found = thinned(at(0.4), NEAR, edges)
    assert found.states == ("a",)
    assert found.lost == ("c",)
    assert found.edges == (Edge("", "load", "a"), Edge("a", "x", "a"), Edge("a", "z", "a"))
    whole = thinned(at(0), NEAR, edges)
    assert (whole.states, whole.lost) == (("a", "b", "c"), ())
    assert sorted(whole.edges) == sorted(edges)


def test_a_state_that_later_ones_lead_back_to_is_met_in_its_turn() -> None:
    edges = [Edge("", "load", "a"), Edge("a", "x", "c"), Edge("c", "y", "b")]
    found = thinned(at(0.4), NEAR, edges)
    assert found.states == ("a", "c")
    assert found.classes.representative("b") in {"a", "c"}
    assert found.lost == ()


@given(
    sets=st.lists(st.sets(st.integers(0, 12)), min_size=1, max_size=12),
    links=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11))),
    threshold=st.floats(0, 1),
)
def test_a_graph_as_a_crawl_would_have_found_it(
    sets: list[set[int]], links: list[tuple[int, int]], threshold: float
) -> None:
    features = {f"s{n}": np.array(sorted(each), dtype=np.uint64) for n, each in enumerate(sets)}
    edges = [Edge("", "load", "s0")]
    edges += [
        Edge(f"s{a}", f"e{n}", f"s{b}") for n, (a, b) in enumerate(links) if max(a, b) < len(sets)
    ]
    found = thinned(at(threshold), features, edges)
    assert found.states[0] == "s0"
    assert set(found.classes.decisions) | set(found.lost) == set(features)
    assert all({edge.source, edge.target} <= {"", *found.states} for edge in found.edges)
    reached = {""}
    while more := {e.target for e in found.edges if e.source in reached} - reached:
        reached |= more
    assert reached == {"", *found.states}
    for number, one in enumerate(found.states):
        for other in found.states[:number]:
            assert BRODER.distance(features[one], features[other]) > threshold


def test_a_resolver_decides_as_states_come() -> None:
    resolver = Resolver(at(0.4))
    decisions = [resolver.decide(name, each) for name, each in NEAR.items()]
    assert decisions == list(classes(at(0.4), NEAR).decisions.values())
