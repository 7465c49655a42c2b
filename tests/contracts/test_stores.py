"""What every store has to keep to."""

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from statecrawl.core.application import Application, checked
from statecrawl.core.classes import Decision
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.findings import Passage, Sighting
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.ports import Store
from statecrawl.core.problems import MAX_PROBLEMS, FindingKind, Problem
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Call, Change, Effect, Event, Snapshot
from statecrawl.core.strategy import StrategyFactory
from statecrawl.core.wish import Wish
from statecrawl.simulation.run import new_crawl, simulate
from statecrawl.sites.models import build_model
from statecrawl.storage import SqliteStore
from statecrawl.storage.postgres import TABLES_IN_POSTGRES
from statecrawl.storage.postgres_store import PostgresStore
from statecrawl.strategies import STRATEGIES
from tests.applications import applications, explored_model, random_application
from tests.postgres import postgres
from tests.storage.recording import (
    PNG,
    about,
    crawl_into,
    histories,
    sightings_of,
    without_content,
)

Opener = Callable[[dict[str, Any]], contextlib.AbstractContextManager[Store]]


@contextlib.contextmanager
def sqlite(settings: dict[str, Any]) -> Iterator[Store]:
    with (
        TemporaryDirectory() as folder,
        SqliteStore.create(Path(folder) / "crawl", settings) as store,
    ):
        yield store


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest) -> Iterator[Opener]:
    """What gives a new crawl, as often as wanted."""
    if request.param == "sqlite":
        yield sqlite
        return
    with postgres() as dsn, TemporaryDirectory() as name:
        folder = Path(name) / "crawl"
        PostgresStore.create(folder, {}, dsn).close()

        @contextlib.contextmanager
        def in_postgres(settings: dict[str, Any]) -> Iterator[Store]:
            """Empty the tables rather than make them anew, which takes much longer."""
            with PostgresStore.open(folder) as store:
                for table in re.findall(r"CREATE TABLE (\w+)", TABLES_IN_POSTGRES):
                    store._database.execute(f"DELETE FROM {table}")  # noqa: S608 - ours
                store.note(settings)
            with PostgresStore.open(folder) as store:
                yield store

        yield in_postgres


PAGE = Snapshot(
    "<p>Grüße</p>",
    (Event("go", "menu", "click", "Go", "body/a[1]"), Event("stay")),
    "http://a/",
    {"main": "h1"},
    "Start",
)
LOADED: list[Fact] = [Found("a1", PAGE, 0, 1), Executed("", "load http://a/", "a1")]


def other(label: str, dom: str) -> Snapshot:
    return Snapshot(dom, (Event("go", "menu", "click", label, "body/a[2]"),), "http://a/#2")


def test_settings_can_be_changed_and_anything_json_goes(opened: Opener) -> None:
    with opened({"url": "http://a/", "options": {"events": ["click", None, 1.5, True]}}) as store:
        store.note({"reset_cost": 12.5, "url": "http://b/"})
        assert store.about == {
            "url": "http://b/",
            "options": {"events": ["click", None, 1.5, True]},
            "reset_cost": 12.5,
        }
        assert store.counts == Counts()
        assert store.masks == Masks()
        assert list(store.facts()) == []
        assert store.crawled().application() is None


def test_what_those_who_look_on_want_is_heard(opened: Opener) -> None:
    with opened({"url": "http://a/"}) as store:
        assert store.wish is Wish.RUN
        for wish in (Wish.PAUSE, Wish.STOP, Wish.RUN):
            store.ask(wish)
            assert store.wish is wish
        assert store.about == {"url": "http://a/"}
        assert store.has_writer


