"""Covering content: independent parts are crawled separately, and nothing that shows is missed."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.parts import Coverage
from statecrawl.core.session import Crawl
from statecrawl.core.stopping import StopReason
from statecrawl.simulation.run import shuffled, simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies import STRATEGIES

Part = list[dict[str, int]]
"""For each value of a part: where its events lead."""


def covered(application: Application, strategy: str = "greedy") -> Crawl:
    return simulate(application, STRATEGIES[strategy], coverage=Coverage.CONTENT)


def content(application: Application) -> set[tuple[str, str]]:
    """Everything that regions show anywhere."""
    return {each for shown in application.regions.values() for each in shown.items()}


def found(crawl: Crawl) -> set[tuple[str, str]]:
    return {each for shown in crawl.model.regions for each in shown.items()}


def side_by_side(parts: list[Part]) -> Application:
    """A page of parts that have nothing to do with each other."""
    states: dict[str, dict[str, str | None]] = {}
    regions = {}
    for values in product(*map(reachable, parts)):
        name = str(values)
        regions[name] = {f"part {n}": str(value) for n, value in enumerate(values)}
        states[name] = {
            f"{n}:{event}": str((*values[:n], target, *values[n + 1 :]))
            for n, value in enumerate(values)
            for event, target in parts[n][value].items()
        }
    return Application(next(iter(states)), states, regions=regions)


def reachable(part: Part) -> list[int]:
    values = [0]
    for value in values:
        values.extend(t for t in dict.fromkeys(part[value].values()) if t not in values)
    return values


def parts(values: int, events: str) -> st.SearchStrategy[Part]:
    targets = st.integers(0, values - 1)
    leads = st.dictionaries(st.sampled_from(events), targets, max_size=len(events))
    return st.lists(leads, min_size=values, max_size=values)


@settings(max_examples=60)
@given(page=st.lists(parts(3, "abc"), min_size=1, max_size=4))
def test_all_that_independent_parts_show_is_found(page: list[Part]) -> None:
    application = side_by_side(page)
    crawl = covered(application)
    assert found(crawl) == content(application)
    is_whole = len(crawl.not_combined) == 0
    assert crawl.stop_reason is (StopReason.COMPLETE if is_whole else StopReason.CONTENT)
    explored = crawl.model.transition_count
    known = sum(len(crawl.model.enabled[state]) for state in range(1, len(crawl.model.states)))
    assert explored + len(crawl.not_combined) == known


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_widgets_cost_a_sum_and_no_product(strategy: str) -> None:
    application = build_model("widgets:count=4,values=5")
    crawl = covered(application, strategy)
    assert found(crawl) == content(application)
    assert crawl.stop_reason is StopReason.CONTENT
    assert crawl.model.transition_count <= 2 * 4 * 5 * 5  # of 12,500
    assert crawl.not_combined


@pytest.mark.parametrize(
    ("spec", "share"),
    [
        ("hypercube", 0.05),
        ("filetree:folders=40", 1.0),
        ("periodic:elements=20", 0.75),
        pytest.param(
            "bibliography:publications=20,authors=4,topics=3,per_page=5",
            0.75,
            marks=pytest.mark.xfail(
                strict=True, reason="no region of the model says whether there is a next page"
            ),
        ),
        ("files:folders=5", 0.9),
        ("clips:clips=12,tags=3,users=3", 1.0),
        ("bank", 1.0),
        ("company", 0.9),
    ],
)
def test_every_region_of_the_models_shows_all_it_can(spec: str, share: float) -> None:
    application = build_model(spec)
    for seed in range(2):
        crawl = covered(shuffled(application, seed))
        assert found(crawl) == content(application)
        assert crawl.model.transition_count <= share * application.transition_count


def test_what_hangs_on_another_part_is_found_although_it_never_changes_that() -> None:
    """`open` shows the detail of what is chosen: the same button, a region of its own."""
    states: dict[str, dict[str, str | None]] = {}
    regions = {}
    items = [str(number) for number in range(8)]
    for item, detail in product(items, ["", *items]):
        states[f"{item}/{detail}"] = {
            **{f"choose {other}": f"{other}/" for other in items},
            "open": f"{item}/{item}",
        }
        regions[f"{item}/{detail}"] = {"list": item, "detail": detail}
    application = Application("0/", states, regions=regions)
    assert found(covered(application)) == content(application)


def test_without_regions_every_state_is_content() -> None:
    application = build_model("company:products=1,services=1,articles=1")
    bare = Application(application.initial, application.states)
    crawl = covered(bare)
    assert crawl.stop_reason is StopReason.COMPLETE
    assert crawl.model.state_count == len(application.states)


def test_states_that_show_the_same_are_still_told_apart() -> None:
    """Twins in every region, of which only one leads on."""
    states: dict[str, dict[str, str | None]] = {
        "start": {"left": "one", "right": "two"},
        "one": {"go": "one"},
        "two": {"go": "end"},
        "end": {},
    }
    shown = {"start": "start", "one": "twin", "two": "twin", "end": "end"}
    regions = {state: {"page": value} for state, value in shown.items()}
    crawl = covered(Application("start", states, regions=regions))
    assert "end" in crawl.model.states
