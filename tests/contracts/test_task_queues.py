"""What every queue of tasks has to keep to."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from statecrawl.calibration.postgres_tasks import PostgresTasks
from statecrawl.calibration.sqlite_tasks import SqliteTasks
from statecrawl.calibration.tasks import MAX_ATTEMPTS, TaskQueue, TaskStatus, is_over
from statecrawl.calibration.worker import work
from statecrawl.errors import InputError
from tests.postgres import postgres

Opener = Callable[[], TaskQueue]
LONG = 3600.0
NONE_AT_ALL = 0.0
"""A lease that has run out as soon as it is given."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as dsn:
        yield dsn


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """What opens one and the same queue, as often as wanted."""
    if request.param == "sqlite":
        open_one: Opener = lambda: SqliteTasks(tmp_path / "tasks.sqlite")  # noqa: E731
    else:
        import psycopg  # noqa: PLC0415 - only one of the two needs it

        dsn: str = request.getfixturevalue("server")
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS statecrawl_tasks")
        open_one = lambda: PostgresTasks(dsn)  # noqa: E731
    return open_one


@pytest.fixture
def queue(opened: Opener) -> Iterator[TaskQueue]:
    with closing(opened()) as one:
        yield one


TASKS: dict[str, dict[str, Any]] = {f"task {n}": {"n": n, "text": "Grüße %s ?"} for n in range(4)}


def test_tasks_are_claimed_in_order_and_each_once(queue: TaskQueue, opened: Opener) -> None:
    assert queue.add(TASKS) == 4
    with closing(opened()) as other:
        assert other.add({**TASKS, "task 9": {}}) == 1
    claims = [queue.claim("w", LONG) for _ in range(5)]
    assert [claim and claim.task for claim in claims] == [*TASKS, "task 9"]
    assert claims[0] is not None
    assert claims[0].settings == TASKS["task 0"]
    assert queue.claim("w", LONG) is None
    assert not is_over(queue.all())


def test_a_result_is_given_once_and_kept(queue: TaskQueue, opened: Opener) -> None:
    queue.add({"a": {}, "b": {}})
    one, other = queue.claim("w", LONG), queue.claim("v", LONG)
    assert one is not None
    assert other is not None
    assert queue.finish(one, {"states": [1, "é"], "seconds": 0.5})
    assert not queue.finish(one, "another")
    assert not queue.fail(one, "no")
    assert queue.fail(other, "out of reach")
    with closing(opened()) as other_queue:
        found = other_queue.all()
    assert [task.status for task in found] == [TaskStatus.DONE, TaskStatus.FAILED]
    assert found[0].result == {"states": [1, "é"], "seconds": 0.5}
    assert (found[1].result, found[1].error) == (None, "out of reach")
    assert is_over(found)


def test_what_a_dead_worker_held_is_claimed_by_another(queue: TaskQueue) -> None:
    queue.add({"a": {}})
    dead = queue.claim("dead", NONE_AT_ALL)
    alive = queue.claim("alive", LONG)
    assert dead is not None
    assert alive is not None
    assert (alive.task, alive.attempt) == ("a", 2)
    assert not queue.renew(dead, LONG)
    assert not queue.finish(dead, "late")
    assert queue.renew(alive, LONG)
    assert queue.finish(alive, "right")
    assert queue.all()[0].result == "right"


def test_a_renewed_lease_holds(queue: TaskQueue) -> None:
    queue.add({"a": {}})
    claim = queue.claim("w", NONE_AT_ALL)
    assert claim is not None
    assert queue.renew(claim, LONG)
    assert queue.claim("v", LONG) is None


def test_a_task_that_kills_its_workers_fails_in_the_end(queue: TaskQueue) -> None:
    queue.add({"a": {}})
    for _ in range(MAX_ATTEMPTS):
        assert queue.claim("w", NONE_AT_ALL) is not None
    assert queue.claim("w", NONE_AT_ALL) is None
    assert [(task.status, task.attempts) for task in queue.all()] == [("failed", MAX_ATTEMPTS)]
    assert f"died {MAX_ATTEMPTS} times" in queue.all()[0].error


def test_many_who_claim_at_once_never_get_the_same(queue: TaskQueue, opened: Opener) -> None:
    queue.add({str(number): {} for number in range(40)})
    barrier = Barrier(4)

    def greedy(worker: int) -> list[str]:
        with closing(opened()) as mine:
            barrier.wait(60)
            found = []
            while (claim := mine.claim(str(worker), LONG)) is not None:
                found.append(claim.task)
            return found

    with ThreadPoolExecutor(4) as threads:
        taken = [task for tasks in threads.map(greedy, range(4)) for task in tasks]
    assert Counter(taken) == {str(number): 1 for number in range(40)}


def test_workers_do_every_task_once_whoever_dies(queue: TaskQueue, opened: Opener) -> None:
    queue.add({str(number): {"n": number} for number in range(12)})
    assert queue.claim("dead", NONE_AT_ALL) is not None
    performed = count()

    def perform(settings: Any) -> Any:
        next(performed)
        if settings["n"] == 5:
            raise InputError("five can't be done")
        return settings["n"] ** 2

    def one(worker: int) -> int:
        return work(opened, perform, lambda _: None, str(worker), 60.0).done

    with ThreadPoolExecutor(3) as threads:
        assert sum(threads.map(one, range(3))) == 11
    assert next(performed) == 12
    results = {task.settings["n"]: task.result for task in queue.all()}
    assert results == {n: None if n == 5 else n * n for n in range(12)}
    assert [task.error for task in queue.all() if task.error] == ["five can't be done"]


def test_a_store_that_is_none_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't keep tasks"):
        SqliteTasks(tmp_path / "none" / "tasks.sqlite")
    with pytest.raises(InputError, match="can't use the database"):
        PostgresTasks(f"postgresql://nobody@/none?host={tmp_path}")
