"""What effects and adaptive cost beside the published strategies and the optimum."""

import asyncio
from dataclasses import replace

import pytest

from benchmarks.variations import exceptional
from statecrawl.core.application import Application
from statecrawl.core.limits import Limits
from statecrawl.core.session import Crawl
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.run import new_crawl, shuffled, simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.adaptive import Adaptive
from statecrawl.strategies.effects import Effects
from tests.applications import RecordingBrowser

PUBLISHED = ("greedy", "hypercube", "menu", "probability")


def to_all_states(crawl: Crawl) -> float:
    return crawl.cost(*crawl.discoveries[-1])


def cost(application: Application, strategy: StrategyFactory) -> float:
    """Return the median cost to all states over three orders of the events."""
    orders = (application, shuffled(application, 1), shuffled(application, 2))
    limits = Limits(max_states=len(application.states))
    return sorted(to_all_states(simulate(order, strategy, limits=limits)) for order in orders)[1]


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    [
        "filetree:folders=60",
        "bank",
        "hypercube:dimensions=6",
        "files:folders=10,top=4,per_folder=5",
        "bibliography:publications=30,authors=8,years=5,topics=4",
    ],
)
def test_no_published_strategy_finds_all_states_sooner(spec: str) -> None:
    application = build_model(spec)
    best = min(cost(application, STRATEGIES[name]) for name in PUBLISHED)
    assert cost(application, Effects) <= best * 1.1
    assert cost(application, Adaptive) <= best * 1.1


def test_a_tree_of_folders_is_nearly_optimal() -> None:
    application = build_model("filetree:folders=60")
    assert cost(application, Effects) <= 1.3 * (len(application.states) + application.reset_cost)


@pytest.mark.long
def test_lists_of_the_same_things_are_nearly_optimal() -> None:
    """Firing what was never fired first says what it does in all the other lists."""
    application = build_model("bibliography")
    assert cost(application, Effects) <= 1.3 * (len(application.states) + application.reset_cost)


def without_paths(application: Application) -> Application:
    """Return the application as a browser sees it: a control is named by its label alone."""
    states: dict[str, dict[str, str | None]] = {}
    for state, targets in application.states.items():
        named = states[state] = {}
        for event, target in targets.items():
            place, _, path = event.partition(":")
            name = f"{place}:{path.rpartition('/')[2]}"
            while name in named:
                name += "~"
            named[name] = target
    groups = {event: event.partition(":")[0] for events in states.values() for event in events}
    return replace(application, states=states, groups=groups)


def test_names_that_stand_for_another_file_in_each_folder_are_told_apart() -> None:
    application = without_paths(build_model("files:folders=12,top=4,per_folder=6"))
    best = min(cost(application, STRATEGIES[name]) for name in PUBLISHED)
    assert cost(application, Effects) <= best / 2


def test_an_event_that_is_seen_wrongly_does_not_hide_states_behind_all_the_rest() -> None:
    application = shuffled(build_model("files:folders=40,reset_cost=12"), 6)
    states = len(application.states)
    crawl = simulate(application, Adaptive, limits=Limits(max_states=states, max_events=2 * states))
    assert crawl.model.state_count == states


def test_without_regions_adaptive_follows_the_hypercube() -> None:
    application = replace(build_model("hypercube:dimensions=7"), regions={})
    assert cost(application, Adaptive) <= 1.1 * cost(application, STRATEGIES["hypercube"])


def test_two_cursors_do_not_chase_the_same_page() -> None:
    """Each of two switches works once; two ways lead to both, and only one cursor goes there."""
    names = ("00", "10", "01", "11")
    application = Application(
        "00",
        {
            "00": {"one": "10", "two": "01"},
            "10": {"two": "11", "stay": "10"},
            "01": {"one": "11", "stay": "01"},
            "11": {"stay": "11"},
        },
        reset_cost=1,
        regions={name: {"one": name[0], "two": name[1]} for name in names},
    )
    crawl = new_crawl(application, Effects)
    browsers = [RecordingBrowser(application), RecordingBrowser(application)]
    after_both = []
    for _ in range(20):
        plans = [crawl.plan(cursor) for cursor in (0, 1)]
        for cursor, plan in enumerate(plans):
            if plan is not None:
                crawl.observe(asyncio.run(browsers[cursor].execute(plan)), cursor)
        found = [browser.made for browser in browsers]
        after_both = [move for made in found for move in made if move[2] == "11"]
        if after_both:
            break
    assert len([move for move in after_both if move[1] != "stay"]) == 1


def test_where_any_event_may_find_something_nobody_goes_far_for_a_chance() -> None:
    """One transition in twenty is an exception: walking costs more than chances are worth."""
    application = shuffled(exceptional(build_model("clips:clips=30"), 0.05), 1)
    ours, theirs = (simulate(application, each) for each in (Effects, STRATEGIES["greedy"]))
    assert to_all_states(ours) < 1.08 * to_all_states(theirs)


def test_a_page_without_end_does_not_keep_the_rest_waiting() -> None:
    """A calendar: the month before is always new, and so are its days. It has other views, too."""
    months = range(200)
    days = {f"day {month} {day}": f"m{month}" for month in months for day in range(5)}
    states: dict[str, dict[str, str | None]] = {
        f"m{month}": {
            "before": f"m{month + 1}",
            "week": "week",
            "list": "list",
            **{day: own for day, own in days.items() if own == f"m{month}"},
        }
        for month in months
    }
    states |= {"m200": {}, "week": {"month": "m0"}, "list": {"month": "m0"}}
    groups = {"before": "bar", "week": "bar", "list": "bar", "month": "bar"} | dict.fromkeys(
        days, "day"
    )
    application = Application("m0", states, reset_cost=5, groups=groups)
    crawl = simulate(application, Adaptive, limits=Limits(max_states=60))
    assert {"week", "list"} <= set(crawl.model.states)
