import heapq
import math
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.errors import InputError
from statecrawl.simulation.optimum import MAX_RESET_COST, OptimumKind, optimum

Place = str | None  # None: the blank tab


def hypercube(dimensions: int, reset_cost: float = 3) -> Application:
    states = {
        str(state): {
            f"e{bit}": str(state | 1 << bit) for bit in range(dimensions) if not state >> bit & 1
        }
        for state in range(2**dimensions)
    }
    return Application(initial="0", states=states, reset_cost=reset_cost)


def steps(application: Application, place: Place) -> Iterator[tuple[object, str, float]]:
    """Yield what can be done at a place: its identity, where it leads and what it costs."""
    if place is not None:
        for event, target in application.states[place].items():
            if target is not None:
                yield (place, event), target, 1
    for entry in application.all_entries:
        yield entry, entry, application.reset_cost


def cheapest(application: Application, *, to_end: bool) -> float:
    """Search all walks: what is left to do is all states, or all transitions and entries."""
    states = application.states
    goal = {step for place in (None, *states) for step, _, _ in steps(application, place)}
    everything = frozenset(goal) if to_end else frozenset(states)
    heap: list[tuple[float, int, Place, frozenset[object]]] = [(0, 0, None, everything)]
    best: set[tuple[Place, frozenset[object]]] = set()
    number = 0
    while heap:
        cost, _, place, left = heapq.heappop(heap)
        if not left:
            return cost
        if (place, left) in best:
            continue
        best.add((place, left))
        for step, target, price in steps(application, place):
            number += 1
            done = step if to_end else target
            heapq.heappush(heap, (cost + price, number, target, left - {done}))
    raise AssertionError("some state cannot be reached")


@st.composite
def applications(draw: st.DrawFn, max_states: int, max_events: int) -> Application:
    """Draw an application whose states can all be reached, most of them in several ways."""
    names = [f"s{i}" for i in range(draw(st.integers(1, max_states)))]
    targets = st.sampled_from([*names, None])
    states = {name: dict(enumerate(draw(st.lists(targets, max_size=max_events)))) for name in names}
    entries = draw(st.lists(st.sampled_from(names), max_size=2))
    reached = {names[0], *entries}
    waiting = list(reached)
    while True:
        while waiting:
            fresh = {t for t in states[waiting.pop()].values() if t is not None} - reached
            reached |= fresh
            waiting.extend(fresh)
        lost = next((name for name in names if name not in reached), None)
        if lost is None:
            break
        source = draw(st.sampled_from(sorted(reached)))
        states[source][len(states[source])] = lost
        reached.add(lost)
        waiting.append(lost)
    return Application(
        initial=names[0],
        states={s: {f"e{event}": t for event, t in events.items()} for s, events in states.items()},
        reset_cost=draw(st.sampled_from([0, 1, 2, 3, 5, 0.5, 1.25, 2.1, 4.999])),
        entries=entries,
    )


@settings(deadline=None, max_examples=150)
@given(applications(max_states=7, max_events=3))
def test_cost_to_all_states_is_that_of_the_cheapest_walk(application: Application) -> None:
    found = optimum(application)
    assert found.kind is OptimumKind.EXACT
    assert found.to_all_states == pytest.approx(cheapest(application, to_end=False))
    assert found.upper_bound == found.to_all_states


@settings(deadline=None, max_examples=60)
@given(applications(max_states=4, max_events=2))
def test_cost_to_the_end_is_that_of_the_cheapest_walk(application: Application) -> None:
    expected = cheapest(application, to_end=True)
    assert optimum(application).to_end == pytest.approx(expected)


