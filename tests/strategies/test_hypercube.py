"""The closed form of section 6.5, and the example of section 5.4 step by step."""

import asyncio
from math import comb

import pytest

from statecrawl.core.application import Application
from statecrawl.core.session import Crawl
from statecrawl.simulation.run import new_crawl, shuffled, simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.metamodel import Violation
from tests.applications import RecordingBrowser, explored_model


def crawl_cube(dimension: int, seed: int | None = None) -> Crawl:
    application = build_model(f"hypercube:dimensions={dimension}")
    if seed is not None:
        application = shuffled(application, seed)
    return simulate(application, STRATEGIES["hypercube"])


@pytest.mark.parametrize("dimension", range(2, 13))
def test_the_cost_of_a_hypercube_is_optimal(dimension: int) -> None:
    crawl = crawl_cube(dimension)
    resets = comb(dimension, dimension // 2) * ((dimension + 1) // 2)
    assert crawl.resets == resets
    assert 2 * crawl.events == 2 ** (dimension - 1) * dimension + resets * dimension
    assert crawl.model.transition_count == dimension * 2 ** (dimension - 1)
    _, resets_to_all_states = crawl.discoveries[-1]
    assert len(crawl.discoveries) == 2**dimension
    assert resets_to_all_states == comb(dimension, dimension // 2)


def test_the_published_figures_of_dimension_ten() -> None:
    crawl = crawl_cube(10)
    assert (crawl.events, crawl.resets) == (8_860, 1_260)
    events, resets = crawl.discoveries[-1]
    assert resets == 252
    assert 2_009 <= events <= 2_085
    assert isinstance(crawl.strategy, Hypercube)
    assert not crawl.strategy.violations


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_events_does_not_matter(seed: int) -> None:
    crawl = crawl_cube(8, seed)
    assert (crawl.events, crawl.resets) == (1_632, 280)
    assert crawl.discoveries[-1][1] == 70


def test_ways_are_explored_transitions_and_then_only_unexplored_ones() -> None:
    """Section 6.1.2, and as many unexplored ones as there are."""
    application = build_model("hypercube:dimensions=6")
    crawl = new_crawl(application, STRATEGIES["hypercube"])
    browser = RecordingBrowser(application)
    known: set[tuple[str, str]] = set()
    explored = []
    while (plan := crawl.plan()) is not None:
        made = len(browser.made)
        crawl.observe(asyncio.run(browser.execute(plan)))
        was_new = [(source, event) not in known for source, event, _ in browser.made[made:]]
        assert was_new == sorted(was_new)
        explored.append(sum(was_new))
        known.update((source, event) for source, event, _ in browser.made[made:])
    assert max(explored) > 1


@pytest.mark.parametrize(
    ("strategy", "to_all_states", "to_the_end"),
    [
        ("depth_first", (23_033, 4_090), (23_050, 4_098)),
        ("breadth_first", (28_070, 5_111), (28_160, 5_120)),
    ],
)
def test_the_standard_strategies_cost_what_was_published(
    strategy: str, to_all_states: tuple[int, int], to_the_end: tuple[int, int]
) -> None:
    crawl = simulate(build_model("hypercube:dimensions=10"), STRATEGIES[strategy])
    assert crawl.discoveries[-1] == to_all_states
    assert (crawl.events, crawl.resets) == to_the_end


EXAMPLE = Application(
    "s1",
    {
        "s1": {"e1": "s2", "e2": "s3", "e3": "s5"},
        "s2": {"e2": "s3", "e3": "s8"},
        "s3": {"e3": "s4"},
        "s4": {},
        "s5": {"e1": "s6", "e2": "s6"},
        "s6": {"e2": "s7"},
        "s7": {"e4": "s8", "e5": "s7"},
        "s8": {"e4": "s1"},
    },
    reset_cost=1,
)


def test_the_example_of_the_paper_step_by_step() -> None:
    """Section 5.4: the first chain holds, the second breaks at once, the third at its end."""
    crawl = new_crawl(EXAMPLE, STRATEGIES["hypercube"])
    strategy = crawl.strategy
    assert isinstance(strategy, Hypercube)
    browser = RecordingBrowser(EXAMPLE)
    history = []
    while (plan := crawl.plan()) is not None:
        before = strategy.violations.copy()
        crawl.observe(asyncio.run(browser.execute(plan)))
        history.append((browser.made[-1], set(strategy.violations - before)))
    assert history[1:8] == [
        (("s1", "e1", "s2"), set()),
        (("s2", "e2", "s3"), set()),
        (("s3", "e3", "s4"), set()),
        (("s1", "e2", "s3"), {Violation.MERGE, Violation.DISAPPEARING}),
        (("s1", "e3", "s5"), set()),
        (("s5", "e1", "s6"), set()),
        (("s6", "e2", "s7"), {Violation.SPLIT, Violation.APPEARING}),
    ]
    # The new hypercube of dimension 2, based on s7, comes next.
    assert history[8][0][0] == "s7"
    assert explored_model(crawl) == EXAMPLE.states
