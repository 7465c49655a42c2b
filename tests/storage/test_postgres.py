"""A crawl in PostgreSQL: how its schema is made, found, and held by one process at a time."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.errors import InputError
from statecrawl.storage import create_crawl, open_crawl
from statecrawl.storage.folder import POINTER
from statecrawl.storage.opening import checked_store
from statecrawl.storage.postgres_store import PostgresStore
from tests.postgres import postgres


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    with postgres() as address:
        yield address


def test_the_folder_says_where_the_crawl_is(dsn: str, tmp_path: Path) -> None:
    page = Snapshot("<p>" + "long " * 5000, (Event("e" * 9000),))
    with create_crawl(tmp_path / "shop.test", {"url": "http://a/"}, dsn) as store:
        facts: list[Fact] = [Found("a1", page, 0, 1), Executed("", "load http://a/", "a1")]
        store.append(facts, Counts(events=1))
        with open_crawl(tmp_path / "shop.test", read_only=True) as reader:
            assert reader.has_writer
            assert reader.about == {"url": "http://a/"}
            assert reader.snapshot("a1") == page
            with pytest.raises(InputError, match="another process is writing"):
                open_crawl(tmp_path / "shop.test")
    with open_crawl(tmp_path / "shop.test", read_only=True) as reader:
        assert not reader.has_writer
    pointer = tmp_path / "shop.test" / POINTER
    assert pointer.stat().st_mode & 0o077 == 0
    assert json.loads(pointer.read_text())["schema"].startswith("crawl_shop_test")
    with pytest.raises(InputError, match="there is a crawl"):
        create_crawl(tmp_path / "shop.test", {}, dsn)


def test_each_crawl_has_a_schema_of_its_own(dsn: str, tmp_path: Path) -> None:
    for parent in ("one", "two"):
        with PostgresStore.create(tmp_path / parent / "twice", {"url": parent}, dsn) as store:
            assert store.about == {"url": parent}
    with open_crawl(tmp_path / "one" / "twice", read_only=True) as store:
        assert store.about == {"url": "one"}


@pytest.mark.parametrize(
    ("pointer", "reason"),
    [
        ("{}", "does not say where"),
        ("nothing", "does not say where"),
        ('{"dsn": "postgresql://127.0.0.1:1/x", "schema": "crawl_a"}', "can't use the database"),
        ('{"dsn": "DSN", "schema": "nowhere"}', "no schema"),
        ('{"dsn": "DSN", "schema": "public"}', "no crawl of this"),
        ('{"dsn": "DSN", "schema": "x\\"; DROP"}', "no schema"),
    ],
)
def test_bad_pointers_get_one_line(dsn: str, tmp_path: Path, pointer: str, reason: str) -> None:
    (tmp_path / POINTER).write_text(pointer.replace("DSN", dsn))
    with pytest.raises(InputError, match=reason) as refused:
        open_crawl(tmp_path, read_only=True)
    assert "\n" not in str(refused.value)


def test_what_fails_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't use the database"):
        create_crawl(tmp_path / "new", {}, "postgresql://127.0.0.1:1/x")
    assert not (tmp_path / "new").exists()
    with pytest.raises(InputError, match="--store"):
        checked_store("mysql://x")
