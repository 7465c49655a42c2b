"""Where a crawl stops although there is more."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.limiting import FRUITLESS_PER_STATE
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.snapshot import NEW_DOCUMENT, Effect, Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import identity
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.greedy import Greedy
from tests.applications import RecordingBrowser, applications, explored_model

every = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
brief = settings(max_examples=20)

LINE = Application("s0", {**{f"s{n}": {"on": f"s{n + 1}"} for n in range(5)}, "s5": {}})


def crawl_of(
    application: Application, limits: Limits, strategy: StrategyFactory = Greedy
) -> tuple[Crawl, list[Fact]]:
    """A crawl within limits, not yet begun, and its journal."""
    crawl = Crawl(list(application.all_entries), strategy, identity, application.reset_cost, limits)
    facts: list[Fact] = []
    crawl.journal = facts.append
    return crawl, facts


def run(
    application: Application, limits: Limits, strategy: StrategyFactory = Greedy
) -> tuple[Crawl, list[Fact]]:
    crawl, facts = crawl_of(application, limits, strategy)
    asyncio.run(crawl_with(RecordingBrowser(application), crawl))
    assert crawl.is_over
    return crawl, facts


def depths(facts: list[Fact]) -> dict[str, int]:
    """How many events after a reset each state was found."""
    found = {"": -1}
    for fact in facts:
        if isinstance(fact, Executed):
            found.setdefault(fact.target, found[fact.source] + 1)
    return found


def reports(application: Application, crawl: Crawl) -> bool:
    """Whether everything that was found is true."""
    return all(
        targets.items() <= application.states[state].items()
        for state, targets in explored_model(crawl).items()
    )


@pytest.mark.parametrize(
    ("limits", "reason", "states", "events"),
    [
        (NO_LIMITS, StopReason.COMPLETE, 6, 5),
        (Limits(max_states=3), StopReason.MAX_STATES, 3, 2),
        (Limits(max_states=6), StopReason.COMPLETE, 6, 5),
        (Limits(max_states=7), StopReason.COMPLETE, 6, 5),
        (Limits(max_events=0), StopReason.MAX_EVENTS, 0, 0),
        (Limits(max_events=2), StopReason.MAX_EVENTS, 3, 2),
        (Limits(max_events=5), StopReason.COMPLETE, 6, 5),
        (Limits(max_depth=0), StopReason.MAX_DEPTH, 1, 0),
        (Limits(max_depth=2), StopReason.MAX_DEPTH, 3, 2),
        (Limits(max_depth=5), StopReason.COMPLETE, 6, 5),
        (Limits(max_states_per_url=4), StopReason.MAX_STATES_PER_URL, 5, 4),
        (Limits(max_states_per_url=5), StopReason.COMPLETE, 6, 5),
        (Limits(max_states=3, max_events=1), StopReason.MAX_EVENTS, 2, 1),
        (Limits(max_depth=1, max_events=9), StopReason.MAX_DEPTH, 2, 1),
    ],
)
def test_each_limit_has_its_reason(
    limits: Limits, reason: StopReason, states: int, events: int
) -> None:
    crawl, _ = run(LINE, limits)
    assert (crawl.stop_reason, crawl.model.state_count, crawl.events) == (reason, states, events)
    assert crawl.plan() is None


@every
@brief
@given(application=applications(), most=st.integers(1, 10))
def test_never_more_than_max_states(
    strategy: StrategyFactory, application: Application, most: int
) -> None:
    crawl, _ = run(application, Limits(max_states=most), strategy)
    assert crawl.model.state_count == min(most, len(application.states))
    assert reports(application, crawl)
    is_all = explored_model(crawl) == application.states
    assert crawl.stop_reason is (StopReason.COMPLETE if is_all else StopReason.MAX_STATES)


@every
@brief
@given(application=applications(), most=st.integers(0, 30))
def test_no_plan_after_max_events(
    strategy: StrategyFactory, application: Application, most: int
) -> None:
    crawl, _ = crawl_of(application, Limits(max_events=most), strategy)
    browser = RecordingBrowser(application)
    while (plan := crawl.plan()) is not None:
        assert crawl.events < most
        crawl.observe(asyncio.run(browser.execute(plan)))
    assert crawl.is_over
    assert reports(application, crawl)
    if crawl.stop_reason is StopReason.MAX_EVENTS:
        assert crawl.events >= most
    else:
        assert explored_model(crawl) == application.states


@every
@brief
@given(application=applications(), most=st.integers(0, 4))
def test_states_at_the_greatest_depth_are_recorded_and_not_explored(
    strategy: StrategyFactory, application: Application, most: int
) -> None:
    crawl, facts = run(application, Limits(max_depth=most), strategy)
    depth = depths(facts)
    assert max(depth.values()) <= most
    left_out = {s for s, events in application.states.items() if events and depth.get(s) == most}
    for state, targets in explored_model(crawl).items():
        assert targets == ({} if state in left_out else application.states[state])
    reason = StopReason.MAX_DEPTH if left_out else StopReason.COMPLETE
    assert crawl.stop_reason is reason


@every
@brief
@given(application=applications(), most=st.integers(1, 9))
def test_one_state_too_many_of_its_url_is_recorded_and_not_explored(
    strategy: StrategyFactory, application: Application, most: int
) -> None:
    """The simulated browser has one URL for all."""
    crawl, facts = run(application, Limits(max_states_per_url=most), strategy)
    found = [fact.state for fact in facts if isinstance(fact, Found)]
    left_out = {state for state in found[most:] if application.states[state]}
    for state, targets in explored_model(crawl).items():
        assert targets == ({} if state in left_out else application.states[state])
    reason = StopReason.MAX_STATES_PER_URL if left_out else StopReason.COMPLETE
    assert crawl.stop_reason is reason


def test_each_url_has_its_own_count() -> None:
    def page(name: str, url: str) -> Snapshot:
        return Snapshot(name, (Event("a"), Event("b")), url)

    crawl = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=1))
    pages = [page("home", "/"), page("list", "/list"), page("list 2", "/list")]
    for found in pages:
        assert crawl.plan() is not None
        crawl.observe(Execution((found,)))
    state = crawl.model.state
    explored = {crawl.model.states[s]: len(events) for s, events in enumerate(crawl.frontier.open)}
    assert explored == {"": 0, "home": 1, "list": 1, "list 2": 0}
    assert crawl.where() == state("list 2")
    assert not crawl.is_over


def test_what_numbers_and_queries_tell_apart_is_one_page_unless_the_crawl_begins_there() -> None:
    begun = ["/watch?v=1", "/watch?v=2"]
    page_of = Crawl(begun, Greedy, identity, 1).limiting.page_of
    assert page_of("/calendar/2001/7?day=3#x") == page_of("/calendar/2002/11") == "/calendar/*/*"
    assert page_of("/a") != page_of("/b")
    assert [page_of(url) for url in (*begun, "/watch?v=3")] == [*begun, "/watch"]


class Endless:
    """A browser in an application with no end at one URL, and three states at another."""

    def __init__(self) -> None:
        self._at = ("/", 0)

    async def execute(self, plan: Plan) -> Execution:
        snapshots = []
        if plan.entry is not None:
            self._at = ("/", 0)
            snapshots.append(self._look())
        for step in plan.steps:
            url, number = self._at
            self._at = (url, number + 1) if step.event == "on" else ("/other", 0)
            snapshots.append(self._look())
        return Execution(tuple(snapshots))

    def _look(self) -> Snapshot:
        url, number = self._at
        events = ("on", "other") if url == "/" else ("on",) if number < 2 else ()
        return Snapshot(f"{url} {number}", tuple(map(Event, events)), url)


OTHER = {"/other 0": {"on": "/other 1"}, "/other 1": {"on": "/other 2"}, "/other 2": {}}


@every
def test_an_endless_url_does_not_keep_others_from_being_explored(
    strategy: StrategyFactory,
) -> None:
    crawl = Crawl(["/"], strategy, identity, 1, Limits(max_states_per_url=10))
    asyncio.run(crawl_with(Endless(), crawl))
    assert crawl.is_over
    assert crawl.stop_reason is StopReason.MAX_STATES_PER_URL
    found = explored_model(crawl)
    assert {state: found[state] for state in OTHER} == OTHER
    endless = [state for state in found if state not in OTHER]
    assert len(endless) == 11
    assert sorted(len(found[state]) for state in endless) == [0] + [2] * 10


@every
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(max_depth=7), StopReason.MAX_DEPTH),
        (Limits(max_states=20), StopReason.MAX_STATES),
        (Limits(max_events=50), StopReason.MAX_EVENTS),
        (Limits(max_states_per_url=10, max_events=20), StopReason.MAX_EVENTS),
        (Limits(max_states_per_url=10, max_states=8), StopReason.MAX_STATES),
        (Limits(max_states_per_url=10, max_states=80), StopReason.MAX_STATES_PER_URL),
    ],
)
def test_the_first_limit_that_is_reached_ends_what_has_no_end(
    strategy: StrategyFactory, limits: Limits, reason: StopReason
) -> None:
    crawl = Crawl(["/"], strategy, identity, 1, limits)
    asyncio.run(crawl_with(Endless(), crawl))
    assert (crawl.is_over, crawl.stop_reason) == (True, reason)
    assert crawl.given_up == []


def test_a_crawl_goes_on_behind_a_limit_that_was_raised() -> None:
    crawl = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=3))
    facts: list[Fact] = []
    crawl.journal = facts.append
    asyncio.run(crawl_with(Endless(), crawl))
    again = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=6))
    again.recall(facts)
    assert not again.is_over
    asyncio.run(crawl_with(Endless(), again))
    assert again.stop_reason is StopReason.MAX_STATES_PER_URL
    assert again.model.state_count == crawl.model.state_count + 3


def test_a_limit_is_no_end_while_a_cursor_is_under_way() -> None:
    crawl = Crawl(["/", "/two"], Greedy, identity, 1, Limits(max_states=1))
    assert crawl.plan(0) is not None
    assert crawl.plan(1) is not None
    crawl.observe(Execution((Snapshot("home", (Event("a"),)),)), 0)
    assert crawl.plan(0) is None
    assert not crawl.is_over
    crawl.observe(Execution((Snapshot("two", ()),)), 1)
    assert crawl.is_over
    assert crawl.stop_reason is StopReason.MAX_STATES
    assert Counter(crawl.model.states) == Counter(["", "home", "two"])


class _Books:
    """Two books, each page of which leads to the next; the second one ends."""

    def execute(self, plan: Plan) -> Execution:
        seen = []
        if plan.entry is not None:
            self._book, self._at = plan.entry, 0
            seen.append(self._page())
        for _ in plan.steps:
            self._at += 1
            seen.append(self._page())
        return Execution(tuple(seen))

    def _page(self) -> Snapshot:
        ends = self._book == "/short" and self._at == 20
        events = () if ends else (Event(f"next in {self._book}"),)
        return Snapshot(f"{self._book} {self._at}", events, f"{self._book}?{self._at}")


def test_a_page_without_end_waits_until_everything_else_is_explored() -> None:
    books = _Books()
    crawl = Crawl(["/long", "/short"], Greedy, lambda page: page.dom, 1, Limits(max_states=100))
    while len(crawl.model.states) < 5:
        plan = crawl.plan()
        assert plan is not None
        crawl.observe(books.execute(plan))
    crawl.postpone("/long?3")
    found = []
    while (plan := crawl.plan()) is not None:
        before = crawl.model.state_count
        crawl.observe(books.execute(plan))
        found += [*crawl.model.states][before + 1 :]
    assert crawl.is_over
    assert crawl.stop_reason is StopReason.MAX_STATES
    assert "/short 20" in found
    books_found = [state.split()[0] for state in found]
    assert set(books_found[: found.index("/short 20")]) == {"/short"}
    assert set(books_found[found.index("/short 20") + 1 :]) == {"/long"}


def test_the_only_page_is_never_postponed() -> None:
    books = _Books()
    crawl = Crawl(["/long"], Greedy, lambda page: page.dom, 1, Limits(max_states=9))
    while (plan := crawl.plan()) is not None:
        crawl.observe(books.execute(plan))
        crawl.postpone("/long")
    assert crawl.model.state_count == 9


def test_a_document_that_a_link_led_to_is_as_deep_when_it_is_loaded() -> None:
    """Every page has a link to one nobody has seen, and is another at each load."""
    seen = iter(range(1000))

    class Random:
        async def execute(self, plan: Plan) -> Execution:
            expected = [step.expected for step in plan.steps]
            if plan.entry is not None:
                expected.insert(0, plan.expected_entry)
            pages, halt = [], Halt.DONE
            for number, known in zip(seen, expected, strict=False):
                link = Event(f"link {number}", url=f"/{number + 1}")
                pages.append(Snapshot(f"page {number}", (link,), f"/{number}"))
                if known is not None:
                    halt = Halt.DIVERGED
                    break
            effects = (Effect((NEW_DOCUMENT,)),) * len(pages)
            return Execution(tuple(pages), halt, effects)

    crawl = Crawl(["/"], Greedy, identity, 1, Limits(max_depth=3))
    asyncio.run(crawl_with(Random(), crawl))
    assert crawl.stop_reason is StopReason.MAX_DEPTH
    assert crawl.model.state_count < 50


def test_a_list_that_leads_to_too_many_states_of_a_url_is_left_out_there() -> None:
    items = tuple(Event(f"item {number}", "list") for number in range(1000))
    other = Event("other", "menu")

    class Long:
        async def execute(self, plan: Plan) -> Execution:
            names = [*(["start"] if plan.entry is not None else []), *(e for e, _ in plan.steps)]
            return Execution(tuple(self._page(name) for name in names))

        def _page(self, name: str) -> Snapshot:
            is_other = name == "other"
            return Snapshot(name, () if is_other else (*items, other), f"/{'o' * is_other}")

    crawl = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=5))
    asyncio.run(crawl_with(Long(), crawl))
    assert crawl.stop_reason is StopReason.MAX_STATES_PER_URL
    found = explored_model(crawl)
    assert sum("other" in events for events in found.values()) == 5
    assert 5 <= len(found) <= 7


@pytest.mark.parametrize("per_url", [5, None])
def test_a_list_that_never_shows_anything_new_is_left_out_where_urls_are_limited(
    per_url: int | None,
) -> None:
    idle = {f"item {number}": "start" for number in range(200)}
    events = (*(Event(event, "list") for event in idle), Event("other", "menu"))

    class Idle:
        async def execute(self, plan: Plan) -> Execution:
            names = [*(["start"] if plan.entry is not None else []), *(e for e, _ in plan.steps)]
            return Execution(tuple(self._page(idle.get(name, name)) for name in names))

        def _page(self, name: str) -> Snapshot:
            return Snapshot(name, () if name == "other" else events, "/")

    crawl = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=per_url))
    facts: list[Fact] = []
    crawl.journal = facts.append
    asyncio.run(crawl_with(Idle(), crawl))
    found = explored_model(crawl)["start"]
    assert "other" in found
    if per_url is None:
        assert len(found) == len(events)
        return
    assert len(found) == 5 * FRUITLESS_PER_STATE + 1
    assert crawl.stop_reason is StopReason.MAX_STATES_PER_URL
    again = Crawl(["/"], Greedy, identity, 1, Limits(max_states_per_url=per_url))
    again.recall(facts)
    assert again.left == 0


def test_windows_that_open_windows_are_bounded_by_depth() -> None:
    class Opening:
        async def execute(self, plan: Plan) -> Execution:
            assert plan.entry is not None
            number = int(plan.entry) + 1
            return Execution((Snapshot(plan.entry, (), plan.entry),), opened=(str(number),))

    crawl = Crawl(["0"], Greedy, identity, 1, Limits(max_depth=3))
    asyncio.run(crawl_with(Opening(), crawl))
    assert [*crawl.model.states][1:] == ["0", "1", "2", "3"]
    assert crawl.stop_reason is StopReason.MAX_DEPTH
