"""The optimal costs against an exhaustive search, a closed form, and published figures."""

import heapq
from collections.abc import Iterable
from math import comb, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.simulation.optimum import OptimumKind, optimum
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies import STRATEGIES
from tests.applications import with_entries

Place = tuple[str | None, frozenset[object]]


@st.composite
def small_applications(draw: st.DrawFn, states: int, transitions: int) -> Application:
    size = draw(st.integers(1, states))
    state = st.integers(0, size - 1)
    table: dict[str, dict[str, str | None]] = {f"s{number}": {} for number in range(size)}
    for number, (source, target) in enumerate(
        draw(st.lists(st.tuples(state, state), max_size=transitions))
    ):
        table[f"s{source}"][f"e{number}"] = f"s{target}"
    return with_entries(Application("s0", table, draw(st.sampled_from([0, 0.5, 1, 2, 5]))))


def cheapest(application: Application, to_end: bool) -> float:
    """Dijkstra over where one is and what one has done: the definition itself."""
    wanted: set[object] = set(application.states)
    if to_end:
        wanted = {(s, e) for s, events in application.states.items() for e in events}
        wanted |= set(application.all_entries)
    queue: list[tuple[float, int, Place]] = [(0, 0, (None, frozenset()))]
    best: dict[Place, float] = {queue[0][2]: 0}
    number = 0
    while queue:
        cost, _, place = heapq.heappop(queue)
        if cost > best[place]:
            continue
        if place[1] == wanted:
            return cost
        for price, target, done in steps(application, place[0], to_end):
            after = (target, place[1] | {done})
            if cost + price < best.get(after, inf):
                number += 1
                best[after] = cost + price
                heapq.heappush(queue, (cost + price, number, after))
    raise AssertionError("no walk does all of it")


def steps(
    application: Application, state: str | None, to_end: bool
) -> Iterable[tuple[float, str, object]]:
    for entry in application.all_entries:
        yield application.reset_cost, entry, entry
    if state is not None:
        for event, target in application.states[state].items():
            assert target is not None
            yield 1, target, ((state, event) if to_end else target)


calm = settings(max_examples=150)


@calm
@given(application=small_applications(states=7, transitions=14))
def test_the_cost_to_all_states_is_that_of_an_exhaustive_search(application: Application) -> None:
    found = optimum(application)
    assert found.kind is OptimumKind.EXACT
    assert found.to_all_states == found.upper_bound
    assert found.to_all_states == pytest.approx(cheapest(application, to_end=False))


@calm
@given(application=small_applications(states=5, transitions=8))
def test_the_cost_to_the_end_is_that_of_an_exhaustive_search(application: Application) -> None:
    assert optimum(application).to_end == pytest.approx(cheapest(application, to_end=True))


@pytest.mark.parametrize("dimension", range(2, 9))
def test_a_hypercube_costs_its_closed_form_to_the_end(dimension: int) -> None:
    resets = comb(dimension, dimension // 2) * ((dimension + 1) // 2)
    events = (2 ** (dimension - 1) * dimension + resets * dimension) // 2
    application = build_model(f"hypercube:dimensions={dimension}")
    assert optimum(application).to_end == events + 3 * resets


def test_the_published_optimum_of_dimension_ten() -> None:
    found = optimum(build_model("hypercube:dimensions=10"))
    assert found.kind is OptimumKind.EXACT
    assert (found.to_all_states, found.to_end) == (2_402, 12_640)


@pytest.mark.parametrize(
    ("model", "published"), [("filetree", 215), ("periodic", 247), ("clips", 164)]
)
def test_some_of_our_models_have_the_published_optimum(model: str, published: int) -> None:
    found = optimum(build_model(model))
    assert found.kind is OptimumKind.EXACT
    assert found.to_all_states == published


@pytest.mark.parametrize("model", ["bank", "company", "clips"])
def test_no_strategy_is_better_than_the_optimum(model: str) -> None:
    application = build_model(model)
    best = optimum(application)
    for strategy in STRATEGIES.values():
        crawl = simulate(application, strategy)
        assert crawl.cost(*crawl.discoveries[-1]) >= best.to_all_states
        assert crawl.cost(crawl.events, crawl.resets) >= best.to_end


def test_dead_ends_cost_a_reset_each() -> None:
    star = Application(
        "hub", {"hub": {f"e{n}": f"s{n}" for n in range(4)}, **{f"s{n}": {} for n in range(4)}}, 10
    )
    assert optimum(star).to_all_states == 4 * 10 + 4


def test_what_is_not_explored_counts_for_nothing_and_chance_for_what_is_likely() -> None:
    application = Application(
        "a",
        {"a": {"go": "b", "never": None, "maybe": "a"}, "b": {}},
        2,
        outcomes={"a": {"maybe": {"a": 1, "b": 3}}},
    )
    found = optimum(application)
    assert (found.to_all_states, found.to_end) == (3, 6)