@pytest.mark.parametrize("n", range(2, 9))
def test_hypercube_needs_as_much_as_proved(n: int) -> None:
    resets = math.comb(n, n // 2) * math.ceil(n / 2)
    events = 2 ** (n - 2) * n + resets * n // 2
    assert optimum(hypercube(n, reset_cost=3)).to_end == events + 3 * resets


def test_hypercube_of_the_paper() -> None:
    found = optimum(hypercube(10, reset_cost=3))
    assert (found.to_all_states, found.kind, found.to_end) == (2402, "exact", 12_640)


def test_star_of_dead_ends_needs_a_reset_for_each() -> None:
    leaves = [f"leaf {i}" for i in range(5)]
    star = Application(
        initial="hub",
        states={"hub": {f"open {leaf}": leaf for leaf in leaves}, **{leaf: {} for leaf in leaves}},
        reset_cost=2.5,
    )
    assert optimum(star).to_all_states == 5 * (2.5 + 1)


def test_entry_that_no_event_leads_to_is_loaded() -> None:
    application = Application(
        initial="a",
        states={"a": {"next": "b"}, "b": {"next": "a"}, "help": {}},
        reset_cost=4,
        entries=["a", "help"],
    )
    found = optimum(application)
    assert found.to_all_states == 2 * 4 + 1
    assert found.to_end == 2 * 4 + 2


def test_self_loops_and_parallel_events_cost_only_on_the_way_to_the_end() -> None:
    application = Application(
        initial="a", states={"a": {"x": "a", "y": "a", "z": "b", "w": "b"}, "b": {"back": "a"}}
    )
    found = optimum(application)
    assert (found.to_all_states, found.to_end) == (2, 1 + 2 + 3)


@pytest.mark.parametrize("reset_cost", [1, 50])
def test_rounds_that_no_walk_passes_between_are_not_taken_for_one(reset_cost: float) -> None:
    """The cheapest flow goes round in each pair of pages; only the hub joins them."""
    pairs = range(12)
    states = {"hub": {f"go {i}": f"{i} a" for i in pairs}}
    for i in pairs:
        states[f"{i} a"] = {"there": f"{i} b", "up": "hub"}
        states[f"{i} b"] = {"back": f"{i} a"}
    found = optimum(Application(initial="hub", states=states, reset_cost=reset_cost))
    to_next = min(4, 2 + reset_cost + 1 - 1)  # back, up, go, there; or there after a reset
    assert found.kind is OptimumKind.EXACT
    assert found.to_all_states == reset_cost + 2 + 11 * to_next


def test_a_path_through_a_grid_is_found() -> None:
    size = 9
    states = {
        f"{x} {y}": {
            f"{dx} {dy}": f"{x + dx} {y + dy}"
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= x + dx < size and 0 <= y + dy < size
        }
        for x in range(size)
        for y in range(size)
    }
    found = optimum(Application(initial="0 0", states=states, reset_cost=7))
    assert (found.to_all_states, found.kind) == (7 + size**2 - 1, "exact")


def test_same_model_gives_same_answer() -> None:
    states = {
        str(i): {"double": str(2 * i % 97), "square": str(i * i % 97), "back": str((i + 96) % 97)}
        for i in range(97)
    }
    application = Application(initial="1", states=states, reset_cost=2)
    assert optimum(application) == optimum(application)


def test_unexplored_events_are_no_way() -> None:
    application = Application(
        initial="a", states={"a": {"x": "b", "y": "c"}, "b": {"z": None}, "c": {}}, reset_cost=3
    )
    assert optimum(application).to_all_states == 2 * 3 + 2


def test_event_counts_as_leading_to_its_most_frequent_outcome() -> None:
    application = Application(
        initial="a",
        states={"a": {"x": "b", "y": "c"}, "b": {}, "c": {"z": "b"}, "rare": {}},
        outcomes={"a": {"x": {"b": 1, "c": 3, "rare": 1}}},
    )
    assert optimum(application).to_all_states == 1 + 2  # a, c, b; `rare` is left out


def test_reset_cost_that_flows_cannot_hold_is_refused() -> None:
    application = replace(hypercube(2), reset_cost=MAX_RESET_COST)
    assert optimum(application).to_all_states == 2 * MAX_RESET_COST + 3
    with pytest.raises(InputError, match="from 0 to 1,000,000"):
        optimum(replace(application, reset_cost=MAX_RESET_COST + 1))


def test_without_or_tools_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("statecrawl.simulation.")]:
        monkeypatch.delitem(sys.modules, module)
    for module in [name for name in sys.modules if name.partition(".")[0] == "ortools"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "ortools", None)
    with pytest.raises(InputError, match=r"pip install 'statecrawl\[lab\]'"):
        optimum(hypercube(2))
