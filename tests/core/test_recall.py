"""What is recalled from a journal is known again, and not explored again."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.facts import Executed, Fact, Found, GivenUp, Refused
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.model import BLANK
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Change, Effect, Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import identity
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.greedy import Greedy
from tests.applications import (
    RecordingBrowser,
    applications,
    explored_model,
    random_application,
)

every = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
brief = settings(max_examples=25)

HOME = Snapshot("home", (Event("go"), Event("stay")))
LOADED: list[Fact] = [Found("home", HOME, 0, 1), Executed("", "load /", "home")]


def session(
    application: Application,
    strategy: StrategyFactory,
    facts: Sequence[Fact] = (),
    limits: Limits = NO_LIMITS,
) -> tuple[Crawl, list[Fact]]:
    """A session that recalled some facts, and the journal of what it learns from now on."""
    entries = list(application.all_entries)
    crawl = Crawl(entries, strategy, identity, application.reset_cost, limits)
    crawl.recall(facts)
    journal: list[Fact] = []
    crawl.journal = journal.append
    return crawl, journal


def go_on(crawl: Crawl, browser: RecordingBrowser, plans: int | None = None) -> None:
    """Execute so many plans, or all there are."""
    for plan in islice(iter(crawl.plan, None), plans):
        crawl.observe(asyncio.run(browser.execute(plan)))


def known(crawl: Crawl) -> dict[str, Any]:
    """All that a session knows, but for how often it did what it had done before."""
    model = crawl.model
    return {
        "states": list(model.states),
        "events": model.events,
        "enabled": model.enabled,
        "delta": [
            {
                transition.event: (transition.target, set(transition.outcomes or ()))
                for transition in model.transitions(state)
            }
            for state in range(len(model.states))
        ],
        "edges": [set(model.steps(state)) for state in range(len(model.states))],
        "refused": set(model.refused),
        "nondeterministic": crawl.nondeterministic,
        "open": [set(events) for events in crawl.frontier.open],
        "total": crawl.frontier.total,
        "discoveries": crawl.discoveries,
    }


def explored(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    return [(fact.source, fact.event) for fact in facts if isinstance(fact, Executed)]


@every
@brief
@given(application=applications(), plans=st.integers(0, 40))
def test_a_session_that_recalls_knows_the_same_and_explores_nothing_again(
    strategy: StrategyFactory, application: Application, plans: int
) -> None:
    first, journal = session(application, strategy)
    go_on(first, RecordingBrowser(application), plans)
    second, more = session(application, strategy, journal)
    assert known(second) == known(first)
    assert second.is_over == first.is_over
    go_on(second, RecordingBrowser(application))
    assert second.stop_reason is StopReason.COMPLETE
    assert explored_model(second) == application.states
    both = explored([*journal, *more])
    assert (
        len(both) == len(set(both)) == application.transition_count + len(application.all_entries)
    )
    third, nothing = session(application, strategy, [*journal, *more])
    assert known(third)["delta"] == known(second)["delta"]
    assert third.is_over
    assert third.plan() is None
    assert nothing == []


@every
@brief
@given(application=applications(), length=st.integers(0, 60))
def test_a_journal_may_end_anywhere(
    strategy: StrategyFactory, application: Application, length: int
) -> None:
    first, journal = session(application, strategy)
    go_on(first, RecordingBrowser(application))
    second, more = session(application, strategy, journal[:length])
    go_on(second, RecordingBrowser(application))
    assert explored_model(second) == application.states
    assert not set(explored(journal[:length])) & set(explored(more))


@every
def test_what_chance_did_is_recalled_too(strategy: StrategyFactory) -> None:
    chances = 0
    for seed in range(4):
        application = random_application(seed, states=12, events=3, nondeterministic=1)
        first, journal = session(application, strategy)
        browser = RecordingBrowser(application, seed)
        for number, plan in enumerate(iter(first.plan, None)):
            first.observe(asyncio.run(browser.execute(plan)))
            if number % 5 == 0 or first.is_over:
                second, _ = session(application, strategy, journal)
                assert known(second) == with_given_up(first)
        chances += len(first.nondeterministic)
    assert chances


def with_given_up(crawl: Crawl) -> dict[str, Any]:
    """All that a session knows, with what it gave up open again."""
    expected = known(crawl)
    for state, event in crawl.given_up:
        expected["open"][state].add(event)
    expected["total"] = sum(map(len, expected["open"]))
    return expected


@every
@brief
@given(application=applications(), seed=st.integers(0, 9), plans=st.integers(0, 40))
def test_what_was_refused_is_not_tried_again(
    strategy: StrategyFactory, application: Application, seed: int, plans: int
) -> None:
    states = {
        state: {
            event: None if (number + seed) % 3 == 0 else target
            for number, (event, target) in enumerate(targets.items())
        }
        for state, targets in application.states.items()
    }
    broken = Application("s0", states, application.reset_cost, tuple(states))
    first, journal = session(broken, strategy)
    go_on(first, RecordingBrowser(broken), plans)
    second, more = session(broken, strategy, journal)
    assert known(second) == known(first)
    go_on(second, RecordingBrowser(broken))
    refused = [fact for fact in (*journal, *more) if isinstance(fact, Refused)]
    assert len(refused) == len(set(refused))
    assert {(fact.source, fact.event) for fact in refused} == {
        (state, event)
        for state, targets in states.items()
        for event, target in targets.items()
        if target is None
    }


@every
@brief
@given(application=applications(), depth=st.integers(0, 3), most=st.integers(1, 9))
def test_limits_hold_for_what_is_recalled_and_greater_ones_lead_on(
    strategy: StrategyFactory, application: Application, depth: int, most: int
) -> None:
    for limits in (Limits(max_depth=depth), Limits(max_states_per_url=most), Limits(most)):
        first, journal = session(application, strategy, limits=limits)
        go_on(first, RecordingBrowser(application))
        same, _ = session(application, strategy, journal, limits)
        assert known(same) == known(first)
        assert same.is_over
        assert same.stop_reason is first.stop_reason
        more, _ = session(application, strategy, journal)
        go_on(more, RecordingBrowser(application))
        assert explored_model(more) == application.states
        assert more.stop_reason is StopReason.COMPLETE


def test_the_journal_hears_a_state_before_the_way_to_it() -> None:
    crawl = Crawl(["/"], Greedy, identity, 1)
    journal: list[Fact] = []
    crawl.journal = journal.append
    effect = Effect((Change("p", "text"),))
    crawl.plan()
    crawl.observe(Execution((HOME,)))
    crawl.plan()
    crawl.observe(Execution((HOME,), effects=(effect,)))
    assert journal == [
        Found("home", HOME, 0, 1),
        Executed("", "load /", "home"),
        Executed("home", "go", "home", effect),
    ]


def test_what_was_given_up_gets_another_chance() -> None:
    application = Application("home", {"home": {"kill": "home"}})
    first, journal = session(application, Greedy)
    browser = RecordingBrowser(application)
    for plan in iter(first.plan, None):
        lost = any(step.event == "kill" for step in plan.steps)
        first.observe(Execution((), Halt.LOST) if lost else asyncio.run(browser.execute(plan)))
    assert first.stop_reason is StopReason.GAVE_UP
    assert journal[-1] == GivenUp("home", "kill")
    second, _ = session(application, Greedy, journal)
    assert not second.is_over
    assert second.given_up == []
    go_on(second, RecordingBrowser(application))
    assert second.stop_reason is StopReason.COMPLETE
    assert explored_model(second) == application.states


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([Executed("nowhere", "go", "home")], "a state that was never found: nowhere"),
        ([Refused("nowhere", "go")], "a state that was never found: nowhere"),
        ([Executed("", "load /", "home")], "led to a state that was never found: home"),
        ([*LOADED, Executed("home", "go", "end")], "led to a state that was never found: end"),
    ],
)
def test_a_journal_with_gaps_is_refused(facts: list[Fact], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Crawl(["/"], Greedy, identity, 1).recall(facts)


@every
@brief
@given(application=applications())
def test_a_plan_to_a_state_leads_a_blank_tab_there(
    strategy: StrategyFactory, application: Application
) -> None:
    crawl, _ = session(application, strategy)
    go_on(crawl, RecordingBrowser(application))
    for state in range(BLANK + 1, len(crawl.model.states)):
        plan = crawl.plan_to(state)
        assert plan is not None
        assert plan.entry is not None
        execution = asyncio.run(RecordingBrowser(application).execute(plan))
        assert execution.halt is Halt.DONE
        assert execution.snapshots[-1].dom == crawl.model.states[state]


def test_no_plan_leads_where_only_chance_does() -> None:
    crawl = Crawl(["/"], Greedy, identity, 1)
    for name in ("home", "end"):
        crawl.plan()
        crawl.observe(Execution((Snapshot(name, HOME.events if name == "home" else ()),)))
    end = crawl.model.state("end")
    assert end is not None
    assert crawl.plan_to(end) == Plan("/", "home", (Step("go", "end"),))
    crawl.plan()
    crawl.observe(Execution((Snapshot("other", ()),), Halt.DIVERGED))
    assert crawl.plan_to(end) is None


@every
@brief
@given(application=applications(), plans=st.integers(1, 30))
def test_a_cursor_may_begin_in_the_middle(
    strategy: StrategyFactory, application: Application, plans: int
) -> None:
    first, journal = session(application, strategy)
    browser = RecordingBrowser(application)
    go_on(first, browser, plans)
    here = first.model.states[first.where()]
    second, more = session(application, strategy, journal)
    assert second.where() == BLANK
    second.place(0, here)
    assert second.where() == first.where()
    go_on(second, browser)
    assert explored_model(second) == application.states
    assert not set(explored(journal)) & set(explored(more))


def test_a_cursor_in_a_state_nobody_knows_begins_with_a_reset() -> None:
    crawl = Crawl(["/"], Greedy, identity, 1)
    crawl.recall(LOADED)
    crawl.place(0, "elsewhere")
    assert crawl.plan() == Plan("/", "home", (Step("go", None),))
    crawl.place(1, "home")
    assert crawl.plan(1) == Plan(None, None, (Step("stay", None),))
