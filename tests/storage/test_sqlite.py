"""What can be wrong with a folder, and what people are told then."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.snapshot import Call, Event, Snapshot
from statecrawl.core.wish import Wish
from statecrawl.errors import InputError
from statecrawl.storage import SqliteStore
from tests.storage.recording import PNG, endless, without_content

LOADED: list[Fact] = [
    Found("a1", Snapshot("<p>", (Event("go"),)), 0, 1),
    Executed("", "load /", "a1"),
]


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """One line that says what is wrong and what to do."""
    with pytest.raises(InputError) as caught:
        yield
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    for word in words:
        assert word in message


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    SqliteStore.create(tmp_path / "a" / "b%20 ?#é", {}).close()
    assert names(tmp_path / "a" / "b%20 ?#é") == ["crawl.db"]
    SqliteStore.open(tmp_path / "a" / "b%20 ?#é", read_only=True).close()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with refused("is a file", "--out"):
        SqliteStore.create(tmp_path / "file", {})
    with refused("is a file", "--out"):
        SqliteStore.check_free(tmp_path / "file")
    with refused("--out"):
        SqliteStore.create(tmp_path / "file" / "below", {})
    with refused("no crawl"):
        SqliteStore.open(tmp_path / "file")
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["x" * 300, "null\0character"])
def test_a_name_that_no_folder_can_have(tmp_path: Path, name: str) -> None:
    with refused("can't use"):
        SqliteStore.create(tmp_path / "above" / name, {})
    with refused():
        SqliteStore.open(tmp_path / name)
    assert names(tmp_path) == []


def test_a_folder_with_other_things_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with refused("other things", "--out"):
        SqliteStore.create(tmp_path, {})
    with refused("other things", "--out"):
        SqliteStore.check_free(tmp_path)
    assert names(tmp_path) == ["thesis.tex"]


def test_a_folder_that_is_free_is_only_looked_at(tmp_path: Path) -> None:
    SqliteStore.check_free(tmp_path)
    SqliteStore.check_free(tmp_path / "new")
    assert names(tmp_path) == []


def test_a_crawl_is_never_overwritten(tmp_path: Path) -> None:
    SqliteStore.create(tmp_path, {"url": "/"}).close()
    with refused("there is a crawl", "--resume", "--out"):
        SqliteStore.create(tmp_path, {})
    with SqliteStore.open(tmp_path) as store:
        assert store.about == {"url": "/"}


def test_a_folder_without_a_crawl_is_not_opened(tmp_path: Path) -> None:
    for read_only in (True, False):
        for folder in (tmp_path, tmp_path / "missing"):
            with refused("no crawl in"):
                SqliteStore.open(folder, read_only=read_only)
    assert names(tmp_path) == []


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("content", [b"", b"no database" * 200])
def test_a_file_that_is_no_crawl(tmp_path: Path, content: bytes, *, read_only: bool) -> None:
    (tmp_path / "crawl.db").write_bytes(content)
    with refused("no crawl"):
        SqliteStore.open(tmp_path, read_only=read_only)
    assert (tmp_path / "crawl.db").read_bytes() == content


def test_a_database_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        connection.execute("CREATE TABLE about (name TEXT)")
    with refused("no crawl"):
        SqliteStore.open(tmp_path)


def test_a_crawl_of_a_newer_version(tmp_path: Path) -> None:
    SqliteStore.create(tmp_path, {}).close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        connection.execute("PRAGMA user_version = 4")
    with refused("version 4", "update statecrawl"):
        SqliteStore.open(tmp_path, read_only=True)


def test_a_damaged_crawl(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path, {}) as store:
        store.append(LOADED, Counts())
    with closing(sqlite3.connect(tmp_path / "crawl.db", isolation_level=None)) as connection:
        connection.execute("UPDATE states SET page = '{'")
        connection.execute("UPDATE doms SET data = x'00'")
    with SqliteStore.open(tmp_path, read_only=True) as store:
        for read in (store.crawled, lambda: list(store.facts()), lambda: store.snapshot("a1")):
            with refused("damaged"):
                read()


@pytest.mark.parametrize("read_only", [True, False])
def test_bytes_that_are_not_ours_are_told_in_one_line_or_do_no_harm(
    tmp_path: Path, *, read_only: bool
) -> None:
    random = Random(5)
    with SqliteStore.create(tmp_path / "whole", {"url": "/"}) as store:
        for facts in islice(endless(random), 60):
            store.append(facts, Counts())
    whole = (tmp_path / "whole" / "crawl.db").read_bytes()
    told = []
    for number in range(100):
        damaged = bytearray(whole)
        for _ in range(random.choice([1, 10, 1000])):
            damaged[random.randrange(100, len(whole))] = random.randrange(256)
        if random.random() < 0.2:
            del damaged[random.randrange(len(whole)) :]
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "crawl.db").write_bytes(damaged)
        try:
            with SqliteStore.open(folder, read_only=read_only) as store:
                store.crawled()
                list(store.doms())
                if not read_only:
                    store.append([], Counts(), [("go", Call("GET", "/", "/", ("f",), False))])
        except InputError as error:
            told.append(str(error))
    assert len(told) > 30
    assert not [message for message in told if "\n" in message]


def test_one_process_writes_and_others_read_what_is_there(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "crawl", {}) as store:
        with refused("another process is writing"):
            SqliteStore.open(tmp_path / "crawl")
        with refused("another process is writing"):
            SqliteStore.create(tmp_path / "crawl", {})
        with SqliteStore.open(tmp_path / "crawl", read_only=True) as reader:
            assert list(reader.facts()) == []
            store.append(LOADED, Counts(events=1))
            assert list(reader.facts()) == [without_content(fact) for fact in LOADED]
            assert reader.counts.events == 1
            with pytest.raises(ValueError, match="only to be read"):
                reader.append([], Counts())
            facts = reader.facts()
            next(facts)
            store.append([Executed("a1", "go", "a1")], Counts(events=2))
            assert len(list(facts)) == 1
            reader.ask(Wish.PAUSE)
            assert store.wish is Wish.PAUSE
            assert reader.has_writer
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as reader:
        assert not reader.has_writer
    SqliteStore.open(tmp_path / "crawl").close()


def test_reading_half_of_the_facts_does_not_stop_the_writer(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path, {}) as store:
        store.append(LOADED, Counts())
        facts = store.facts()
        next(facts)
        store.append([Executed("a1", "go", "a1")], Counts())
        assert len(list(store.facts())) == 3


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path, {}) as store:
        store.append(LOADED, Counts(events=1))
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        noise = "".join(map(chr, range(0x4E00, 0x9E00)))
        fact = Found("b2", Snapshot(noise, (Event("new"),)), 1, 1)
        with refused("disk is full"):
            store.append([fact, Executed("a1", "go", "b2")], Counts(events=2))
        assert store.counts == Counts(events=1)
        assert list(store.facts()) == [without_content(fact) for fact in LOADED]
        store._database.execute("PRAGMA max_page_count = 100000")
        store.append([fact, Executed("a1", "go", "b2")], Counts(events=2))
        assert len(list(store.facts())) == 4


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [0, 4096, 20_000])
def test_nothing_is_left_of_a_crawl_that_could_not_be_made(tmp_path: Path, size: int) -> None:
    with no_file_larger_than(size), refused("disk"):
        SqliteStore.create(tmp_path / "above" / "crawl", {})
    assert names(tmp_path) == []


def test_nothing_is_left_of_a_screenshot_that_could_not_be_written(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path, {}) as store:
        with no_file_larger_than(4), refused("File too large"):
            store.save_screenshot("a1", PNG)
        assert not store.has_screenshot("a1")
        assert names(tmp_path / "screenshots") == []


def test_screenshots_are_files_named_after_their_state(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path, {}) as store:
        store.save_screenshot("a1", PNG)
    assert names(tmp_path / "screenshots") == ["a1.png"]
