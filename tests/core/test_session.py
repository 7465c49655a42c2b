"""What the session owes to whoever runs it, whichever strategy it has."""

import asyncio

from statecrawl.core.application import Application
from statecrawl.core.facts import Executed, Found
from statecrawl.core.model import OFTEN
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import Route
from statecrawl.simulation.run import new_crawl, simulate
from statecrawl.strategies.greedy import Greedy
from tests.applications import RecordingBrowser, explored_model

APPLICATION = Application(
    "home", {"home": {"open": "list", "stay": "home"}, "list": {}}, reset_cost=2
)


def page(dom: str, *events: str) -> Snapshot:
    return Snapshot(dom, tuple(Event(event) for event in events))


def test_the_first_plan_loads_the_entry_and_the_first_load_is_a_reset() -> None:
    crawl = new_crawl(APPLICATION, Greedy)
    assert crawl.plan() == Plan("home", None, ())
    crawl.observe(Execution((page("home", "open", "stay"),)))
    assert (crawl.events, crawl.resets) == (0, 1)
    assert crawl.discoveries == [(0, 1)]
    assert crawl.plan() == Plan(None, None, (Step("open", None),))


def test_a_state_without_events_is_left_by_a_reset() -> None:
    browser = RecordingBrowser(APPLICATION)
    crawl = new_crawl(APPLICATION, Greedy)
    while (plan := crawl.plan()) is not None:
        crawl.observe(asyncio.run(browser.execute(plan)))
    assert browser.plans[-1] == Plan("home", "home", (Step("stay", None),))
    assert (crawl.events, crawl.resets) == (2, 2)
    assert crawl.cost(crawl.events, crawl.resets) == 6
    assert crawl.is_over


def test_an_event_that_led_elsewhere_can_be_tried_again_to_find_out_why() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    ways = [("", "load /", "home"), ("home", "more", "visit 1"), ("home", "more", "visit 2")]
    for source, event, target in ways:
        found = Found(target, page(target, "more"), 0, 0)
        crawl.recall([found, Executed(source, event, target)])
    home, visit = crawl.model.state("home"), crawl.model.state("visit 2")
    assert home is not None
    assert visit is not None
    assert crawl.plan_to(visit) is None
    assert crawl.plan_again(visit) == Plan("/", "home", (Step("more", "visit 1"),))
    assert crawl.plan_again(home) is None
    crawl.recall([Found("away", page("away"), 0, 0), Executed("", "load /", "away")])
    away = crawl.model.state("away")
    assert away is not None
    assert crawl.plan_again(away) == Plan("/", "home", ())
    assert crawl.plan_again(visit) is None  # no reliable way leads to the event


def test_a_state_that_only_a_reset_leads_to_is_found() -> None:
    application = Application(
        "a", {"a": {"stay": "a"}, "island": {"stay": "island"}}, entries=("a", "island")
    )
    assert explored_model(simulate(application, Greedy)) == application.states


def test_an_entry_that_leads_elsewhere_than_before_is_recorded() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    crawl.plan()
    crawl.observe(Execution((page("monday", "a", "b"),)))
    crawl.plan()
    crawl.observe(Execution((page("end"),)))
    assert crawl.plan() == Plan("/", "monday", (Step("b", None),))
    crawl.observe(Execution((page("tuesday"),), Halt.DIVERGED))
    assert crawl.nondeterministic == [("", "load /")]
    assert crawl.model.state("tuesday") is not None


def test_what_can_never_be_reached_again_is_given_up() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    crawl.plan()
    crawl.observe(Execution((page("monday", "a", "b"),)))
    crawl.plan()
    crawl.observe(Execution((page("end"),)))
    plans = 0
    while crawl.plan() is not None:
        crawl.observe(Execution((page("tuesday"),), Halt.DIVERGED))
        plans += 1
    assert plans == 5
    assert crawl.stop_reason is StopReason.GAVE_UP
    assert crawl.is_over
    (outcomes,) = crawl.model.outcomes.values()
    assert outcomes == {crawl.model.state("monday"): 1, crawl.model.state("tuesday"): 5}


class Misled(Greedy):
    """Believes that every event of the home page leads to the list."""

    def route(self, cursor: int, state: int) -> Route | None:
        model = self._knowledge.model
        goal = model.state("list")
        if state == model.state("home") and goal and self._open[state] and self._open[goal]:
            door, onward = next(iter(self._open[state])), next(iter(self._open[goal]))
            return [model.uncertain(state, door, goal), model.uncertain(goal, onward)]
        return super().route(cursor, state)


def test_what_wrong_guesses_led_away_from_is_not_given_up() -> None:
    states = {
        "home": {"open": "list", **{f"door {n}": f"wall {n}" for n in range(9)}},
        "list": {"back": "home", "goal": "treasure"},
        **{f"wall {n}": {"back": "home"} for n in range(9)},
        "treasure": {},
    }
    crawl = simulate(Application("home", states), Misled)
    assert crawl.given_up == []
    assert explored_model(crawl) == states


def test_a_page_that_is_never_the_same_is_not_loaded_for_ever() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    loads = 0
    while (plan := crawl.plan()) is not None:
        if plan.entry is None:
            crawl.observe(Execution((page("end"),)))
        else:
            loads += 1
            halt = Halt.DIVERGED if plan.steps else Halt.DONE
            crawl.observe(Execution((page(f"visit {loads}", "a", "b"),), halt))
    assert loads == OFTEN
    assert crawl.stop_reason is StopReason.GAVE_UP
    assert len(crawl.given_up) == OFTEN


def test_an_entry_that_can_not_be_loaded_is_refused() -> None:
    crawl = Crawl(["/", "/gone"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    while (plan := crawl.plan()) is not None:
        if plan.entry == "/gone":
            crawl.observe(Execution((), Halt.REFUSED))
        else:
            crawl.observe(Execution((page("home"),)))
    assert crawl.failures == {Halt.REFUSED: 1}
    assert [crawl.model.entries[event] for _, event in crawl.model.refused] == ["/gone"]


def test_what_is_claimed_by_one_cursor_is_not_given_to_another() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    assert crawl.plan(0) is not None
    assert crawl.plan(1) is None
    assert not crawl.is_over
    crawl.observe(Execution((page("home", "a"),)), 0)
    assert crawl.plan(1) == Plan("/", "home", (Step("a", None),))
    assert crawl.plan(0) is None
    crawl.observe(Execution((page("home", "a"),), Halt.LOST), 1)
    assert crawl.plan(0) == Plan(None, None, (Step("a", None),))


HUNG = Problem(FindingKind.HANG, "the page hangs")


def test_what_hangs_is_not_fired_again_and_what_worked_before_is_not_blamed() -> None:
    crawl = Crawl(["/"], Greedy, lambda snapshot: snapshot.dom, reset_cost=1)
    crawl.plan()
    crawl.observe(Execution((page("home", "open"),)))
    crawl.plan()
    crawl.observe(Execution((page("list", "spin", "crash"),)))
    assert crawl.plan() == Plan(None, None, (Step("spin", None),))
    crawl.observe(Execution((), Halt.LOST, lost_to=HUNG, reason="hang"))
    steps = (Step("open", "list"), Step("crash", None))
    for _ in range(2):  # what only loses the page gets another chance
        assert crawl.plan() == Plan("/", "home", steps)
        crawl.observe(Execution((page("home", "open"),), Halt.LOST, reason="page_lost"))
    assert crawl.plan() is None
    refused = {
        crawl.model.events[event].identity: why for (_, event), why in crawl.model.refused.items()
    }
    assert refused == {"spin": "hang", "crash": "page_lost"}
