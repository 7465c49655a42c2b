"""Tasks in an SQLite file, for the processes of one machine."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from statecrawl.calibration.sql_tasks import Rows, SqlTasks
from statecrawl.errors import InputError

BUSY_SECONDS = 60.0


class SqliteTasks(SqlTasks):
    """A queue in a file; who writes has it to himself for a moment."""

    mark = "?"
    now = "(julianday('now') - 2440587.5) * 86400.0"
    serial = "INTEGER PRIMARY KEY AUTOINCREMENT"
    locked = ""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            self._connection = sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._create()
        except sqlite3.Error as error:
            raise InputError(f"can't keep tasks in {file}: {error}") from None

    def _run(self, *statements: tuple[str, Sequence[Any]]) -> Rows:
        rows: Rows = []
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                for text, values in statements:
                    rows = self._connection.execute(text, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"the tasks in {self._file}: {error}") from None
        return rows

    def close(self) -> None:
        """Let go of the queue."""
        self._connection.close()
