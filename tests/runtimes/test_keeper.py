"""Who keeps the crawl of a ring: what varies is learned on the way, and all begin anew."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.compose.fleet import StoredKeeper
from statecrawl.coordination.membership import Disk
from statecrawl.core.counts import Counts
from statecrawl.core.facts import EntryFound, Executed, Found
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.wish import Wish
from statecrawl.runtimes import keeper as keeping
from statecrawl.runtimes.keeper import MAX_ASKED, Keeper, Told, begin_generation
from statecrawl.storage import SqliteStore
from tests.runtimes.test_doubts import (
    HOME,
    LOAD,
    MORE,
    ONE,
    TWO,
    check_learned,
    dies_after,
    led,
    name_of,
    page,
)
from tests.runtimes.test_http_api import URL, new_store

EVERYONE = ("coordinator 0", "coordinator 1", "coordinator 2")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with new_store(tmp_path / "crawl") as made:
        begin_generation(made)
        yield made


def keeper_over(store: SqliteStore) -> Keeper:
    return StoredKeeper(lambda: store).keeper


def tell(keeper: Keeper, events: int = 0) -> Told:
    return keeper.tell(keeper.generation, "crawler 0 a", Counts(events=events))


def doubtful(store: SqliteStore) -> Keeper:
    """A keeper that has heard of a page in two wordings, and has somebody go there again."""
    keeper = keeper_over(store)
    keeper.record(1, led(None, LOAD, HOME))
    doubt = tell(keeper, 5).doubt
    assert doubt is not None
    assert doubt.state == name_of(HOME)  # the first page of all
    keeper.show(1, name_of(HOME), (HOME, HOME))
    keeper.record(1, led(HOME, MORE, ONE))
    assert tell(keeper, 5) == Told(1, False, False, None, is_settled=True)
    keeper.record(1, led(HOME, "click away", TWO))
    return keeper


def test_a_doubtful_page_is_shown_twice_and_what_differs_is_left_out_by_all(
    store: SqliteStore,
) -> None:
    keeper = doubtful(store)
    told = tell(keeper, 5)
    assert told.doubt is not None
    assert told.doubt.state == name_of(TWO)
    way = Plan(URL, name_of(HOME), (Step("click away", name_of(TWO)),))
    assert told.doubt.way == way
    other = keeper.tell(1, "crawler 1 b", Counts(events=2))
    assert (other.doubt, other.is_settled) == (None, False)  # the first is on its way
    keeper.show(1, name_of(TWO), (ONE, TWO))
    check_learned(store)
    assert keeper.generation == 2
    assert keeper.begun().masks == store.masks
    assert keeper.stand().is_settled
    assert keeper.recorder.counts().events == 7


def test_what_is_said_in_another_generation_is_not_heard(store: SqliteStore) -> None:
    keeper = doubtful(store)
    tell(keeper, 5)
    keeper.keep(1, EVERYONE[0], Disk(promised=7))
    assert keeper.part(EVERYONE[0], EVERYONE).disk.promised == 7
    keeper.show(1, name_of(TWO), (ONE, TWO))
    keeper.record(1, led(TWO, "click on", page("new")))  # by an id of the past
    keeper.keep(1, EVERYONE[0], Disk(promised=9))
    keeper.show(1, name_of(HOME), (ONE, TWO))
    late = keeper.tell(1, "crawler 0 a", Counts(events=99))
    assert (late.generation, late.doubt) == (2, None)
    check_learned(store)
    assert keeper.part(EVERYONE[0], EVERYONE).disk == Disk()
    assert keeper.recorder.counts().events == 5


def test_a_coordinator_begins_with_what_is_stored(store: SqliteStore) -> None:
    keeper = doubtful(store)
    tell(keeper)
    keeper.show(1, name_of(TWO), (ONE, TWO))
    home, detail = (name_of(each, store.masks) for each in (HOME, ONE))
    for address in EVERYONE:
        part = keeper.part(address, EVERYONE)
        assert part.generation == 2
        assert {copy.state for copy in part.recalled.copies} <= {"", home, detail}
    everything = {
        copy.state for each in EVERYONE for copy in keeper.part(each, EVERYONE).recalled.copies
    }
    assert everything == {"", home, detail}


def test_whoever_is_to_stop_or_to_pause_hears_it_next(store: SqliteStore) -> None:
    keeper = keeper_over(store)
    store.ask(Wish.PAUSE)
    assert (tell(keeper).is_paused, tell(keeper).is_stopped) == (True, False)
    keeper.stop()
    assert tell(keeper).is_stopped


def test_one_that_can_not_be_gone_to_is_asked_for_a_few_times_only(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "ASK_AGAIN_SECONDS", 0.0)
    keeper = doubtful(store)
    asked = [tell(keeper).doubt for _ in range(MAX_ASKED + 2)]
    assert sum(doubt is not None for doubt in asked) == MAX_ASKED
    assert keeper.stand().is_settled
    keeper.show(1, name_of(TWO), (ONE, TWO))  # nobody waits for that any more
    assert store.masks == Masks()


def test_an_event_that_leads_to_a_new_page_each_time_counts_visits(store: SqliteStore) -> None:
    keeper = keeper_over(store)
    keeper.record(1, [*led(None, LOAD, HOME), *led(HOME, MORE, ONE)])
    dialogs = [
        Snapshot(f'<html><body><h2 id="dialog-{n}">Hi</h2></body></html>', (), URL) for n in (1, 2)
    ]
    keeper.record(1, led(HOME, "click away", dialogs[0]))
    keeper.record(1, led(HOME, "click away", dialogs[1]))
    assert [mask.part for mask in store.masks.masks] == ["id"]
    assert keeper.generation == 2


def test_windows_are_entered_when_a_generation_has_nothing_left(store: SqliteStore) -> None:
    keeper = keeper_over(store)
    keeper.record(1, [*led(None, LOAD, HOME), EntryFound(URL), EntryFound(URL + "terms")])
    keeper.go_on(1)  # there is a doubt yet
    assert keeper.generation == 1
    assert tell(keeper).doubt is not None
    keeper.show(1, name_of(HOME), (HOME, HOME))
    assert not keeper.stand().is_settled
    keeper.go_on(1)
    keeper.go_on(1)  # said in the former one
    assert keeper.generation == 2
    assert keeper.stand().is_settled
    parts = [keeper.part(address, EVERYONE) for address in EVERYONE]
    assert {part.entries for part in parts} == {(URL, URL + "terms")}
    blank, _ = [copy for part in parts for copy in part.recalled.copies if not copy.state]
    assert [event.identity for event in blank.snapshot.events] == [LOAD, f"{LOAD}terms"]
    keeper.record(2, [EntryFound(URL + "terms")])
    assert keeper.stand().is_settled


@pytest.mark.parametrize("writes", range(4))
def test_killed_while_it_learns_a_keeper_goes_on(
    writes: int, store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of states never change in a generation that somebody takes part in."""
    keeper = doubtful(store)
    tell(keeper, 5)
    dies_after(writes, store, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        keeper.show(1, name_of(TWO), (ONE, TWO))
    monkeypatch.undo()
    store.close()
    with SqliteStore.open(tmp_path / "crawl") as again:
        resumed = keeper_over(again)
        assert bool(again.masks.masks) == (writes >= 3)
        assert resumed.generation == (2 if writes else 1)
        if again.masks.masks:
            check_learned(again)
        else:
            assert sum(isinstance(fact, Executed) for fact in again.facts()) == 3
            assert sum(isinstance(fact, Found) for fact in again.facts()) == 3