@given(facts=histories())
def test_facts_come_out_as_they_went_in(opened: Opener, facts: list[Fact]) -> None:
    with opened({}) as store:
        for pair in zip(facts[::2], facts[1::2], strict=False):
            store.append(pair, Counts())
        store.append(facts[len(facts) // 2 * 2 :], Counts(events=3, failures={"lost": 1}))
        assert list(store.facts()) == [without_content(fact) for fact in facts]
        assert store.counts == Counts(events=3, failures={"lost": 1})
        doms = {fact.state: fact.snapshot.dom for fact in facts if isinstance(fact, Found)}
        assert {state: snapshot.dom for state, snapshot in store.doms()} == doms
        crawled = store.crawled()
        assert list(crawled.states) == list(doms)
        counted: Counter[str] = Counter()
        for fact in facts:
            if isinstance(fact, Executed):
                counted.update(call.key for call in fact.effect.calls)
        assert {request.key: request.times for request in crawled.calls.requests} == counted
        for state in doms:
            path = crawled.path(state)
            assert path is not None
            assert (path.expected_entry, *(step.expected for step in path.steps))[-1] == state


def learned(crawl: Crawl) -> object:
    model = crawl.model
    return (
        list(model.states),
        explored_model(crawl),
        [[model.events[e].identity for e in events] for events in model.enabled],
        crawl.discoveries,
        sorted((model.states[s], model.events[e].identity) for s, e in model.refused),
        set(crawl.nondeterministic),
        crawl.frontier.total,
    )


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@settings(max_examples=25)
@given(application=applications())
def test_an_exported_crawl_is_simulated_at_its_own_cost(
    strategy: StrategyFactory, application: Application
) -> None:
    assert_same_when_simulated(strategy, application)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@pytest.mark.parametrize("model", ["hypercube:dimensions=4", "company", "bank"])
def test_regions_and_groups_are_exported(strategy: StrategyFactory, model: str) -> None:
    application = build_model(model)
    assert application.regions
    assert application.groups
    assert_same_when_simulated(strategy, application)


def assert_same_when_simulated(strategy: StrategyFactory, application: Application) -> None:
    with sqlite(about(application)) as store:
        crawl, _ = crawl_into(store, application, strategy)
        crawled = store.crawled()
        exported = crawled.application()
        assert exported is not None
        checked(exported)
        assert exported.states == application.states
        assert exported.regions == application.regions
        assert exported.groups == application.groups
        again = simulate(exported, strategy)
        assert (again.events, again.resets) == (crawl.events, crawl.resets)
        assert again.discoveries == crawl.discoveries
        summary = crawled.summary()
        assert (summary["states"], summary["transitions"]) == (
            len(application.states),
            application.transition_count,
        )
        assert summary["cost"] == crawl.cost(crawl.events, crawl.resets)
        assert summary["events_to_all_states"] == crawl.discoveries[-1][0]
        assert summary["stop_reason"] == "complete"


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("max_plans", [1, 7, 60, 100_000])
def test_what_is_recalled_is_the_model_that_was(opened: Opener, seed: int, max_plans: int) -> None:
    application = random_application(seed, states=20, events=4, nondeterministic=0.1)
    strategy = STRATEGIES["greedy"]
    with opened(about(application)) as store:
        crawl, facts = crawl_into(store, application, strategy, seed=seed, max_plans=max_plans)
        assert list(store.facts()) == [without_content(fact) for fact in facts]
        again = new_crawl(application, strategy)
        again.recall(store.facts())
        assert learned(again) == learned(crawl)
        crawled = store.crawled()
        assert [s.depth for s in crawled.states.values()] == list(crawl.limiting.depths)[1:]
        assert set(crawled.nondeterministic) == set(crawl.nondeterministic)
        exported = crawled.application()
        assert exported is not None
        checked(exported)


def test_each_state_keeps_its_own_labels_and_its_content(opened: Opener) -> None:
    second = other("Go back", "<p>Grüße</p>")
    facts: list[Fact] = [*LOADED, Found("b2", second, 1, 1), Executed("a1", "go", "b2")]
    with opened({}) as store:
        store.append(facts, Counts(seconds=1.5))
        assert store.snapshot("a1") == PAGE
        assert store.snapshot("b2") == second
        assert store.snapshot("c3") is None
        assert store.snapshot("") is None
        crawled = store.crawled()
        assert crawled.event("b2", "go").label == "Go back"
        assert crawled.states["b2"].found_seconds == 1.5
        assert crawled.entries == {"http://a/": "a1"}


def test_regions_are_those_of_the_newest_cut(opened: Opener) -> None:
    second = other("Go back", "<p>other</p>")
    facts: list[Fact] = [*LOADED, Found("b2", second, 1, 1), Executed("a1", "go", "b2")]
    with opened({}) as store:
        assert not store.cut
        store.append(facts, Counts())
        store.divide(("p",), {"a1": {"p": "h2", "page": "h3"}, "b2": {"p": "", "page": "h3"}})
        store.divide(("div#a", "p"), {"a1": {"page": "h4"}, "b2": {"page": "h5"}})
        assert store.cut == ("div#a", "p")
        assert store.snapshot("a1") == replace(PAGE, regions={"page": "h4"})
        assert {s.id: s.regions for s in store.crawled().states.values()} == {
            "a1": {"page": "h4"},
            "b2": {"page": "h5"},
        }
        with pytest.raises(ValueError, match="never found"):
            store.divide((), {"a1": {"page": "h6"}, "c3": {"page": "h6"}})
        assert store.cut == ("div#a", "p")
        found = [fact for fact in store.facts() if isinstance(fact, Found)]
        assert [dict(fact.snapshot.regions) for fact in found] == [{"page": "h4"}, {"page": "h5"}]


def test_a_fact_about_an_unknown_state_is_refused_whole(opened: Opener) -> None:
    page = Snapshot("<p>other</p>", (Event("fresh"),))
    with opened({}) as store:
        store.append(LOADED, Counts(events=1))
        with pytest.raises(ValueError, match="never found"):
            store.append([Found("b2", page, 1, 1), Executed("a1", "go", "c3")], Counts(events=2))
        assert list(store.facts()) == [without_content(fact) for fact in LOADED]
        assert store.counts == Counts(events=1)
        store.append([Found("b2", page, 1, 1), Executed("a1", "go", "b2")], Counts(events=2))
        assert store.snapshot("b2") == page


def test_calls_are_counted_by_event_function_and_request(opened: Opener) -> None:
    def call(key: str, *stack: str, cached: bool = False) -> Call:
        return Call("GET", f"/{key}", key, stack, cached)

    effect = Effect((Change("ul", "replaced"),), (call("a", "fetchIt", "onclick"),))
    with opened({}) as store:
        store.append([LOADED[0], Executed("", "load http://a/", "a1", effect)], Counts())
        transfers = [
            ("go", call("a", "fetchIt", "show", "onclick", cached=True)),
            ("go", call("b", "sendIt", "onclick")),
            ("go", call("b", "sendIt", "onclick", cached=True)),
        ]
        store.append([], Counts(), transfers)
        store.append([], Counts(), transfers[1:])
        calls = store.crawled().calls
    assert calls.hot_nodes == ("fetchIt", "sendIt")
    assert set(calls.nodes) == {"fetchIt", "sendIt", "show", "onclick"}
    assert calls.edges == {
        ("onclick", "fetchIt"): 1,
        ("show", "fetchIt"): 1,
        ("onclick", "show"): 1,
        ("onclick", "sendIt"): 4,
    }
    assert [(r.key, r.times, r.times_cached) for r in calls.requests] == [("a", 2, 1), ("b", 4, 2)]
    assert sorted((call.event, call.times) for call in calls.invocations) == [
        ("go", 1),
        ("go", 4),
        ("load http://a/", 1),
    ]


@given(facts=histories())
def test_problems_come_out_as_they_went_in_and_once(opened: Opener, facts: list[Fact]) -> None:
    told = sightings_of(facts)
    with opened({}) as store:
        store.append(facts, Counts(), sightings=told)
        store.append([], Counts(), sightings=told[::-1])
        kept = store.crawled().sightings
    names = [(each.passage[:2], each.problem[:2]) for each in told]
    assert list(kept) == [each for n, each in enumerate(told) if names.index(names[n]) == n]


def test_an_event_that_never_says_the_same_twice_fills_no_disk(opened: Opener) -> None:
    passage = Passage("a1", "go", "a1")
    texts = [str(number) for number in range(MAX_PROBLEMS * 3)]
    with opened({}) as store:
        store.append(LOADED, Counts())
        for text in texts:
            said = [Sighting(passage, Problem(FindingKind.CONSOLE, text))]
            store.append([], Counts(), sightings=said)
        store.append([], Counts(), sightings=[Sighting(passage, Problem(FindingKind.HTML, "x"))])
        kept = [each.problem.text for each in store.crawled().sightings]
    assert kept == [*texts[:MAX_PROBLEMS], "x"]


def test_a_problem_in_an_unknown_state_is_refused_whole(opened: Opener) -> None:
    lost = Sighting(Passage("a1", "go", "c3"), Problem(FindingKind.HANG, "x"))
    with opened({}) as store:
        with pytest.raises(ValueError, match="never found"):
            store.append(LOADED, Counts(events=1), sightings=[lost])
        assert list(store.facts()) == []
        assert store.crawled().sightings == ()


def test_problems_go_with_states_that_become_one(opened: Opener) -> None:
    problem = Problem(FindingKind.EXCEPTION, "x")
    facts: list[Fact] = [*LOADED, Found("b2", other("Go", "<p>1</p>"), 1, 1)]
    facts.append(Executed("a1", "go", "b2"))
    with opened({}) as store:
        met = Sighting(Passage("a1", "go", "b2"), problem)
        store.append(facts, Counts(), sightings=[met])
        store.rekey(Masks((Mask("html/p", "text", "clock"),)), {"a1": "d4", "b2": "d4"})
        again = Sighting(Passage("d4", "go", "d4"), problem)
        store.append([], Counts(), sightings=[again])
        assert store.crawled().sightings == (again,)


def test_states_that_become_one_are_one_from_then_on(opened: Opener) -> None:
    """Twice: what became one is renamed again, and a new state takes an id of the past."""
    facts: list[Fact] = [
        *LOADED,
        Found("b2", other("Go", "<p>1</p>"), 1, 1),
        Executed("a1", "go", "b2"),
        Found("c3", other("Go", "<p>2</p>"), 2, 1),
        Executed("b2", "go", "c3"),
        Executed("c3", "go", "a1"),
    ]
    masks = Masks((Mask("html/p", "text", "clock"),))
    with opened({"url": "http://a/"}) as store:
        store.append(facts, Counts())
        store.save_screenshot("b2", PNG)
        store.rekey(masks, {"b2": "d4", "c3": "d4"})
        assert store.masks == masks
        store.rekey(masks.plus([Mask("html/b", "text")]), {"d4": "e5"})
        assert store.masks.version == 2
        store.append([Found("b2", PAGE, 3, 1), Executed("a1", "stay", "b2")], Counts())
        merged: list[Fact] = [
            *LOADED,
            Found("e5", other("Go", ""), 1, 1),
            Executed("a1", "go", "e5"),
            Executed("e5", "go", "e5"),
            Executed("e5", "go", "a1"),
            Found("b2", PAGE, 3, 1),
            Executed("a1", "stay", "b2"),
        ]
        assert list(store.facts()) == [without_content(fact) for fact in merged]
        crawled = store.crawled()
        assert list(crawled.states) == ["a1", "e5", "b2"]
        assert crawled.aliases == {"c3": "e5", "d4": "e5"}
        assert crawled.nondeterministic == (("e5", "go"),)
        assert [state for state, _ in store.doms()] == ["a1", "e5", "b2"]
        assert store.snapshot("c3") == store.snapshot("e5") == other("Go", "<p>1</p>")
        assert store.screenshot("e5") == PNG
        Crawl(["http://a/"], STRATEGIES["greedy"], lambda page: page.dom, 1).recall(store.facts())


def test_a_path_avoids_what_is_not_reliable(opened: Opener) -> None:
    last = Snapshot("<p>end</p>", ())
    facts: list[Fact] = [
        *LOADED,
        Found("b2", other("Go", "<p>1</p>"), 1, 1),
        Executed("a1", "stay", "b2"),
        Found("c3", last, 2, 1),
        Executed("a1", "go", "c3"),
        Executed("a1", "go", "a1"),
        Found("d4", last, 2, 1),
        Executed("c3", "lost", "d4"),
    ]
    with opened({"url": "http://a/"}) as store:
        store.append(facts, Counts())
        sure = store.crawled().path("b2")
        assert sure is not None
        assert sure.entry == "http://a/"
        assert [step.event for step in sure.steps] == ["stay"]
        unsure = store.crawled().path("d4")
        assert unsure is not None
        assert [step.event for step in unsure.steps] == ["go", "lost"]
        store.append([Executed("b2", "go", "c3")], Counts())
        around = store.crawled().path("d4")
        assert around is not None
        assert [step.event for step in around.steps] == ["stay", "go", "lost"]
        assert store.crawled().path("nowhere") is None


@pytest.mark.parametrize(
    "data", [PNG, b"\xff\xd8\xff\xe0 jpeg", b"RIFF\n\0\0\0WEBPVP8 "], ids=["png", "jpg", "webp"]
)
def test_screenshots_are_kept(opened: Opener, data: bytes) -> None:
    with opened({}) as store:
        assert not store.has_screenshot("a1")
        store.save_screenshot("a1", data)
        assert store.has_screenshot("a1")
        assert store.screenshot("a1") == data


@pytest.mark.parametrize(
    "state", ["", ".", "..", "../crawl", "/etc/passwd", "a/b", "a\0", "x" * 99]
)
def test_no_id_leads_out_of_the_screenshots(opened: Opener, state: str) -> None:
    with opened({}) as store:
        with pytest.raises(ValueError, match="not the id"):
            store.save_screenshot(state, PNG)
        assert store.screenshot(state) is None
        assert not store.has_screenshot(state)


def test_what_is_no_picture_is_not_kept(opened: Opener) -> None:
    with opened({}) as store:
        with pytest.raises(ValueError, match="not a picture"):
            store.save_screenshot("a1", b"<script>")
        assert not store.has_screenshot("a1")


def test_what_was_decided_about_pages_and_by_which_features(opened: Opener) -> None:
    features = np.array([0, 7, 2**64 - 1], dtype=np.uint64)
    with opened({}) as store:
        assert store.features("broder") == {}
        store.decide(
            "broder:threshold=0.2",
            "broder",
            [(Decision("s1", "s1", 0.0), features), (Decision("s2", "s1", 0.125), features[:0])],
        )
        store.keep_features("broder", {"s1": features[1:], "": features[:1]})
        assert store.decisions("broder:threshold=0.2") == [
            Decision("s1", "s1", 0.0),
            Decision("s2", "s1", 0.125),
        ]
        assert store.decisions("broder:threshold=0.3") == []
        kept = {page: each.tolist() for page, each in store.features("broder").items()}
        assert kept == {"s1": [7, 2**64 - 1], "s2": [], "": [0]}
