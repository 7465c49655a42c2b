"""What many crawlers find is kept once, and what they did is added up, whoever dies."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.snapshot import Effect, Event, Snapshot
from statecrawl.runtimes.recorder import Recorder
from statecrawl.storage import SqliteStore

PAGE = Snapshot("<html></html>", (Event("click a"),))
FACTS: list[Fact] = [
    Found("s1", PAGE, 7, 7),
    Executed("", "load u", "s1", Effect(problems=(Problem(FindingKind.CONSOLE, "oh"),))),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "crawl", {"entries": ["u"]}) as made:
        yield made


def test_a_fact_that_is_told_twice_is_kept_once(store: SqliteStore) -> None:
    recorder = Recorder(store)
    recorder.record(FACTS)
    recorder.record(FACTS)
    assert len(list(store.facts())) == 2
    Recorder(store).record(FACTS)
    assert len(list(store.facts())) == 2
    assert recorder.states == 1


def test_a_state_is_found_after_what_all_crawlers_did(store: SqliteStore) -> None:
    recorder = Recorder(store)
    recorder.tell("one", Counts(events=3, resets=1))
    recorder.tell("other", Counts(events=4, resets=2))
    recorder.record(FACTS)
    (state,) = store.crawled().states.values()
    assert (state.found_events, state.found_resets) == (7, 3)


def test_the_problems_of_a_fact_are_findings(store: SqliteStore) -> None:
    Recorder(store).record(FACTS)
    assert [sighting.problem.text for sighting in store.crawled().sightings] == ["oh"]


def test_the_account_of_a_crawler_that_came_before_us_counts_once(store: SqliteStore) -> None:
    recorder = Recorder(store)
    recorder.enter("one")
    recorder.tell("one", Counts(events=3, spent={"idle": 1.0}))
    recorder.enter("other")  # everything is noted now
    again = Recorder(store)
    assert again.counts().events == 3
    again.tell("one", Counts(events=5, spent={"idle": 2.0}))
    assert again.counts().events == 5
    assert again.counts().spent == {"idle": 2.0}
