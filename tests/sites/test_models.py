"""The built-in models have the sizes of Table I and are what an application must be."""

from collections import Counter
from itertools import chain
from json import dumps
from math import comb

import pytest

from statecrawl.core.application import Application, checked
from statecrawl.errors import InputError
from statecrawl.sites.models import LARGE_BIBLIOGRAPHY, LARGE_FILETREE, MODELS, build_model
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.hypercube import hypercube
from statecrawl.sites.models.videos import page_count

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
# Table VIII of AJAX Crawl. Its events are those of the comments and the load of each document;
# links to other documents were not counted.
VIDEOS = "videos:videos=10000"
SIZES = (
    TABLE_1
    | GROWN
    | {VIDEOS: (41_572, 187_980 - 10_000 + 4 * 41_572, 2)}
    # Ours, of no study.
    | {"modern": (34, 485, 2), "widgets": (125, 1_875, 2), "sections": (511, 1_020, 2)}
)


@pytest.fixture(scope="module", params=SIZES)
def spec(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def application(spec: str) -> Application:
    return build_model(spec)


def test_every_model_is_in_the_table() -> None:
    assert list(MODELS) == [*TABLE_1, "videos", "modern", "widgets", "sections"]


def test_size_and_cost_of_reset(spec: str, application: Application) -> None:
    states, transitions, reset_cost = SIZES[spec]
    tolerance = 0.03 if spec in TABLE_1 else 0.01
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


def test_most_videos_have_one_page_of_comments() -> None:
    pages = Counter(page_count(video, 10) for video in range(1, 10_001))
    assert sorted(pages) == list(range(1, 11))
    assert max(pages, key=lambda count: pages[count]) == 1
    assert sum(count * videos for count, videos in pages.items()) / 10_000 == pytest.approx(
        4.16, 0.01
    )


@pytest.mark.parametrize(("videos", "related"), [(1, 1), (2, 4), (7, 1), (50, 3), (1_000, 4)])
def test_every_video_is_reached_over_related_ones(videos: int, related: int) -> None:
    states = MODELS["videos"](videos=videos, related=related).states
    assert {state.partition(",")[0] for state in states} == {
        f"video {video}" for video in range(1, videos + 1)
    }


def test_comments_have_neighbours() -> None:
    states = MODELS["videos"](videos=1, comment_pages=5).states
    assert states["video 1, page 4"] == {
        "comments:previous": "video 1, page 3",
        "comments:2": "video 1, page 2",
        "comments:3": "video 1, page 3",
        "comments:5": "video 1, page 5",
        "comments:next": "video 1, page 5",
    }


def test_too_many_combinations_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="the model would have 390,625 states"):
        build_model("widgets:count=8,values=5")


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
