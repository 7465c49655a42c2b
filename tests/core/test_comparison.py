"""Two crawls of one application: what stands for what, and what differs."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.comparison import Comparison, Detail, Kind, compare, details
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled, CrawledState, CrawledTransition
from statecrawl.core.facts import Fact
from statecrawl.core.gathering import Gathering
from statecrawl.core.masks import TEXT, Mask, Masks
from statecrawl.core.matching import How, Side
from statecrawl.core.snapshot import Event, Snapshot
from tests.storage.recording import histories

A, B = "http://localhost:1/", "https://other.example/"


def state(name: str, events: str = "", title: str = "", shows: str = "") -> CrawledState:
    enabled = tuple(Event(each, locator=f"#{each}") for each in events.split())
    return CrawledState(name, f"{A}page", title, enabled, {"page": shows or name}, 0, 1, 0.0, 0)


def crawl(url: str, states: list[CrawledState], leads: Mapping[tuple[str, str], str]) -> Crawled:
    transitions = {
        (source, event): CrawledTransition(source, event, target)
        for (source, event), target in leads.items()
    }
    moved = {each.id: replace(each, url=each.url.replace(A, url)) for each in states}
    load = CrawledTransition("", f"load {url}", states[0].id)
    about = {"url": url, "entries": [url]}
    found = {("", load.event): load, **transitions}
    return Crawled(about, Counts(stop_reason="complete"), moved, found)


def compared(one: Crawled, other: Crawled) -> Comparison:
    return compare(Side(one), Side(other))


def gathered(facts: list[Fact]) -> Crawled:
    gathering = Gathering()
    for fact in facts:
        gathering.tell(fact)
    return Crawled(
        {"url": "/"},
        Counts(stop_reason="complete"),
        gathering.states,
        gathering.transitions,
        gathering.refused,
        tuple(gathering.given_up),
    )


@given(facts=histories())
def test_a_crawl_does_not_differ_from_itself(facts: list[Fact]) -> None:
    one = gathered(facts)
    found = compared(one, one)
    assert [(each.was, each.now) for each in found.same] == [(s, s) for s in one.states]
    assert found.same_transitions == len(one.transitions)
    assert set(found.counts.values()) == {(0, 0)}
    assert found.not_compared == 0


@settings(max_examples=50)
@given(facts=histories(), others=histories(), renaming=st.permutations(range(5)))
def test_the_other_way_round_it_is_the_other_way_round(
    facts: list[Fact], others: list[Fact], renaming: list[int]
) -> None:
    one, other = gathered(facts), gathered(others)
    names = {f"{number:016x}": f"{new + 2:016x}" for number, new in enumerate(renaming)}
    there = compare(Side(one), Side(other, names))
    back = compare(Side(other, names), Side(one))
    assert (there.appeared, there.vanished) == (back.vanished, back.appeared)
    assert {(m.now, m.was, m.how) for m in (*there.same, *there.changed)} == {
        tuple(match) for match in (*back.same, *back.changed)
    }
    assert there.appeared_transitions == back.vanished_transitions
    assert there.vanished_transitions == back.appeared_transitions
    turned = {(id(now), id(was)) for was, now in there.changed_transitions}
    assert turned == {(id(was), id(now)) for was, now in back.changed_transitions}
    assert there.not_compared == back.not_compared
    assert there.same_transitions == back.same_transitions


def test_the_same_application_may_be_served_elsewhere() -> None:
    states = [state("s0", "go"), state("s1", "back")]
    leads = {("s0", "go"): "s1", ("s1", "back"): "s0"}
    found = compared(crawl(A, states, leads), crawl(B, states, leads))
    assert set(found.counts.values()) == {(0, 0)}
    assert found.same_transitions == 3


def test_what_the_same_events_lead_to_has_changed() -> None:
    leads = {("s0", "go"): "s1", ("s1", "on"): "s2"}
    was = crawl(A, [state("s0", "go"), state("s1", "on"), state("s2")], leads)
    leads = {("s0", "go"): "t1", ("t1", "on"): "t2"}
    now = crawl(A, [state("s0", "go"), state("t1", "on"), state("t2")], leads)
    found = compared(was, now)
    assert found.changed == (("s1", "t1", How.PATH), ("s2", "t2", How.PATH))
    assert found.counts == {Kind.APPEARED: (0, 0), Kind.VANISHED: (0, 0), Kind.CHANGED: (2, 0)}


def test_a_control_with_another_name_at_the_same_place_leads_on() -> None:
    was = crawl(A, [state("s0", "save"), state("s1")], {("s0", "save"): "s1"})
    after = replace(state("t0"), events=(Event("store", locator="#save"),))
    now = crawl(A, [after, state("t1")], {("t0", "store"): "t1"})
    found = compared(was, now)
    assert found.changed == (("s0", "t0", How.PATH), ("s1", "t1", How.PATH))
    assert found.counts[Kind.VANISHED] == (0, 0)


def test_a_state_that_is_reached_otherwise_is_known_by_what_it_shows() -> None:
    shown = "a b c d"
    was = crawl(A, [state("s0", "go"), state("s1", shown)], {("s0", "go"): "s1"})
    states = [state("s0", "go"), state("t1", f"{shown} e"), state("t2", "z", title="Other")]
    now = crawl(A, states, {("s0", "go"): "s0", ("s0", "other"): "t1", ("s0", "more"): "t2"})
    found = compared(was, now)
    assert found.changed == (("s1", "t1", How.CONTENT),)
    assert found.appeared == ("t2",)
    ((before, after),) = found.changed_transitions
    assert (before.target, after.target) == ("s1", "s0")


def test_a_page_put_between_two_others_has_appeared() -> None:
    was = crawl(A, [state("s0", "go"), state("s1")], {("s0", "go"): "s1"})
    leads = {("s0", "go"): "new", ("new", "on"): "s1"}
    now = crawl(A, [state("s0", "go"), state("new", "on"), state("s1")], leads)
    found = compared(was, now)
    assert (found.appeared, found.vanished, found.changed) == (("new",), (), ())
    assert len(found.changed_transitions) == 1
    assert [each.event for each in found.appeared_transitions] == ["on"]


def test_what_nobody_tried_has_not_vanished_and_what_fails_has() -> None:
    states = [state("s0", "go stay"), state("s1")]
    was = crawl(A, states, {("s0", "go"): "s1", ("s0", "stay"): "s0"})
    now = crawl(A, states, {("s0", "go"): "s1"})
    assert compared(was, now).not_compared == 1
    assert compared(was, now).counts[Kind.VANISHED] == (0, 0)
    failing = replace(now, refused={("s0", "stay"): "hang"})
    assert compared(was, failing).counts[Kind.VANISHED] == (0, 1)


def test_chance_is_no_difference() -> None:
    states = [state("s0", "roll"), state("s1"), state("s2")]
    leads = {("s0", "roll"): "s1", ("s1", "a"): "s2"}
    was = crawl(A, states, leads)
    rolled = CrawledTransition("s0", "roll", "s2", outcomes={"s2": 3, "s1": 1})
    now = replace(was, transitions={**was.transitions, ("s0", "roll"): rolled})
    assert set(compared(was, now).counts.values()) == {(0, 0)}


def test_a_crawl_that_was_stopped_is_warned_of() -> None:
    whole = crawl(A, [state("s0")], {})
    part = replace(whole, counts=Counts(stop_reason="max_states"))
    assert compared(whole, whole).warnings == []
    assert "second crawl has not seen everything" in compared(whole, part).warnings[0]


def test_details_say_what_differs() -> None:
    masks = Masks((Mask("html/body[1]/i[1]", TEXT),))
    was = Snapshot(
        '<html><body><p class="a">Saved</p><i>12:01</i></body></html>',
        (Event("e1", label="Save", locator="#s"), Event("e2", label="Gone")),
        f"{A}x",
        title="One",
    )
    now = Snapshot(
        '<html><body><p class="b">Stored</p><i>12:02</i><h1>News</h1></body></html>',
        (Event("e3", label="Store", locator="#s"),),
        f"{B}y",
        title="Two",
    )
    assert set(details(was, now, masks)) == {
        Detail("url", "", "/x", "/y"),
        Detail("title", "", "One", "Two"),
        Detail("event", "#s", "click Save", "click Store"),
        Detail("event", "", "click Gone", ""),
        Detail("text", "html/body[1]/p[1]", "Saved", "Stored"),
        Detail("attribute", "html/body[1]/p[1] class", "a", "b"),
        Detail("part", "html/body[1]", "", "<h1> News"),
    }
    assert details(was, was, masks) == []
