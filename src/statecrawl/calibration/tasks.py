"""Work that many share: tasks, who has claimed them until when, and what came of them.

A worker claims a task with a lease, and renews it while it works. When it dies the lease runs out
and another claims the task. Only who holds the lease can finish the task, so each has one result.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

MAX_ATTEMPTS = 5
"""So often a task is claimed, at most; then whatever kills its workers has won."""


class TaskStatus(StrEnum):
    """Where a task is: waiting -> claimed -> done or failed, and back when a lease runs out."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"


class Claim(NamedTuple):
    """A task that a worker holds; the attempt tells it from earlier claims of the same task."""

    task: str
    settings: Mapping[str, Any]
    worker: str
    attempt: int


class TaskState(NamedTuple):
    """A task as it stands."""

    task: str
    settings: Mapping[str, Any]
    status: TaskStatus
    worker: str
    attempts: int
    result: Any
    error: str


class TaskQueue(Protocol):
    """Tasks that any number of processes work on. Each method is done whole or not at all."""

    def add(self, tasks: Mapping[str, Mapping[str, Any]]) -> int:
        """Add tasks by their names; those that are there already stay. Return how many are new."""
        ...

    def claim(self, worker: str, lease_seconds: float) -> Claim | None:
        """Take a task that nobody holds, if there is one."""
        ...

    def renew(self, claim: Claim, lease_seconds: float) -> bool:
        """Hold on to a task; False when it is no longer ours."""
        ...

    def finish(self, claim: Claim, result: Any) -> bool:
        """Give the result, once and for all; False when the task is no longer ours."""
        ...

    def fail(self, claim: Claim, error: str) -> bool:
        """Say that it can't be done; False when the task is no longer ours."""
        ...

    def all(self) -> list[TaskState]:
        """Return every task, in the order in which they were added."""
        ...

    def close(self) -> None:
        """Let go of the queue."""
        ...


def is_over(tasks: Iterable[TaskState]) -> bool:
    """Tell whether nothing is left to do."""
    return all(task.status in (TaskStatus.DONE, TaskStatus.FAILED) for task in tasks)
