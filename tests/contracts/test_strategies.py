"""What every strategy has to keep to, whatever the application does."""

import asyncio
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.model import BLANK
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.run import new_crawl
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.diverse import diverse
from tests.applications import (
    RecordingBrowser,
    applications,
    explored_model,
    random_application,
)

EVERY = {**STRATEGIES, "diverse": diverse(STRATEGIES["greedy"])}
pytestmark = pytest.mark.parametrize("strategy", EVERY.values(), ids=EVERY)

thorough = settings(max_examples=500)
brief = settings(max_examples=100)


def run(application: Application, strategy: StrategyFactory) -> tuple[Crawl, RecordingBrowser]:
    crawl = new_crawl(application, strategy)
    browser = RecordingBrowser(application)
    asyncio.run(crawl_with(browser, crawl))
    return crawl, browser


@pytest.mark.long
@thorough
@given(application=applications())
def test_finds_the_true_model_with_the_same_plans_each_time(
    strategy: StrategyFactory, application: Application
) -> None:
    crawl, browser = run(application, strategy)
    assert explored_model(crawl) == application.states
    assert crawl.is_over
    assert crawl.stop_reason is StopReason.COMPLETE
    assert crawl.nondeterministic == []
    assert crawl.resets == sum(plan.entry is not None for plan in browser.plans)
    assert crawl.events == len(browser.made) - crawl.resets
    assert len(crawl.discoveries) == len(application.states)
    assert run(application, strategy)[1].plans == browser.plans


@brief
@given(application=applications(), cursors=st.integers(2, 4), seed=st.integers(0, 99))
def test_several_cursors_share_the_work(
    strategy: StrategyFactory, application: Application, cursors: int, seed: int
) -> None:
    """Cursors that plan and report in any order find the true model, nothing twice."""
    crawl = new_crawl(application, strategy)
    random = Random(seed)
    browsers = [RecordingBrowser(application) for _ in range(cursors)]
    under_way: dict[int, Execution] = {}
    for _ in range(10_000):
        if crawl.is_over:
            break
        cursor = random.randrange(cursors)
        if cursor in under_way:
            crawl.observe(under_way.pop(cursor), cursor)
        elif (plan := crawl.plan(cursor)) is not None:
            under_way[cursor] = asyncio.run(browsers[cursor].execute(plan))
        else:
            assert under_way, "nothing to do, nobody under way, and yet not over"
    assert explored_model(crawl) == application.states
    explorations = Counter(
        (source, event)
        for browser in browsers
        for plan, (source, event, _) in last_moves(browser)
        if plan.steps and plan.steps[-1].expected is None
    )
    assert not [pair for pair, times in explorations.items() if times > 1]


def last_moves(browser: RecordingBrowser) -> list[tuple[Plan, tuple[str, str, str]]]:
    """Each plan with the last transition that it made."""
    moves = iter(browser.made)
    pairs = []
    for plan in browser.plans:
        for _ in range(len(plan.steps) + (plan.entry is not None)):
            last = next(moves)
        pairs.append((plan, last))
    return pairs


@brief
@given(application=applications(), seed=st.integers(0, 99))
def test_events_that_can_not_be_fired_are_recorded_and_passed_over(
    strategy: StrategyFactory, application: Application, seed: int
) -> None:
    random = Random(seed)
    broken = Application(
        application.initial,
        {
            state: {
                event: None if random.random() < 0.3 else target
                for event, target in targets.items()
            }
            for state, targets in application.states.items()
        },
        application.reset_cost,
        tuple(application.states),
    )
    crawl, _ = run(broken, strategy)
    model = crawl.model
    assert {(model.states[s], model.events[e].identity) for s, e in model.refused} == {
        (state, event)
        for state, targets in broken.states.items()
        for event, target in targets.items()
        if target is None
    }
    assert explored_model(crawl) == {
        state: {event: target for event, target in targets.items() if target is not None}
        for state, targets in broken.states.items()
    }
    assert crawl.stop_reason is StopReason.COMPLETE


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_nondeterminism_ends_in_time_and_nothing_seen_is_lost(
    strategy: StrategyFactory, share: float
) -> None:
    """Small enough that depth-first keeps the bound without any nondeterminism, too."""
    for seed in range(20):
        application = random_application(seed, states=20, events=4, nondeterministic=share)
        crawl, browser = run(application, strategy)
        assert crawl.is_over
        assert crawl.events <= 5 * application.transition_count
        seen: dict[tuple[str, str], Counter[str]] = {}
        for source, event, target in browser.made:
            seen.setdefault((source, event), Counter())[target] += 1
        assert_recorded(crawl, seen)
        chances = {(s, e) for s, events in application.outcomes.items() for e in events}
        assert set(crawl.nondeterministic) == {pair for pair in seen if len(seen[pair]) > 1}
        assert set(crawl.nondeterministic) <= chances


def assert_recorded(crawl: Crawl, seen: dict[tuple[str, str], Counter[str]]) -> None:
    """Every transition made is in the model; where there were several outcomes, with counts."""
    model = crawl.model
    for (source, event), targets in seen.items():
        transition = model.transition(model.state(source) or BLANK, model.event(event))
        assert transition is not None
        outcomes = transition.outcomes or {transition.target or BLANK: transition.times}
        assert {model.states[target]: n for target, n in outcomes.items()} == targets
        assert transition.times == targets.total()


def test_a_page_that_is_lost_now_and_then_costs_no_transition(strategy: StrategyFactory) -> None:
    application = random_application(1, states=12, events=4)
    crawl = new_crawl(application, strategy)
    browser = RecordingBrowser(application)
    random = Random(1)
    lost = 0
    while (plan := crawl.plan()) is not None:
        if random.random() < 0.1:
            crawl.observe(Execution((), Halt.LOST))
            lost += 1
        else:
            crawl.observe(asyncio.run(browser.execute(plan)))
    assert explored_model(crawl) == application.states
    assert crawl.failures == {Halt.LOST: lost}


def test_an_event_that_always_loses_the_page_is_given_up(strategy: StrategyFactory) -> None:
    application = Application("s0", {"s0": {"kill": "s0", "on": "s1"}, "s1": {"back": "s0"}})
    crawl = new_crawl(application, strategy)
    browser = RecordingBrowser(application)
    while (plan := crawl.plan()) is not None:
        if any(step.event == "kill" for step in plan.steps):
            crawl.observe(Execution((), Halt.LOST))
        else:
            crawl.observe(asyncio.run(browser.execute(plan)))
    assert explored_model(crawl) == {"s0": {"on": "s1"}, "s1": {"back": "s0"}}
    assert crawl.stop_reason is StopReason.GAVE_UP
    model = crawl.model
    assert crawl.given_up == [(model.state("s0"), model.event("kill"))]


def test_a_state_that_only_chance_leads_to_is_explored(strategy: StrategyFactory) -> None:
    """Its way is not reliable, and there is no other."""
    application = Application(
        "s0",
        {"s0": {"try": "s0"}, "luck": {f"e{n}": "s0" for n in range(3)}},
        outcomes={"s0": {"try": {"s0": 1, "luck": 1}}},
    )
    crawl = new_crawl(application, strategy)
    browser = RecordingBrowser(application, seed=2)  # lucky at first, and not always later
    asyncio.run(crawl_with(browser, crawl))
    assert crawl.nondeterministic == [("s0", "try")]
    assert explored_model(crawl)["luck"] == application.states["luck"]
    assert crawl.stop_reason is StopReason.COMPLETE
