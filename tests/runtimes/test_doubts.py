"""What varies is learned while a star crawls: who is asked, what is believed, who is refused."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from statecrawl.compose.choices import state_identity
from statecrawl.compose.fleet import StarOptions, new_hub, told_to_crawlers
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.coordination.sessions import Envelope
from statecrawl.coordination.star_messages import Credentials, GetCredentials, SendNewState
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.masks import Masks
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.runtimes.hub import Hub
from statecrawl.runtimes.line import ForgottenError
from statecrawl.runtimes.node import masks_in
from statecrawl.storage import SqliteStore
from tests.runtimes.test_http_api import URL, new_store

LOAD, MORE = f"load {URL}", "click more"
PLACE = "html/body[1]/p[1]"


def page(text: str, *events: str, tag: str = "p", **more: Any) -> Snapshot:
    dom = f"<html><body><{tag}>{text}</{tag}></body></html>"
    return Snapshot(dom, tuple(Event(event) for event in events), URL, **more)


HOME = page("home", MORE, "click away", tag="h1")
ONE, TWO = page("visit 1", "click on"), page("visit 2", "click on")


def name_of(snapshot: Snapshot, masks: Masks | None = None) -> str:
    return state_identity(CrawlOptions(URL).equivalence, masks)(snapshot)


def led(source: Snapshot | None, event: str, target: Snapshot) -> list[Fact]:
    """What a node tells that has found a page."""
    source_name = "" if source is None else name_of(source)
    return [Found(name_of(target), target, 1, 1), Executed(source_name, event, name_of(target))]


class Node:
    """A node that says what it is told to."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.name = hub.join() or ""
        self._said = 0
        self._token = 0

    def send(self, message: Any, counts: Counts | None = None) -> None:
        self._said += 1
        self.hub.hear(self.name, [Envelope(1_000_001, 0, self._said, 0, message)], counts)

    async def take_part(self) -> "Node":
        self.send(GetCredentials(1))
        mail = await self.hub.letters(self.name, 0)
        messages = [each.message for each in mail.envelopes]
        (credentials,) = [each for each in messages if isinstance(each, Credentials)]
        self._token = credentials.token
        return self

    def tell(self, *facts: Fact, counts: Counts | None = None) -> None:
        self.send(SendNewState(self._token, facts), counts)

    async def doubts(self) -> list[str]:
        return list((await self.hub.letters(self.name, 0)).doubts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with new_store(tmp_path / "crawl") as made:
        yield made


def hub_over(store: SqliteStore) -> Hub:
    return new_hub(store, StarOptions(nodes=1, lease_seconds=30), RunOptions(), print)


async def doubtful(hub: Hub) -> Node:
    """A node that has found a page in two wordings, and is asked to go to the second again."""
    node = await Node(hub).take_part()
    node.tell(*led(None, LOAD, HOME), counts=Counts(events=3, resets=1))
    assert await node.doubts() == [name_of(HOME)]  # the first page of all
    assert not hub.show(node.name, name_of(HOME), (HOME, HOME), None)
    node.tell(*led(HOME, MORE, ONE))
    assert await node.doubts() == []
    node.tell(*led(HOME, "click away", TWO))
    assert await node.doubts() == [name_of(TWO)]
    assert await node.doubts() == [name_of(TWO)]  # until it has answered
    return node


def alone(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(bounded())


def explored(store: SqliteStore) -> set[tuple[str, str, str]]:
    facts = (fact for fact in store.facts() if isinstance(fact, Executed))
    return {(fact.source, fact.event, fact.target) for fact in facts}


def check_learned(store: SqliteStore) -> None:
    """Nothing is lost, and the two wordings are one state."""
    (mask,) = store.masks.masks
    assert mask.place == (PLACE, "text")
    home, detail = (name_of(each, store.masks) for each in (HOME, ONE))
    assert set(store.crawled().states) == {home, detail}
    assert explored(store) == {
        ("", LOAD, home), (home, MORE, detail), (home, "click away", detail),
    }  # fmt: skip


def test_what_differs_at_two_visits_is_left_out_by_all(store: SqliteStore) -> None:
    hub = hub_over(store)

    async def test() -> None:
        node, other = await doubtful(hub), await Node(hub).take_part()
        waiting = asyncio.create_task(hub.letters(other.name, 30))
        await asyncio.sleep(0)
        counts = Counts(events=5, resets=2, probe_events=2, probe_resets=2)
        assert hub.show(node.name, name_of(TWO), (ONE, TWO), counts)
        check_learned(store)
        with pytest.raises(ForgottenError):  # it hears that at once
            await waiting
        again = await Node(hub).take_part()
        assert masks_in(told_to_crawlers(store)) == store.masks
        assert hub.coordinator.ownership.left == 1  # "click on", which nobody has explored
        hub.recorder.tell(again.name, Counts(events=1, probe_resets=1))
        total = hub.recorder.counts()
        assert (total.events, total.resets, total.probe_events, total.probe_resets) == (6, 2, 2, 3)

    alone(test)


def test_a_node_from_before_is_refused_and_nothing_of_it_recorded(store: SqliteStore) -> None:
    hub = hub_over(store)

    async def test() -> None:
        node = await doubtful(hub)
        assert hub.show(node.name, name_of(TWO), (ONE, TWO), None)
        late: list[Callable[[], Any]] = [
            lambda: node.tell(*led(TWO, "click on", page("new")), counts=Counts(events=9)),
            lambda: node.send(GetCredentials(2)),
            lambda: hub.show(node.name, name_of(TWO), (ONE, TWO), Counts(events=9)),
        ]
        for act in late:
            with pytest.raises(ForgottenError):
                act()
        with pytest.raises(ForgottenError):
            await hub.letters(node.name, 0)
        check_learned(store)
        assert hub.recorder.counts().events == 3
        fresh = await Node(hub).take_part()
        fresh.tell(*led(TWO, "click on", page("new")))  # by an id of the past
        check_learned(store)

    alone(test)


def test_visits_that_show_nothing_new_change_nothing(store: SqliteStore) -> None:
    hub = hub_over(store)

    async def test() -> None:
        node = await doubtful(hub)
        assert not hub.show(node.name, name_of(ONE), (ONE, TWO), None)  # nobody has asked
        assert not hub.show(node.name, "nowhere", (ONE, TWO), None)
        other = await Node(hub).take_part()
        assert not hub.show(other.name, name_of(TWO), (ONE, TWO), None)  # another was asked
        assert not hub.show(node.name, name_of(TWO), None, None)  # it could not go there
        assert not hub.show(node.name, name_of(TWO), (ONE, TWO), None)  # it has answered
        assert await node.doubts() == []
        assert hub.knows(node.name)
        assert store.masks == Masks()
        assert len(store.crawled().states) == 3

    alone(test)


@pytest.mark.parametrize(
    "claimed",
    [("html/body[1]/p[7]", "text"), ("nonsense", "text"), (PLACE, "no name"), ("html/*", "id")],
)
def test_only_parts_of_a_page_that_are_there_can_vary(
    claimed: tuple[str, str], store: SqliteStore
) -> None:
    hub = hub_over(store)

    async def test() -> None:
        node = await doubtful(hub)
        node.tell(*led(ONE, "click on", page("tick", tag="h2", volatile=(claimed,))))
        visits = [page("same", made_up=((*claimed, value),)) for value in ("1", "2")]
        assert not hub.show(node.name, name_of(TWO), (visits[0], visits[1]), None)
        assert store.masks == Masks()
        assert hub.knows(node.name)

    alone(test)


@pytest.mark.parametrize(("again", "is_counter"), [("visit 4", True), ("visit 1", False)])
def test_an_event_that_leads_to_a_new_page_each_time_counts_visits(
    again: str, is_counter: bool, store: SqliteStore
) -> None:
    """One that leads to known pages in turn has several outcomes."""
    hub = hub_over(store)

    async def test() -> None:
        node = await Node(hub).take_part()
        node.tell(*led(None, LOAD, HOME), *led(HOME, MORE, ONE), *led(HOME, MORE, TWO))
        assert name_of(TWO) in await node.doubts()
        visits = page("visit 3", "click on"), page(again, "click on")
        assert hub.show(node.name, name_of(TWO), visits, None) == is_counter
        assert len(store.crawled().states) == 2 + (not is_counter)

    alone(test)


def test_what_a_timer_changes_is_left_out_at_once(store: SqliteStore) -> None:
    hub = hub_over(store)

    async def test() -> None:
        node = await Node(hub).take_part()
        node.tell(*led(None, LOAD, page("tick", volatile=((PLACE, "text"),))))
        assert [mask.place for mask in store.masks.masks] == [(PLACE, "text")]
        assert not hub.knows(node.name)

    alone(test)


def test_pages_that_one_event_led_to_and_only_count_are_one(store: SqliteStore) -> None:
    hub = hub_over(store)
    dialogs = [
        Snapshot(f'<html><body><p id="dialog-{n}">Hi</p></body></html>', (), URL) for n in (1, 2)
    ]

    async def test() -> None:
        nodes = [await Node(hub).take_part() for _ in range(2)]
        nodes[0].tell(*led(None, LOAD, HOME), *led(HOME, MORE, dialogs[0]))
        nodes[1].tell(*led(HOME, MORE, dialogs[1]))
        assert [mask.place for mask in store.masks.masks] == [(PLACE, "id")]
        assert len(store.crawled().states) == 2

    alone(test)


def dies_after(writes: int, store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have whoever writes to a store die before it has written once more."""
    left = iter([True] * writes)

    def dying(write: Callable[..., None]) -> Callable[..., None]:
        def written(*arguments: Any) -> None:
            if not next(left, False):
                raise KeyboardInterrupt
            write(*arguments)

        return written

    for method in ("note", "append", "rekey", "decide"):
        monkeypatch.setattr(store, method, dying(getattr(store, method)))


@pytest.mark.parametrize("writes", range(4))
def test_killed_while_it_learns_a_coordinator_goes_on(
    writes: int, store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was let in under old masks is never known to a coordinator with others."""
    hub = hub_over(store)

    async def learn() -> str:
        node = await doubtful(hub)
        hub.recorder.tell(node.name, Counts(events=5))
        dies_after(writes, store, monkeypatch)
        with pytest.raises(KeyboardInterrupt):
            hub.show(node.name, name_of(TWO), (ONE, TWO), None)
        return node.name

    async def go_on(name: str) -> None:
        with SqliteStore.open(tmp_path / "crawl") as again:
            resumed = hub_over(again)
            if again.masks.masks:
                assert not resumed.knows(name)
                check_learned(again)
                assert resumed.coordinator.ownership.left == 1
            else:
                assert len(explored(again)) == 3
                assert resumed.coordinator.ownership.left == 2
            if not resumed.knows(name):
                assert resumed.recorder.counts().events == 5
            assert bool(again.masks.masks) == (writes >= 2)

    name = asyncio.run(learn())
    monkeypatch.undo()
    store.close()
    asyncio.run(go_on(name))


def test_nodes_that_join_again_hear_that_all_was_explored_meanwhile(store: SqliteStore) -> None:
    hub = hub_over(store)

    async def test() -> None:
        running = asyncio.create_task(hub.run(None))
        node = await doubtful(hub)
        node.tell(Executed(name_of(ONE), "click on", name_of(HOME)))
        assert hub.show(node.name, name_of(TWO), (ONE, TWO), None)
        assert hub.is_over
        await asyncio.sleep(0.1)
        assert not running.done()  # somebody would be left without an answer
        assert (await hub.letters(Node(hub).name, 0)).is_over
        assert await running is StopReason.COMPLETE

    alone(test)


def test_what_goes_wrong_while_it_learns_ends_the_crawl(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = hub_over(store)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    async def test() -> None:
        running = asyncio.create_task(hub.run(None))
        node = await doubtful(hub)
        monkeypatch.setattr(store, "rekey", fail)
        assert not hub.show(node.name, name_of(TWO), (ONE, TWO), None)
        with pytest.raises(OSError, match="the disk is full"):
            await running

    alone(test)
