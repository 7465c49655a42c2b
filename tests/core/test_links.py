"""Links between documents: followed once where loading the URL gives the same state."""

from collections.abc import Mapping, Sequence
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.application import Application, Documents, checked
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Assumed, EntryFound, Fact, Refused
from statecrawl.core.gathering import Gathering
from statecrawl.core.plan import NOT_A_PAGE, Execution, Halt, Plan
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import NEW_DOCUMENT, Change, Effect, Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.run import simulate
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.greedy import Greedy

every = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)

Links = Mapping[str, Sequence[str]]


class Site:
    """Documents that link to each other, each with a part to open; some remember who came.

    A document in `fickle` looks otherwise when it is loaded than when a link leads to it; the
    links to those in `routed` open no document.
    """

    def __init__(self, links: Links, fickle: str = "", routed: str = "") -> None:
        self._links, self._fickle, self._routed = links, fickle, routed
        self._at = ""
        self.clicked: list[tuple[str, str]] = []

    def execute(self, plan: Plan) -> Execution:
        seen: list[Snapshot] = []
        effects: list[Effect] = []
        if plan.entry is not None:
            self._at = f"{plan.entry} loaded" if plan.entry in self._fickle else plan.entry
            seen.append(self._page())
            effects.append(Effect((NEW_DOCUMENT,)))
            if plan.expected_entry not in (None, self._at):
                return Execution(tuple(seen), Halt.DIVERGED, tuple(effects))
        for step in plan.steps:
            before = self._at
            changes: tuple[Change, ...] = ()
            if step.event == "more":
                self._at += " more"
            else:
                url = step.event.split()[1]
                self.clicked.append((before, url))
                self._at = url
                changes = () if url in self._routed else (NEW_DOCUMENT,)
            seen.append(self._page())
            effects.append(Effect(changes))
            if step.expected not in (None, self._at):
                return Execution(tuple(seen), Halt.DIVERGED, tuple(effects))
        return Execution(tuple(seen), Halt.DONE, tuple(effects))

    def _page(self) -> Snapshot:
        url = self._at.split()[0]
        events = [Event(f"link {each}", url=each) for each in self._links[url]]
        if "more" not in self._at:
            events.append(Event("more"))
        return Snapshot(self._at, tuple(events), url)


def new_crawl(strategy: StrategyFactory, facts: Sequence[Fact] = ()) -> tuple[Crawl, list[Fact]]:
    crawl = Crawl(["a"], strategy, lambda snapshot: snapshot.dom, 3)
    crawl.recall(facts)
    journal: list[Fact] = []
    crawl.journal = journal.append
    journal += crawl.derived()
    return crawl, journal


def go_on(crawl: Crawl, site: Site, plans: int | None = None) -> None:
    for plan in islice(iter(crawl.plan, None), plans):
        crawl.observe(site.execute(plan))


def led(crawl: Crawl) -> dict[tuple[str, str], str]:
    """Where each event of each state leads, as far as that is known."""
    states, events = crawl.model.states, crawl.model.events
    return {
        (states[found.source], events[found.event].identity): states[found.target]
        for number in range(1, len(states))
        for found in crawl.model.transitions(number)
        if found.target is not None
    }


EACH_OTHER: Links = dict.fromkeys("abcd", "abcd")


@every
def test_each_document_is_opened_once_and_the_rest_is_assumed(strategy: StrategyFactory) -> None:
    crawl, journal = new_crawl(strategy)
    site = Site(EACH_OTHER)
    go_on(crawl, site)
    assert crawl.stop_reason is StopReason.COMPLETE
    assert set([*crawl.model.states][1:]) == {*"abcd", *(f"{url} more" for url in "abcd")}
    assert len(led(crawl)) == 8 * 4 + 4
    assert all(
        event == f"link {target}" for (_, event), target in led(crawl).items() if event != "more"
    )
    followed = set(site.clicked)
    assumed = [fact for fact in journal if isinstance(fact, Assumed)]
    assert len(followed) + len(assumed) >= 8 * 4
    assert len(followed) <= 4 * 4
    assert {fact.url for fact in journal if isinstance(fact, EntryFound)} == set("bcd")
    assert sorted(crawl.model.entries.values()) == sorted("abcd")


@every
def test_where_loading_gives_another_state_every_link_is_followed(
    strategy: StrategyFactory,
) -> None:
    crawl, journal = new_crawl(strategy)
    site = Site(EACH_OTHER, fickle="c")
    go_on(crawl, site)
    assert crawl.stop_reason is StopReason.COMPLETE
    assert "c loaded" in crawl.model.states
    assert {source for source, url in site.clicked if url == "c"} == set([*crawl.model.states][1:])
    assert not [f for f in journal if isinstance(f, Assumed) and f.event == "link c"]


@every
def test_links_that_open_no_document_are_events_like_others(strategy: StrategyFactory) -> None:
    crawl, journal = new_crawl(strategy)
    site = Site(EACH_OTHER, routed="abcd")
    go_on(crawl, site)
    assert crawl.stop_reason is StopReason.COMPLETE
    assert set(site.clicked) == {
        (state, url) for state in [*crawl.model.states][1:] for url in "abcd"
    }
    assert not [fact for fact in journal if isinstance(fact, Assumed | EntryFound)]


