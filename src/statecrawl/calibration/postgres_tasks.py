"""Tasks in PostgreSQL, for any number of machines."""

from collections.abc import Sequence
from typing import Any

from statecrawl.calibration.sql_tasks import TABLE, Rows, SqlTasks
from statecrawl.errors import InputError

CONNECT_SECONDS = 10


class PostgresTasks(SqlTasks):
    """A queue in a database; a row that another is about to claim is passed over."""

    mark = "%s"
    now = "extract(epoch FROM clock_timestamp())::double precision"
    serial = "BIGSERIAL PRIMARY KEY"
    locked = "FOR UPDATE SKIP LOCKED"

    def __init__(self, dsn: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - an extra
        except ImportError:
            raise InputError(
                "PostgreSQL needs psycopg: pip install 'statecrawl[postgres]'"
            ) from None
        self._error = psycopg.Error
        try:
            self._connection = psycopg.connect(dsn, connect_timeout=CONNECT_SECONDS)
        except psycopg.Error as error:
            raise InputError(f"can't use the database: {_reason(error)}: check --store") from None
        # Two who create one table at the same time get in each other's way: one after the other.
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (TABLE,))
            self._create()

    def _run(self, *statements: tuple[str, Sequence[Any]]) -> Rows:
        rows: Rows = []
        try:
            with self._connection.transaction(), self._connection.cursor() as cursor:
                for text, values in statements:
                    cursor.execute(text.encode(), values)
                    rows = cursor.fetchall() if cursor.description else []
        except self._error as error:
            raise InputError(f"the database of tasks: {_reason(error)}: check --store") from None
        return rows

    def close(self) -> None:
        """Let go of the queue."""
        self._connection.close()


def _reason(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
