import asyncio

from statecrawl.core.application import Application
from statecrawl.simulation.run import new_crawl, simulate
from statecrawl.strategies.menu import Kind, Menu
from statecrawl.strategies.metamodel import Phase, Violation
from tests.applications import RecordingBrowser, explored_model

PAGES = [f"page{number}" for number in range(6)]


def with_menu(exceptions: dict[tuple[str, str], str] | None = None) -> Application:
    """A menu bar on every page; "reload" stays, and "more" leads to details of the page."""
    states: dict[str, dict[str, str | None]] = {}
    for page in PAGES:
        for state in (page, f"{page} details"):
            states[state] = {f"to {target}": target for target in PAGES}
            states[state]["reload"] = state
        states[page]["more"] = f"{page} details"
    for (state, event), target in (exceptions or {}).items():
        states[state][event] = target
        states.setdefault(target, {})
    return Application(PAGES[0], states, reset_cost=5)


def kinds(strategy: Menu, events: list[str]) -> set[Kind]:
    model = strategy._knowledge.model
    return {strategy._kind[model.event(event)] for event in events}


def test_events_are_sorted_by_what_they_do() -> None:
    crawl = simulate(with_menu(), Menu)
    assert isinstance(crawl.strategy, Menu)
    assert kinds(crawl.strategy, [f"to {page}" for page in PAGES]) == {Kind.MENU}
    assert kinds(crawl.strategy, ["reload"]) == {Kind.SELF_LOOP}
    assert kinds(crawl.strategy, ["more"]) == {Kind.OTHER}
    assert not crawl.strategy.violations


def test_states_are_found_before_the_menu_is_tried_everywhere() -> None:
    application = with_menu()
    crawl = simulate(application, Menu)
    events, _ = crawl.discoveries[-1]
    assert events < 40 < application.transition_count


def test_an_exception_is_a_violation_and_is_looked_into() -> None:
    """The menu entry that once led elsewhere is no menu entry any more."""
    application = with_menu({("page5 details", "to page1"): "secret"})
    crawl = new_crawl(application, Menu)
    strategy = crawl.strategy
    assert isinstance(strategy, Menu)
    browser = RecordingBrowser(application)
    while (plan := crawl.plan()) is not None:
        before = strategy.violations.total()
        crawl.observe(asyncio.run(browser.execute(plan)))
        if strategy.violations.total() > before:
            assert strategy.phase is Phase.STATES
    assert explored_model(crawl) == application.states
    assert set(strategy.violations) == {Violation.SPLIT, Violation.DISAPPEARING}
    assert kinds(strategy, ["to page1"]) == {Kind.OTHER}
    assert kinds(strategy, ["to page2"]) == {Kind.MENU}


def test_ways_lead_over_anticipated_edges() -> None:
    """Plans with more than one step to explore: walking over a menu entry explores it."""
    application = with_menu()
    crawl = new_crawl(application, Menu)
    browser = RecordingBrowser(application)
    explored_on_the_way = 0
    known: set[tuple[str, str]] = set()
    while (plan := crawl.plan()) is not None:
        made = len(browser.made)
        crawl.observe(asyncio.run(browser.execute(plan)))
        for source, event, _ in browser.made[made:-1]:
            explored_on_the_way += (source, event) not in known
        known.update((source, event) for source, event, _ in browser.made[made:])
    assert explored_on_the_way > 0