@settings(max_examples=30)
@given(
    links=st.dictionaries(st.sampled_from("bcdef"), st.text("abcdef", max_size=4)),
    fickle=st.text("bcdef", max_size=2),
    routed=st.text("bcdef", max_size=2),
    plans=st.integers(0, 30),
    name=st.sampled_from(sorted(STRATEGIES)),
)
def test_stopped_anywhere_a_crawl_goes_on_to_the_same_end(
    links: dict[str, str], fickle: str, routed: str, plans: int, name: str
) -> None:
    whole = {url: tuple(dict.fromkeys(links.get(url, ""))) for url in "bcdef"}
    whole["a"] = tuple("bcdef")
    straight, _ = new_crawl(STRATEGIES[name])
    go_on(straight, Site(whole, fickle, routed))
    first, journal = new_crawl(STRATEGIES[name])
    go_on(first, Site(whole, fickle, routed), plans)
    second, more = new_crawl(STRATEGIES[name], journal)
    assert not more
    go_on(second, Site(whole, fickle, routed))
    assert second.stop_reason is straight.stop_reason is StopReason.COMPLETE
    assert led(second) == led(straight)
    gathered = Gathering()
    for fact in [*journal, *more]:
        gathered.tell(fact)
    assert {pair: found.target for pair, found in gathered.transitions.items() if pair[0]} == led(
        second
    )


@settings(max_examples=30)
@given(
    links=st.dictionaries(st.sampled_from("bcdef"), st.text("abcdef", max_size=4)),
    fickle=st.text("bcdef", max_size=2),
    routed=st.text("bcdef", max_size=2),
    name=st.sampled_from(sorted(STRATEGIES)),
)
def test_an_exported_crawl_is_simulated_at_its_own_cost(
    links: dict[str, str], fickle: str, routed: str, name: str
) -> None:
    whole = {url: tuple(dict.fromkeys(links.get(url, ""))) for url in "bcdef"}
    crawl, journal = new_crawl(STRATEGIES[name])
    go_on(crawl, Site({**whole, "a": "bcdef"}, fickle, routed))
    gathered = Gathering()
    for fact in journal:
        gathered.tell(fact)
    about = {"url": "a", "reset_cost": 3}
    exported = Crawled(about, states=gathered.states, transitions=gathered.transitions)
    application = exported.application()
    assert application is not None
    again = simulate(checked(application), STRATEGIES[name])
    assert (again.events, again.resets) == (crawl.events, crawl.resets)
    assert again.discoveries == crawl.discoveries


def test_windows_that_an_event_opens_are_opened_when_simulated() -> None:
    states = {"a": {"open": "a"}, "b": {}}
    documents = Documents(["/a"], {"/a": "a", "/b": "b"}, opened={"open": ["/b"]})
    application = Application("a", states, entries=["b"], documents=documents)
    crawl = simulate(checked(application), Greedy)
    assert list(crawl.model.entries.values()) == ["/a", "/b"]
    assert (crawl.events, crawl.resets, crawl.discoveries) == (1, 2, [(0, 1), (1, 2)])


def test_an_assumed_link_that_leads_elsewhere_is_put_right() -> None:
    crawl, journal = new_crawl(Greedy)
    go_on(crawl, Site(EACH_OTHER))
    assumed = next(fact for fact in journal if isinstance(fact, Assumed))
    source, event = crawl.model.state(assumed.source), crawl.model.event(assumed.event)
    assert source is not None
    assert crawl.model.record(source, event, source).name == "MISLED"
    transition = crawl.model.transition(source, event)
    assert transition is not None
    assert transition.target == source
    assert not transition.is_assumed


@every
def test_what_is_no_page_is_not_asked_for_from_every_state(strategy: StrategyFactory) -> None:
    crawl, journal = new_crawl(strategy)
    site = Site({"a": "bcf", "b": "af", "c": "f", "f": ""})
    for plan in islice(iter(crawl.plan, None), 100):
        steps = [step.event for step in plan.steps]
        seen = site.execute(plan)
        if "link f" in steps:
            there = steps.index("link f") + (plan.entry is not None)
            before = seen.snapshots[:there], Halt.LOST, seen.effects[:there]
            seen = Execution(*before, reason=NOT_A_PAGE)
        crawl.observe(seen)
    assert crawl.stop_reason is StopReason.COMPLETE
    assert len([url for _, url in site.clicked if url == "f"]) == 2
    refused = [fact for fact in journal if isinstance(fact, Refused)]
    assert {fact.source for fact in refused} == {*"abc", *(f"{url} more" for url in "abc")}
    assert {(fact.event, fact.reason) for fact in refused} == {("link f", NOT_A_PAGE)}
    again, more = new_crawl(strategy, journal)
    assert again.plan() is None
    assert not more


def test_an_event_that_loses_the_page_twice_is_fired_no_more() -> None:
    crawl, _ = new_crawl(Greedy)
    site = Site({"a": ["b"], "b": []})
    crawl.plan()
    crawl.observe(site.execute(Plan("a", None, ())))
    for _ in range(10):
        plan = crawl.plan()
        if plan is None:
            break
        steps = [step.event for step in plan.steps]
        if "link b" in steps:
            seen = site.execute(plan._replace(steps=plan.steps[: steps.index("link b")]))
            crawl.observe(seen._replace(halt=Halt.LOST, reason="hang"))
        else:
            crawl.observe(site.execute(plan))
    assert crawl.is_over
    assert set(crawl.model.refused.values()) == {"hang"}
    assert crawl.stop_reason is StopReason.COMPLETE
