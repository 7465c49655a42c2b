"""The built-in models have the sizes of Table I and are what an application must be."""

from itertools import chain
from json import dumps
from math import comb

import pytest

from statecrawl.core.application import Application, checked
from statecrawl.errors import InputError
from statecrawl.sites.models import LARGE_BIBLIOGRAPHY, LARGE_FILETREE, MODELS, build_model
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.hypercube import hypercube

# Table I of the model-based crawling article: states, transitions, cost of reset.
TABLE_1 = {
    "hypercube": (1_024, 5_120, 3),
    "filetree": (214, 8_428, 2),
    "periodic": (240, 29_034, 8),
    "bibliography": (1_800, 145_811, 2),
    "files": (1_360, 43_816, 10),
    "clips": (129, 10_580, 18),
    "bank": (45, 1_210, 2),
    "company": (39, 305, 2),
}
# Section 5.2 of the article on crawling with partial knowledge.
GROWN = {
    LARGE_FILETREE: (4_622, 429_654, 12),
    LARGE_BIBLIOGRAPHY: (5_082, 468_971, 3),
}
SIZES = TABLE_1 | GROWN


@pytest.fixture(scope="module", params=SIZES)
def spec(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def application(spec: str) -> Application:
    return build_model(spec)


def test_every_model_is_in_the_table() -> None:
    assert list(MODELS) == list(TABLE_1)


def test_size_and_cost_of_reset(spec: str, application: Application) -> None:
    states, transitions, reset_cost = SIZES[spec]
    tolerance = 0.01 if spec in GROWN else 0.03
    assert len(application.states) == pytest.approx(states, rel=tolerance)
    assert application.transition_count == pytest.approx(transitions, rel=tolerance)
    assert application.reset_cost == reset_cost


def test_is_a_proper_application(application: Application) -> None:
    assert checked(application) is application


def test_regions_identify_the_states(application: Application) -> None:
    assert application.regions.keys() == application.states.keys()
    shown = {frozenset(regions.items()) for regions in application.regions.values()}
    assert len(shown) == len(application.states)


def test_every_event_has_a_group(application: Application) -> None:
    assert application.groups.keys() == set(chain.from_iterable(application.states.values()))


def test_names_are_kept_once(application: Application) -> None:
    names = {name: name for name in application.states}
    events = {event: event for event in application.groups}
    for outgoing in application.states.values():
        assert all(names[target] is target for target in outgoing.values() if target is not None)
        assert all(events[event] is event for event in outgoing)


@pytest.mark.parametrize("name", MODELS)
def test_same_when_built_twice(name: str) -> None:
    assert dumps(MODELS[name]().to_json()) == dumps(MODELS[name]().to_json())


@pytest.mark.parametrize("dimensions", range(1, 9))
def test_hypercube_is_exact(dimensions: int) -> None:
    states = hypercube(dimensions=dimensions).states
    levels = [state.count("1") for state in states]
    assert [levels.count(k) for k in range(dimensions + 1)] == [
        comb(dimensions, k) for k in range(dimensions + 1)
    ]
    for state, events in states.items():
        assert events == {
            f"e{i + 1}": f"{state[:i]}1{state[i + 1 :]}"
            for i in range(dimensions)
            if state[i] == "0"
        }


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("filetree", "/"),
        ("periodic", "H"),
        ("bibliography", "all, page 1"),
        ("files", "/, as icons"),
        ("bank", "public/home"),
    ],
)
def test_only_a_reset_leads_back_to_the_first_page(name: str, page: str) -> None:
    application = MODELS[name]()
    reached = {page}
    waiting = [page]
    while waiting:
        fresh = set(application.targets(waiting.pop())) - reached
        reached |= fresh
        waiting.extend(fresh)
    assert application.initial not in reached


@pytest.mark.parametrize(("name", "count"), [("clips", 2), ("bank", 3), ("company", 0)])
def test_dead_ends(name: str, count: int) -> None:
    assert sum(not events for events in MODELS[name]().states.values()) == count


class _Broken:
    """Two pages under one name, each with one control."""

    start = 0

    def name(self, page: int) -> str:
        return f"page {page * 0}"

    def regions(self, page: int) -> dict[str, str]:
        return {"page": str(page)}

    def controls(self, page: int) -> list[Control[int]]:
        return [Control("button", "flip", 1 - page)]


def test_two_pages_of_one_name_are_a_fault() -> None:
    with pytest.raises(ValueError, match="two pages are named"):
        explore(_Broken(), reset_cost=1)


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.sites.models.explore.MAX_TRANSITIONS", 11)
    hypercube(dimensions=2)
    with pytest.raises(InputError, match="more than 11 transitions"):
        hypercube(dimensions=3)
