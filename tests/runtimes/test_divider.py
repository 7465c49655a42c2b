"""A crawl's pages are divided alike, whenever they were found and whatever varies in them."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import TEXT, Mask, Masks
from statecrawl.core.model import Model
from statecrawl.core.plan import Execution
from statecrawl.core.regions import EARLIER_CUTS, REST
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences.exact import exact
from statecrawl.runtimes.divider import FIRST, Divider
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES

URL = "http://a/"
CLOCK = Masks((Mask("html/body[1]/p[1]", TEXT),))
WIDGETS = ("html/body/div", "html/body/div[2]")


@pytest.fixture
def identity() -> StateIdentity:
    return StateIdentity(exact, CLOCK)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "crawl", {}) as store:
        yield store


def snapshot(one: int, two: int) -> Snapshot:
    """A page with two widgets and a clock, which never shows the same time."""
    dom = f"<html><body><p>{one * 31 + two}:00</p><div>{one}</div><div>{two}</div></body></html>"
    return Snapshot(dom, tuple(Event(f"{i} {value}") for i in (1, 2) for value in range(3)), URL)


def tell(store: SqliteStore, identity: StateIdentity) -> None:
    """Have every page of the application found, and every event fired."""
    names = {state: identity(snapshot(*state)) for state in product(range(3), range(3))}
    facts: list[Fact] = [Found(names[0, 0], snapshot(0, 0), 0, 1)]
    facts.append(Executed("", f"load {URL}", names[0, 0]))
    for (one, two), name in names.items():
        for value in range(3):
            for event, target in ((f"1 {value}", (value, two)), (f"2 {value}", (one, value))):
                facts.append(Found(names[target], snapshot(*target), 1, 1))
                facts.append(Executed(name, event, names[target]))
    store.append(facts, Counts(events=54, resets=1))


def model_of(store: SqliteStore, identity: StateIdentity) -> Model:
    crawl = Crawl([URL], STRATEGIES["greedy"], identity, 1)
    crawl.recall(store.facts())
    return crawl.model


def test_all_states_are_divided_at_what_was_learned(
    store: SqliteStore, identity: StateIdentity
) -> None:
    divider = Divider(store, identity)
    assert not divider.is_due(model_of(store, identity))
    tell(store, identity)
    model = model_of(store, identity)
    assert model.state_count == 9 >= FIRST
    assert divider.is_due(model)
    assert divider.learn(model)
    assert not divider.is_due(model)
    assert not divider.learn(model)
    divider.divide_all()
    assert store.cut == WIDGETS
    assert store.about[EARLIER_CUTS] == [[55, []]]
    shown = [state.regions for state in store.crawled().states.values()]
    assert [len({each[name] for each in shown}) for name in (*WIDGETS, REST)] == [3, 3, 1]
    assert list(model_of(store, identity).regions)[1:] == shown


def test_pages_found_later_are_divided_alike_after_a_resume(
    store: SqliteStore, identity: StateIdentity
) -> None:
    tell(store, identity)
    divider = Divider(store, identity)
    divider.learn(model_of(store, identity))
    divider.divide_all()
    known = model_of(store, identity)
    execution = Execution((snapshot(1, 2), snapshot(7, 2)))
    old, new = Divider(store, identity).divided(execution, known).snapshots
    assert old.regions == {}  # a state that is known has its regions already
    widget, other, rest = (new.regions[name] for name in (*WIDGETS, REST))
    assert widget not in {regions.get(WIDGETS[0]) for regions in known.regions}
    assert any(regions.get(WIDGETS[1]) == other for regions in known.regions)
    assert all(regions[REST] == rest for regions in list(known.regions)[1:])
