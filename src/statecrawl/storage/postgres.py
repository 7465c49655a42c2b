"""A crawl in a schema of a PostgreSQL database, which any machine can reach."""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, NamedTuple

from statecrawl.errors import InputError
from statecrawl.storage.database import Rows
from statecrawl.storage.schema import TABLES, VERSION

CONNECT_SECONDS = 10
WAIT_FOR_WRITER_SECONDS = 2
"""The database may take a moment to notice that a process has died."""
MAX_NAME = 50
_MARK = f"statecrawl {VERSION}"
_LOCK = "hashtextextended('statecrawl ' || ?, 0)"
_HELD = (
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = "  # noqa: S608
    "(SELECT oid FROM pg_database WHERE datname = current_database()) AND "
    f"((classid::bigint << 32) | objid::bigint) = {_LOCK}"
)
_PRESENT = (
    # A server notices within half a minute that a machine is gone, and ends its lock.
    "SET tcp_keepalives_idle = 10",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 4",
)
_MORE = """
CREATE TABLE pictures (state TEXT PRIMARY KEY, data BYTEA NOT NULL);
CREATE INDEX ON events USING hash (identity);
CREATE INDEX ON stacks USING hash (stack);
CREATE INDEX ON requests USING hash (request);
CREATE INDEX ON findings (source, event);
CREATE INDEX ON facts (target);
"""


class Place(NamedTuple):
    """Where a crawl is: the address of a database, and a schema there."""

    dsn: str
    schema: str


def _translated(tables: str) -> str:
    """Return our tables in the words of PostgreSQL.

    It can't hold long texts unique, but finds them by a hash; the one who writes looks first.
    """
    words = {
        "INTEGER PRIMARY KEY": "BIGSERIAL PRIMARY KEY",
        "INTEGER": "BIGINT",
        "BLOB": "BYTEA",
        "REAL": "DOUBLE PRECISION",
        "TEXT NOT NULL UNIQUE": "TEXT NOT NULL",
        ",\n    UNIQUE (source, event, kind, text)": "",
    }
    for ours, theirs in words.items():
        tables = tables.replace(ours, theirs)
    return tables


TABLES_IN_POSTGRES = _translated(TABLES) + _MORE


class PostgresDatabase:
    """A `Database` in PostgreSQL: one connection, which sees one schema."""

    def __init__(self, dsn: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - an extra
        except ImportError:
            raise InputError(
                "PostgreSQL needs psycopg: pip install 'statecrawl[postgres]'"
            ) from None
        self._error = psycopg.Error
        self._schema = ""
        with self.blaming():
            self._connection: psycopg.Connection[Any] = psycopg.connect(
                dsn, connect_timeout=CONNECT_SECONDS, autocommit=True
            )

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        """Carry out a statement."""
        return self._connection.execute(_theirs(statement), values or None)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement for each row of values."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_theirs(statement), rows)

    def make(self, name: str) -> str:
        """Make the tables of a new crawl, within a transaction; return their schema's name."""
        self.execute("SELECT pg_advisory_xact_lock(hashtext('statecrawl'))")
        schema, number = name, 1
        while self._about(schema) is not None:
            number += 1
            schema = f"{name}_{number}"
        self.execute(f"CREATE SCHEMA {_quoted(schema)}")
        self.execute(f"COMMENT ON SCHEMA {_quoted(schema)} IS '{_MARK}'")
        self._see(schema)
        self._connection.execute(TABLES_IN_POSTGRES.encode())
        return schema

    def use(self, schema: str) -> None:
        """See the tables of a crawl."""
        with self.blaming():
            mark = self._about(schema)
        if mark is None:
            raise InputError(f"can't use the database: it has no schema {schema[:80]!r}")
        if mark != _MARK:
            raise InputError(
                f"can't use the schema {schema[:80]!r}: it is no crawl of this statecrawl's "
                f"version {VERSION}"
            )
        with self.blaming():
            self._see(schema)

    def _about(self, schema: str) -> str | None:
        """Return what is said of a schema; None when there is none."""
        row = self.execute(
            "SELECT coalesce(obj_description(oid, 'pg_namespace'), '') FROM pg_namespace "
            "WHERE nspname = ?",
            (schema,),
        ).fetchone()
        return str(row[0]) if row else None

    def _see(self, schema: str) -> None:
        self._schema = schema
        self.execute(f"SET search_path TO {_quoted(schema)}")

    def hold(self) -> None:
        """Become the one that writes the crawl, as long as the connection lasts."""
        with self.blaming():
            for statement in _PRESENT:
                self.execute(statement)
            self.execute(f"SET lock_timeout = '{WAIT_FOR_WRITER_SECONDS}s'")
            try:
                self.execute(f"SELECT pg_advisory_lock({_LOCK})", (self._schema,))
            except self._error as error:
                if getattr(error, "sqlstate", "") != "55P03":
                    raise
                raise InputError(
                    f"another process is writing the crawl in the schema {self._schema!r}: "
                    "wait for it, or stop it"
                ) from None
            self.execute("SET lock_timeout = 0")

    def is_held(self) -> bool:
        """Tell whether some process writes the crawl."""
        with self.blaming():
            row = self.execute(_HELD, (self._schema,)).fetchone()
        return row is not None

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Turn an error of the database into one line."""
        try:
            yield
        except self._error as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"can't use the database: {reason}: check --store") from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Likewise, and any error about rows that are not as we write them."""
        try:
            with self.blaming():
                yield
        except (LookupError, TypeError, ValueError, zlib.error) as error:
            raise InputError(
                f"can't use the schema {self._schema!r}: it is damaged: restore a copy, or crawl "
                "again"
            ) from error

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Do all of the following, or nothing."""
        with self._connection.transaction():
            yield

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Let all that follows see the crawl at one moment."""
        self.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            yield
        finally:
            with suppress(self._error):
                self.execute("COMMIT")

    def close(self) -> None:
        """Let go of the database, and of what is held at once: a server ends sessions later."""
        with suppress(self._error):
            self.execute("SELECT pg_advisory_unlock_all()")
        self._connection.close()


@cache
def _theirs(statement: str) -> bytes:
    """Return a statement with the marks for values that PostgreSQL's library knows."""
    return statement.replace("?", "%s").encode()


def _quoted(schema: str) -> str:
    """Quote a name in a statement."""
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema):
        raise InputError(f"{schema[:80]!r} can't be the name of a schema")
    return f'"{schema}"'


def schema_name(name: str) -> str:
    """Return a schema's name that is like the name of a crawl."""
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return f"crawl_{slug}"[:MAX_NAME]
