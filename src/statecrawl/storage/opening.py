"""Picks the store of a crawl: by its folder, or by what the user says."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from statecrawl.errors import InputError
from statecrawl.storage.folder import check_free, has_pointer
from statecrawl.storage.postgres_store import PostgresStore
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.storage.store import SqlStore

__all__ = ["check_free", "checked_store", "create_crawl", "open_crawl"]


def checked_store(dsn: str | None) -> str | None:
    """Return the address of a database, or refuse what is none."""
    if dsn is not None and dsn.partition("://")[0] not in ("postgres", "postgresql"):
        raise InputError(f"--store {dsn[:80]!r}: give postgresql://USER@HOST/NAME")
    return dsn


def create_crawl(folder: Path, about: Mapping[str, Any], dsn: str | None = None) -> SqlStore:
    """Make a new crawl: in SQLite in its folder, or in the database with an address."""
    if dsn is None:
        return SqliteStore.create(folder, about)
    return PostgresStore.create(folder, about, dsn)


def open_crawl(folder: Path, *, read_only: bool = False) -> SqlStore:
    """Open the crawl of a folder, wherever it is kept."""
    store = PostgresStore if has_pointer(folder) else SqliteStore
    return store.open(folder, read_only=read_only)
