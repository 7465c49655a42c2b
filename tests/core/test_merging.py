"""The table behind the slider says what a look at each threshold would say."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.classes import Edge, thinned
from statecrawl.core.merging import merge_table, merged_at, thresholds_of
from statecrawl.equivalences import near_equivalence

BRODER = near_equivalence("broder:threshold=0")


@given(
    sets=st.lists(st.sets(st.integers(0, 12)), min_size=1, max_size=12),
    links=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30),
    groups=st.lists(st.booleans(), min_size=12, max_size=12),
    threshold=st.sampled_from(thresholds_of(BRODER)),
)
def test_every_threshold_is_as_if_it_were_tried(
    sets: list[set[int]], links: list[tuple[int, int]], groups: list[bool], threshold: float
) -> None:
    features = {f"s{n}": np.array(sorted(each), dtype=np.uint64) for n, each in enumerate(sets)}
    edges = [Edge("", "load", "s0")]
    edges += [
        Edge(f"s{a}", f"e{n}", f"s{b}") for n, (a, b) in enumerate(links) if max(a, b) < len(sets)
    ]
    group = {f"s{n}": each for n, each in enumerate(groups)}
    steps = merge_table(BRODER, features, edges, group)
    found = thinned(BRODER.at(threshold), features, edges, group)
    standing = {**{state: state for state in features}, **merged_at(steps, threshold)}
    assert standing == {
        **dict.fromkeys(found.lost),
        **{state: decision.representative for state, decision in found.classes.decisions.items()},
    }
    last = [step for step in steps if step.threshold <= threshold][-1]
    assert last.states == len(found.states)


def test_few_thresholds_are_tried_where_little_happens() -> None:
    features = {name: np.array([n], dtype=np.uint64) for n, name in enumerate("abcdefgh")}
    edges = [Edge("", "load", name) for name in features]
    tried: list[int] = []
    steps = merge_table(BRODER, features, edges, told=lambda done, _: tried.append(done))
    assert [(step.threshold, step.states) for step in steps] == [(0, 8), (1, 1)]
    assert tried[-1] < 12


def test_whole_distances_are_tried_one_by_one() -> None:
    crawlhash = near_equivalence("crawlhash:threshold=60")
    assert thresholds_of(crawlhash) == [60, 61, 62, 63, 64]
