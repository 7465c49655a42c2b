"""A worker: claims tasks, carries them out, gives results back, until nothing is left."""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, NamedTuple
from uuid import uuid4

from statecrawl.calibration.tasks import Claim, TaskQueue, is_over
from statecrawl.errors import StatecrawlError

LEASE_SECONDS = 30.0
RENEWALS = 3
"""So often a lease is renewed before it would run out."""
LOOK_EVERY_SECONDS = 0.5

OpenQueue = Callable[[], TaskQueue]
Perform = Callable[[Mapping[str, Any]], Any]
Told = Callable[[str], None]


class Tally(NamedTuple):
    """What a worker did."""

    done: int
    failed: int
    lost: int


def name_of_worker() -> str:
    """Return a name that no other worker has, and that says where it runs."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"


def work(
    open_queue: OpenQueue,
    perform: Perform,
    told: Told,
    worker: str,
    lease_seconds: float = LEASE_SECONDS,
) -> Tally:
    """Work until every task is done or has failed; wait for those that others hold."""
    queue = open_queue()
    done = failed = lost = 0
    nap = Event()
    try:
        while True:
            claim = queue.claim(worker, lease_seconds)
            if claim is None:
                if is_over(queue.all()):
                    return Tally(done, failed, lost)
                told("waiting for tasks that others hold")
                nap.wait(min(LOOK_EVERY_SECONDS, lease_seconds))
                continue
            told(claim.task)
            try:
                with _renewing(open_queue, claim, lease_seconds):
                    result = perform(claim.settings)
            except StatecrawlError as error:
                failed += queue.fail(claim, str(error))
                continue
            if queue.finish(claim, result):
                done += 1
            else:
                lost += 1
    finally:
        queue.close()


@contextmanager
def _renewing(open_queue: OpenQueue, claim: Claim, lease_seconds: float) -> Iterator[None]:
    """Renew a lease beside the work, over a connection of its own."""
    over = Event()

    def renew() -> None:
        queue = open_queue()
        try:
            while not over.wait(lease_seconds / RENEWALS):
                if not queue.renew(claim, lease_seconds):
                    return
        finally:
            queue.close()

    thread = Thread(target=renew, name="statecrawl-lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
