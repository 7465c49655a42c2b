"""The tables of a crawl, and how a file with them is made and opened."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from statecrawl.errors import InputError

VERSION = 3
APPLICATION_ID = 0x57A7EC41  # in the header of the file: the database is ours

TABLES = """
-- Settings of the crawl, and its figures. All values are JSON.
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE counts (id INTEGER PRIMARY KEY, value TEXT NOT NULL);

-- Events as they were first seen: [group, kind, label, locator, url].
CREATE TABLE events (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, look TEXT NOT NULL);

-- Contents of pages, each once. The base is another content that it was compressed with.
CREATE TABLE doms (
    id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, base INTEGER, data BLOB NOT NULL
);

-- States as they were found: the name is the public id of that day. The regions are today's.
CREATE TABLE states (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, dom INTEGER NOT NULL, page TEXT NOT NULL,
    regions TEXT NOT NULL, events INTEGER NOT NULL, resets INTEGER NOT NULL, seconds REAL NOT NULL
);

-- Each cut at which pages were divided into regions, the last of which is today's.
CREATE TABLE cuts (id INTEGER PRIMARY KEY, cut TEXT NOT NULL);

-- What was learned, in order. State 0 is the blank tab. After the facts of a plan comes what
-- was done: the source is the cursor, the event the load of its reset or 0, the changes are the
-- events fired, negative with trusted input.
CREATE TABLE facts (
    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, source INTEGER NOT NULL,
    event INTEGER NOT NULL, target INTEGER NOT NULL, changes TEXT
);

-- Which event asked for what through which functions, and how often.
CREATE TABLE stacks (id INTEGER PRIMARY KEY, stack TEXT NOT NULL UNIQUE);
CREATE TABLE requests (id INTEGER PRIMARY KEY, request TEXT NOT NULL UNIQUE);
CREATE TABLE calls (
    event INTEGER NOT NULL, stack INTEGER NOT NULL, request INTEGER NOT NULL,
    times INTEGER NOT NULL, times_cached INTEGER NOT NULL,
    PRIMARY KEY (event, stack, request)
);

-- What was wrong, after an event fired in a state (0: the blank tab), in the state it led to.
CREATE TABLE findings (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, event INTEGER NOT NULL,
    state INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, place TEXT NOT NULL,
    UNIQUE (source, event, kind, text)
);

-- What is kept of pages to compare them by, for each resemblance; a page is named as its state
-- would be, under "" are weights. Every decision which state, or class, a page belongs to.
CREATE TABLE features (
    resemblance TEXT NOT NULL, page TEXT NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (resemblance, page)
);
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY, equivalence TEXT NOT NULL, page TEXT NOT NULL,
    representative TEXT NOT NULL, distance REAL NOT NULL
);

-- Each set of masks, and the names that states found until then have under it.
CREATE TABLE rekeyings (id INTEGER PRIMARY KEY, masks TEXT NOT NULL, last_state INTEGER NOT NULL);
CREATE TABLE aliases (
    id INTEGER PRIMARY KEY, rekeying INTEGER NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL
);
"""

_DAMAGED = "it is damaged: restore a copy, or crawl again"
_BLAME = {
    sqlite3.SQLITE_FULL: "the disk is full: make room there",
    sqlite3.SQLITE_NOTADB: "it is no crawl: give a folder that `statecrawl crawl` made",
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_READONLY: "it can't be written: give yourself the right to, or copy it",
    sqlite3.SQLITE_PERM: "it can't be written: give yourself the right to, or copy it",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened: look at the rights of the folder and its files",
    sqlite3.SQLITE_BUSY: "another program holds it: close that first",
    sqlite3.SQLITE_LOCKED: "another program holds it: close that first",
    sqlite3.SQLITE_IOERR: "the disk can't be read or written: look after the disk",
}


@contextmanager
def blaming(path: Path) -> Iterator[None]:
    """Turn an error of the database that is not our fault into one line."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        reason = _BLAME.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
        if reason is None:
            raise
        raise InputError(f"can't use {shown(path)}: {reason}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"can't use {shown(path)}: {_DAMAGED}") from error


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn any error about rows that are not as we write them into one line."""
    try:
        with blaming(path):
            yield
    except (LookupError, TypeError, ValueError, sqlite3.DatabaseError, zlib.error) as error:
        raise InputError(f"can't use {shown(path)}: {_DAMAGED}") from error


def shown(path: Path) -> str:
    """Quote a path in a message: one line, not too long."""
    return repr(str(path)[:200])


@contextmanager
def making(path: Path) -> Iterator["SqliteDatabase"]:
    """Make a new database, which is whole when this is done."""
    with blaming(path), closing(_opened(path, str(path))) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.executescript(TABLES)
        yield connection


def connect(path: Path, *, read_only: bool) -> "SqliteDatabase":
    """Open the database of a crawl."""
    with reading(path):
        if not read_only:
            connection = _connect(path, "mode=rw")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            # In pages: each time the log is brought home, the disk is waited for.
            connection.execute("PRAGMA wal_autocheckpoint = 8000")
            return connection
        try:
            return _connect(path, "mode=ro")
        except sqlite3.OperationalError:
            # A folder where we may not write has no room for the log's index. Nor is there
            # need of one where nobody has left a log.
            if path.with_name(f"{path.name}-wal").exists():
                raise
            return _connect(path, "immutable=1")


def _opened(path: Path, name: str) -> "SqliteDatabase":
    made = sqlite3.connect(name, uri=True, isolation_level=None, factory=SqliteDatabase)
    made.path = path
    return made


def _connect(path: Path, mode: str) -> "SqliteDatabase":
    connection = _opened(path, f"{path.absolute().as_uri()}?{mode}")
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        tables = _tables(connection)
        if owner != APPLICATION_ID:
            raise InputError(f"can't use {shown(path)}: {_BLAME[sqlite3.SQLITE_NOTADB]}")
        if version != VERSION:
            raise InputError(
                f"can't use {shown(path)}: it is of version {version}, this statecrawl reads "
                f"version {VERSION}: {'update statecrawl' if version > VERSION else 'crawl again'}"
            )
        if tables != _our_tables():
            raise InputError(f"can't use {shown(path)}: {_DAMAGED}")
    except BaseException:
        connection.close()
        raise
    return connection


def _tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _our_tables() -> list[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return _tables(connection)


class SqliteDatabase(sqlite3.Connection):
    """A `Database` in a file; the connection itself, for it is asked all the time."""

    path: Path

    def blaming(self) -> AbstractContextManager[None]:
        """Turn an error of the database that is not our fault into one line."""
        return blaming(self.path)

    def reading(self) -> AbstractContextManager[None]:
        """Likewise, and any error about rows that are not as we write them."""
        return reading(self.path)

    def writing(self) -> AbstractContextManager[None]:
        """Do all of the following, or nothing."""
        return self._transaction("BEGIN IMMEDIATE")

    def moment(self) -> AbstractContextManager[None]:
        """Let all that follows see the crawl at one moment."""
        return self._transaction("BEGIN")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self.execute(begin)
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                if self.in_transaction:  # a full disk has ended it already
                    self.execute("ROLLBACK")
            raise
