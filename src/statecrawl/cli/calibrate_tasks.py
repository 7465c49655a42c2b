"""`statecrawl calibrate tasks`, `worker` and `results`: crawls that many machines share."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.calibration.tasks import TaskStatus
from statecrawl.calibration.worker import LEASE_SECONDS, name_of_worker, work
from statecrawl.cli.app import AsJson, print_json
from statecrawl.cli.calibrate import calibrate
from statecrawl.compose.tasks import crawl_task, open_tasks, results_of_tasks, tasks_in
from statecrawl.errors import InputError
from statecrawl.terminal.lines import print_table, say
from statecrawl.terminal.progress import Progress

Store = Annotated[
    str,
    typer.Option(
        "--store", metavar="DSN", help="Where tasks are: a file, or postgresql://USER@HOST/NAME."
    ),
]
FIGURES = ("states", "missed_states", "duplicate_states", "events", "seconds", "speed")


@calibrate.command("tasks")
def tasks_command(
    sites: Annotated[
        Path, typer.Argument(metavar="SITES.toml", help="Sites, equivalences and settings.")
    ],
    store: Store,
    as_json: AsJson = False,
) -> None:
    """Make a task of each site and equivalence in a list, for workers to crawl."""
    tasks = tasks_in(sites)
    queue = open_tasks(store)
    try:
        added = queue.add(tasks)
    finally:
        queue.close()
    if as_json:
        print_json({"tasks": list(tasks), "added": added})
    else:
        say(f"{added:,} tasks added, {len(tasks) - added:,} were there")


@calibrate.command("worker")
def worker_command(
    store: Store,
    lease: Annotated[
        float,
        typer.Option(metavar="S", help="After so long another takes over from a dead worker."),
    ] = LEASE_SECONDS,
    as_json: AsJson = False,
) -> None:
    """Crawl tasks until none is left; start as many as you like, on any machines.

    A task belongs to one worker for the time of a lease, which is renewed while it crawls. The
    results are in the store.
    """
    if not 0 < lease <= 86400:
        raise InputError(f"--lease {lease}: give seconds, above 0, at most a day")
    name = name_of_worker()
    with Progress(name) as progress:
        tally = work(lambda: open_tasks(store), crawl_task, progress.tell, name, lease)
    if as_json:
        print_json({"worker": name, **tally._asdict()})
    else:
        say(f"{name}: {tally.done:,} done, {tally.failed:,} failed, {tally.lost:,} taken over")


@calibrate.command("results")
def results_command(store: Store, as_json: AsJson = False) -> None:
    """Show what came of the tasks: states, errors against labels, time against exact crawls."""
    queue = open_tasks(store)
    try:
        rows = results_of_tasks(queue)
    finally:
        queue.close()
    if as_json:
        print_json(rows)
        return
    counts = Counter(row["status"] for row in rows)
    print_table(
        ", ".join(f"{counts[status]:,} {status}" for status in TaskStatus),
        ["site", "equivalence", "status", *FIGURES],
        [
            [row["site"], row["equivalence"], row["status"], *(_shown(row, f) for f in FIGURES)]
            for row in rows
        ],
    )
    for row in rows:
        if row["error"]:
            say(f"{row['task']}: {row['error']}")


def _shown(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if value is None:
        return "-"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
