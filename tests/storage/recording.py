"""Crawls of simulated applications into a store, and facts of every kind."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, GivenUp, Refused
from statecrawl.core.findings import Passage, Sighting
from statecrawl.core.ports import Store
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Call, Change, Effect, Event, Filling, Snapshot
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser
from statecrawl.simulation.run import new_crawl

PNG = b"\x89PNG\r\n\x1a\n picture"


def about(application: Application) -> dict[str, object]:
    return {
        "url": application.initial,
        "entries": list(application.all_entries),
        "reset_cost": application.reset_cost,
        "strategy": "any",
        "equivalence": "exact",
    }


def crawl_into(
    store: Store,
    application: Application,
    strategy: StrategyFactory,
    *,
    seed: int = 0,
    max_plans: int = 100_000,
) -> tuple[Crawl, list[Fact]]:
    """Crawl, recording after each plan, and return every fact besides."""
    crawl = new_crawl(application, strategy)
    told: list[Fact] = []
    fresh: list[Fact] = []
    crawl.journal = fresh.append
    browser = SimulatedBrowser(application, Random(seed))
    for _ in range(max_plans):
        if (plan := crawl.plan()) is None:
            break
        crawl.observe(asyncio.run(browser.execute(plan)))
        store.append(fresh, Counts(crawl.events, crawl.resets, seconds=len(told) / 2))
        told += fresh
        fresh.clear()
    store.append(fresh, Counts(crawl.events, crawl.resets, stop_reason=crawl.stop_reason))
    return crawl, [*told, *fresh]


def without_content(fact: Fact) -> Fact:
    """What a store gives back of a fact."""
    if isinstance(fact, Found):
        return fact._replace(snapshot=replace(fact.snapshot, dom="", page=""))
    if isinstance(fact, Executed):
        return fact._replace(effect=fact.effect._replace(calls=(), problems=()))
    return fact


texts = st.text(st.characters(), max_size=8)
events = st.builds(
    Event,
    texts,
    st.none() | texts,
    st.sampled_from(["click", "hover"]),
    texts,
    texts,
    texts,
    st.lists(st.builds(Filling, texts, st.just("input"), texts, texts), max_size=1).map(tuple),
)
snapshots = st.builds(
    Snapshot,
    dom=texts,
    events=st.lists(events, max_size=4).map(tuple),
    url=texts,
    regions=st.dictionaries(texts, texts, max_size=2),
    title=texts,
    page=texts,
)
calls = st.builds(Call, texts, texts, texts, st.lists(texts, max_size=3).map(tuple), st.booleans())
problems = st.builds(Problem, st.sampled_from(FindingKind), texts, texts)
effects = st.builds(
    Effect,
    st.lists(st.builds(Change, texts, texts), max_size=2).map(tuple),
    st.lists(calls, max_size=2).map(tuple),
    st.lists(problems, max_size=2).map(tuple),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Fact]:
    """What a crawl of the most hostile pages could learn: every text may be anything."""
    facts: list[Fact] = []
    states: dict[str, Snapshot] = {}
    for number, page in enumerate(draw(st.lists(snapshots, min_size=1, max_size=5))):
        source = draw(st.sampled_from(["", *states]))
        fired = [event.identity for event in states[source].events] if source else []
        event = draw(st.sampled_from(fired)) if fired else "load /"
        source = source if fired else ""
        state = f"{number:016x}"
        states[state] = page
        facts += [
            Found(state, page, draw(st.integers(0, 10**9)), draw(st.integers(1, 10**6))),
            Executed(source, event, state, draw(effects)),
        ]
        if not page.events:
            continue
        failed = (state, page.events[-1].identity)
        rest: list[list[Fact]] = [
            [],
            [Refused(*failed, draw(texts))],
            [GivenUp(*failed)],
            [EntryFound(draw(texts)), Assumed(*failed, draw(st.sampled_from(list(states))))],
        ]
        facts += draw(st.sampled_from(rest))
        if draw(st.booleans()):
            target = draw(st.sampled_from(list(states)))
            facts.append(Executed(state, page.events[0].identity, target, draw(effects)))
    return facts


def sightings_of(facts: list[Fact]) -> list[Sighting]:
    """The problems of a history as a crawl would tell them."""
    return [
        Sighting(Passage(fact.source, fact.event, fact.target), problem)
        for fact in facts
        if isinstance(fact, Executed)
        for problem in fact.effect.problems
    ]


def endless(random: Random) -> Iterator[list[Fact]]:
    """What one plan after the other teaches; never ends."""
    shown = tuple(Event(f"e{number}", label=f"Event {number}") for number in range(10))
    states: list[str] = []
    while True:
        source = random.choice(states) if states else ""
        event = random.choice(shown).identity if states else "load /"
        effect = Effect((Change("ul", "replaced"),), (Call("GET", "/a", "a", ("f", "g"), False),))
        if not states or random.random() < 0.3:
            states.append(f"{len(states):016x}")
            page = Snapshot("<p>word</p>" * random.randrange(2000) + states[-1], shown)
            found = Found(states[-1], page, len(states), 1)
            yield [found, Executed(source, event, states[-1], effect)]
        else:
            yield [Executed(source, event, random.choice(states), effect)]
