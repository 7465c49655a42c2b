"""Tasks in a table of an SQL database: what the implementations share."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from statecrawl.calibration.tasks import MAX_ATTEMPTS, Claim, TaskState, TaskStatus

TABLE = "statecrawl_tasks"
_FREE = "(status = 'waiting' OR (status = 'claimed' AND lease_until <= {now}))"
_HELD = "task = {mark} AND worker = {mark} AND attempts = {mark} AND status = 'claimed'"

Rows = list[tuple[Any, ...]]


class SqlTasks(ABC):
    """A queue over one table; a subclass knows its database.

    `mark` stands for a value, `now` gives the time by the clock of the database, which all its
    users share, `serial` numbers rows, `locked` leaves out rows that another is about to claim.
    """

    mark: str
    now: str
    serial: str
    locked: str

    @abstractmethod
    def _run(self, *statements: tuple[str, Sequence[Any]]) -> Rows:
        """Carry statements out, all or none; return the rows of the last."""

    def _create(self) -> None:
        self._run(
            (
                f"CREATE TABLE IF NOT EXISTS {TABLE} (number {self.serial}, "
                "task TEXT UNIQUE NOT NULL, settings TEXT NOT NULL, status TEXT NOT NULL, "
                "worker TEXT NOT NULL, attempts INTEGER NOT NULL, "
                "lease_until DOUBLE PRECISION NOT NULL, result TEXT NOT NULL, error TEXT NOT NULL)",
                (),
            )
        )

    def add(self, tasks: Mapping[str, Mapping[str, Any]]) -> int:
        """Add tasks by their names; those that are there already stay. Return how many are new."""
        before = len(self.all())
        self._run(
            *(
                (
                    f"INSERT INTO {TABLE} (task, settings, status, worker, attempts, lease_until, "
                    f"result, error) VALUES ({self.mark}, {self.mark}, 'waiting', '', 0, 0, '', '')"
                    " ON CONFLICT (task) DO NOTHING",
                    (name, json.dumps(settings)),
                )
                for name, settings in tasks.items()
            )
        )
        return len(self.all()) - before

    def claim(self, worker: str, lease_seconds: float) -> Claim | None:
        """Take a task that nobody holds, if there is one."""
        free = _FREE.format(now=self.now)
        rows = self._run(
            (
                f"UPDATE {TABLE} SET status = 'failed', error = {self.mark} "
                f"WHERE {free} AND attempts >= {self.mark}",
                (f"its worker died {MAX_ATTEMPTS} times", MAX_ATTEMPTS),
            ),
            (
                f"UPDATE {TABLE} SET status = 'claimed', worker = {self.mark}, "
                f"attempts = attempts + 1, lease_until = {self.now} + {self.mark} "
                f"WHERE number = (SELECT number FROM {TABLE} WHERE {free} "
                f"ORDER BY number LIMIT 1 {self.locked}) RETURNING task, settings, attempts",
                (worker, lease_seconds),
            ),
        )
        if not rows:
            return None
        task, settings, attempts = rows[0]
        return Claim(task, json.loads(settings), worker, attempts)

    def renew(self, claim: Claim, lease_seconds: float) -> bool:
        """Hold on to a task; False when it is no longer ours."""
        return self._set(claim, f"lease_until = {self.now} + {self.mark}", lease_seconds)

    def finish(self, claim: Claim, result: Any) -> bool:
        """Give the result, once and for all; False when the task is no longer ours."""
        return self._set(claim, f"status = 'done', result = {self.mark}", json.dumps(result))

    def fail(self, claim: Claim, error: str) -> bool:
        """Say that it can't be done; False when the task is no longer ours."""
        return self._set(claim, f"status = 'failed', error = {self.mark}", error)

    def all(self) -> list[TaskState]:
        """Return every task, in the order in which they were added."""
        rows = self._run(
            (
                "SELECT task, settings, status, worker, attempts, result, error "
                f"FROM {TABLE} ORDER BY number",
                (),
            )
        )
        return [
            TaskState(
                task,
                json.loads(settings),
                TaskStatus(status),
                worker,
                attempts,
                json.loads(result) if result else None,
                error,
            )
            for task, settings, status, worker, attempts, result, error in rows
        ]

    def _set(self, claim: Claim, change: str, value: Any) -> bool:
        held = _HELD.format(mark=self.mark)
        rows = self._run(
            (
                f"UPDATE {TABLE} SET {change} WHERE {held} RETURNING task",
                (value, claim.task, claim.worker, claim.attempt),
            )
        )
        return bool(rows)
