"""Findings: which step a problem belongs to, what is told once, dead ends, the way to each."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Executed, Fact, Found, Refused
from statecrawl.core.findings import (
    Finding,
    Passage,
    Sighting,
    dead_ends,
    distinct,
    passages,
    sightings,
)
from statecrawl.core.gathering import Gathering
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.problems import OF_STATES, FindingKind, Problem
from statecrawl.core.snapshot import Effect, Event, Snapshot
from tests.storage.recording import histories, problems, sightings_of

CONSOLE = Problem(FindingKind.CONSOLE, "no")
HANG = Problem(FindingKind.HANG, "the page hangs")


def state_of(snapshot: Snapshot) -> str:
    return snapshot.dom


def seen(*states: str) -> tuple[Snapshot, ...]:
    return tuple(Snapshot(state, ()) for state in states)


def test_each_step_is_told_from_where_to_where() -> None:
    steps = (Step("one", "b"), Step("two", None))
    loaded = Execution(seen("a", "b", "c"))
    assert passages(Plan("/", "a", steps), loaded, "x", state_of) == [
        ("", "load /", "a"),
        ("a", "one", "b"),
        ("b", "two", "c"),
    ]
    assert passages(Plan(None, None, steps), Execution(seen("b")), "a", state_of) == [
        ("a", "one", "b")
    ]
    assert passages(Plan("/", "a", steps), Execution(()), "x", state_of) == []


def test_a_problem_belongs_to_its_step() -> None:
    plan = Plan("/", "a", (Step("one", "b"), Step("two", None)))
    effects = (Effect(), Effect(problems=(CONSOLE,)), Effect())
    met = sightings(plan, Execution(seen("a", "b", "c"), effects=effects), "x", state_of)
    assert met == [Sighting(Passage("a", "one", "b"), CONSOLE)]


def test_nobody_asks_which_states_were_seen_when_nothing_is_wrong() -> None:
    def never(snapshot: Snapshot) -> str:
        raise AssertionError(snapshot)

    execution = Execution(seen("a", "b"), effects=(Effect(), Effect()))
    assert sightings(Plan("/", "a", (Step("one", "b"),)), execution, "", never) == []


def lost(plan: Plan, *states: str) -> Passage:
    execution = Execution(seen(*states), Halt.LOST, (Effect(),) * len(states), HANG)
    [sighting] = sightings(plan, execution, "here", state_of)
    assert sighting.problem is HANG
    return sighting.passage


def test_a_step_nobody_took_before_is_blamed_for_a_page_that_hangs() -> None:
    steps = (Step("one", "b"), Step("two", "c"), Step("three", None))
    assert lost(Plan("/", "a", steps), "a") == ("c", "three", "c")
    assert lost(Plan("/", "a", steps), "a", "b", "c") == ("c", "three", "c")
    assert lost(Plan(None, None, steps[2:])) == ("here", "three", "here")
    assert lost(Plan("/", None, ())) == ("", "load /", "")


def test_else_the_first_step_without_an_end_is() -> None:
    steps = (Step("one", "b"), Step("two", "c"))
    assert lost(Plan("/", "a", steps), "a") == ("a", "one", "a")
    assert lost(Plan(None, None, steps)) == ("here", "one", "here")


paths = st.lists(st.sampled_from("ab"), max_size=3).map(tuple)
passed = st.builds(Passage, *[st.sampled_from("ab")] * 3)


def finding(problem: Problem, passage: Passage, path: tuple[str, ...]) -> Finding:
    return Finding(*problem, *passage, path)


@given(st.lists(st.builds(finding, problems, passed, paths)))
def test_the_same_is_told_once_with_the_shortest_way(found: list[Finding]) -> None:
    def name(finding: Finding) -> tuple[str, ...]:
        place = finding.state if finding.kind in OF_STATES else finding.event
        return finding.kind, finding.text, place

    told = distinct(found)
    assert [name(each) for each in told] == list(dict.fromkeys(map(name, found)))
    for each in told:
        same = [other for other in found if name(other) == name(each)]
        shortest = min(len(other.path) for other in same)
        assert each == next(other for other in same if len(other.path) == shortest)


targets = st.lists(st.none() | st.sampled_from("abcd"))


@given(st.dictionaries(st.sampled_from("abcd"), targets))
def test_a_dead_end_leads_nowhere_else(leads: dict[str, list[str | None]]) -> None:
    ends = dead_ends(leads)
    for state, led in leads.items():
        leads_on = any(target != state for target in led)
        assert (state in ends) is not leads_on


def crawled(*facts: Fact, met: tuple[Sighting, ...] = ()) -> Crawled:
    gathering = Gathering()
    for fact in facts:
        gathering.tell(fact)
    return Crawled(
        {"url": "/"},
        states=gathering.states,
        transitions=gathering.transitions,
        refused=gathering.refused,
        sightings=met,
    )


def page(*events: str) -> Snapshot:
    return Snapshot("", tuple(map(Event, events)))


FACTS: list[Fact] = [
    Found("a", page("on", "end", "shy"), 0, 1),
    Executed("", "load /", "a"),
    Found("b", page("on"), 1, 1),
    Executed("a", "on", "b"),
    Found("c", page("stay", "shy"), 2, 1),
    Executed("b", "on", "c"),
    Found("d", page(), 3, 1),
    Executed("a", "end", "d"),
]


def test_ends_are_told_with_the_way_to_them_and_what_nobody_tried_is_no_end() -> None:
    found = crawled(*FACTS)
    assert [(each.state, each.path) for each in found.findings] == [("d", ("load /", "end"))]
    explored = crawled(*FACTS, Executed("c", "stay", "c"), Refused("c", "shy"))
    assert [each[3:] for each in explored.findings] == [
        ("b", "on", "c", ("load /", "on", "on")),
        ("a", "end", "d", ("load /", "end")),
    ]
    left = crawled(*FACTS, Executed("c", "stay", "c"), Executed("c", "shy", "a"))
    assert [each.state for each in left.findings] == ["d"]
    assert left.summary()["findings"] == {"dead_end": 1}


def test_the_way_to_a_step_goes_over_its_source_and_to_a_state_by_the_shortest() -> None:
    broken = Problem(FindingKind.INVARIANT, "x")
    facts: list[Fact] = [*FACTS, Executed("c", "stay", "d")]
    passage = Passage("c", "stay", "d")
    found = crawled(*facts, met=(Sighting(passage, CONSOLE), Sighting(passage, broken)))
    step, state, _ = found.findings
    assert step == (*CONSOLE, *passage, ("load /", "on", "on", "stay"))
    assert state == (*broken, *passage, ("load /", "end"))


def test_a_problem_of_a_load_is_one_load_away() -> None:
    met = (Sighting(Passage("", "load /", "a"), CONSOLE), Sighting(Passage("", "load /", ""), HANG))
    assert [each.path for each in crawled(*FACTS, met=met).findings[:2]] == [("load /",)] * 2


@given(histories())
def test_every_way_leads_where_the_problem_is(facts: list[Fact]) -> None:
    found = crawled(*facts, met=tuple(sightings_of(facts)))
    for finding in found.findings:
        goal = finding.state if finding.kind in OF_STATES else finding.source
        way = finding.path if finding.kind in OF_STATES else finding.path[:-1]
        at = {""}
        for event in way:
            at = {
                target
                for source in at
                if (source, event) in found.transitions
                for target in found.transitions[source, event].targets
            }
        assert goal in at
