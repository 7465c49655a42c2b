"""`statecrawl calibrate`: measuring labelled sets, and crawls that workers share."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import pytest

from statecrawl.calibration.labels import Answer, Judgement, Labels
from statecrawl.calibration.layout import write_folder
from statecrawl.calibration.metrics import METRICS
from statecrawl.calibration.tasks import TaskStatus
from statecrawl.cli import main
from statecrawl.compose.tasks import open_tasks
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.errors import ExitCode
from tests.command import statecrawl
from tests.postgres import postgres

PATIENCE_SECONDS = 120
LEASE = "5"
SITES = """
equivalences = ["exact", "structure"]
[common]
max_seconds = 60
[[sites]]
site = "hypercube:dimensions=2"
[[sites]]
site = "hypercube:dimensions=3"
max_states = 6
"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return statecrawl("calibrate", *map(str, arguments))


def shop(folder: Path) -> Path:
    """A labelled set: two lists that are near-duplicates, a form, a home page."""
    pages = {
        "home": "<h1>Shop</h1><p>Welcome to the shop</p>",
        "list1": "<ul class=goods><li>lamp<li>table<li>chair</ul>",
        "list2": "<ul class=goods><li>shelf<li>mirror</ul>",
        "form": "<form class=order><input name=count><button>Order</button></form>",
    }
    read = {name: Page(read_html(f"<html><body>{html}")) for name, html in pages.items()}
    labels = Labels([Judgement("list1", "list2", Answer.NEAR)], rest=True)
    write_folder(folder, read, labels)
    return folder


def test_a_set_is_measured_best_first_and_drawn(tmp_path: Path) -> None:
    one, other = shop(tmp_path / "one"), shop(tmp_path / "two")
    out = tmp_path / "out"
    done = run(
        one, other, "--json", "--output", out, "--processes", 1,
        "--equivalence", "broder:unit=places",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    needed = {"equivalence", "threshold", "f1", "precision", "recall", "missed_states",
              "duplicate_states", "seconds"}  # fmt: skip
    assert needed | set(METRICS) <= set(rows[0])
    assert [row["f1"] for row in rows] == sorted((row["f1"] for row in rows), reverse=True)
    assert rows[0]["f1"] == 1
    assert any(row["equivalence"] == "broder:unit=places" for row in rows)
    names = {file.name for file in out.iterdir()}
    assert {"results.csv", "held_out.csv", "applications.csv", "applications.png"} <= names
    assert len((out / "held_out.csv").read_text().splitlines()) == 3


def test_a_search_measures_as_much_as_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    words = ["--grid", "thesis", "--search", "genetic", "--evaluations", "9", "--json"]
    monkeypatch.setattr(sys, "argv", ["statecrawl", "calibrate", str(shop(tmp_path)), *words])
    with pytest.raises(SystemExit):
        main()
    rows = json.loads(capsysbinary.readouterr().out)
    assert len(rows) == 9
    assert rows[0]["f1"] == max(row["f1"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{folder}/none"], "neither a crawl nor a folder with doms/"),
        (["{folder}/shop", "--by", "beauty"], "--by 'beauty': give one of f1"),
        (["{folder}/shop", "--grid", "fine"], "--grid 'fine': give one of"),
        (["{folder}/shop", "--equivalence", "likeness"], "unknown equivalence 'likeness'"),
        (["{folder}/shop", "{folder}/shop"], "two sets are called 'shop'"),
        (["{folder}/bare"], "has no labels: statecrawl label makes them"),
        (["{folder}/shop", "--search", "luck"], "--search: give one of genetic, optuna"),
        (["tasks", "{folder}/none.toml", "--store", "{folder}/t"], "No such file"),
        (["tasks", "{folder}/bad.toml", "--store", "{folder}/t"], "unknown setting 'speed'"),
        (["tasks", "{folder}/odd.toml", "--store", "{folder}/t"], "browsers = two: give a number"),
        (["worker", "--store", "mysql://x"], "give a file, or postgresql://"),
        (["worker", "--store", "{folder}/t", "--lease", "0"], "--lease 0.0"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shop(tmp_path / "shop")
    write_folder(tmp_path / "bare", {"a": Page(read_html("<p>"))}, Labels())
    (tmp_path / "bad.toml").write_text("[[sites]]\nurl = 'http://a/'\nspeed = 3\n")
    (tmp_path / "odd.toml").write_text("[[sites]]\nsite = 'bank'\nbrowsers = 'two'\n")
    given = [each.format(folder=tmp_path) for each in arguments]
    monkeypatch.setattr(sys, "argv", ["statecrawl", "calibrate", *given])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == ExitCode.INPUT
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("statecrawl: error: ")
    assert said in error


@contextmanager
def worker(store: str, folder: str) -> Iterator[subprocess.Popen[str]]:
    """A worker in a group of its own; what it leaves behind when it is killed is in the folder."""
    command = [sys.executable, "-m", "statecrawl", "calibrate", "worker", "--json"]
    with subprocess.Popen(
        [*command, "--store", store, "--lease", LEASE],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": folder},
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def stop_at_work(process: subprocess.Popen[str], store: str) -> str:
    """Stop a worker while it holds a task; return the task."""
    until = monotonic() + PATIENCE_SECONDS
    with closing(open_tasks(store)) as queue:
        while monotonic() < until:
            assert process.poll() is None, "the worker ended before it could be killed"
            if _held(queue.all(), process.pid):
                os.killpg(process.pid, signal.SIGSTOP)
                held = _held(queue.all(), process.pid)
                if held:
                    return held[0]
                os.killpg(process.pid, signal.SIGCONT)
            sleep(0.02)
    raise AssertionError("the worker never claimed a task")


def _held(tasks: list[Any], pid: int) -> list[str]:
    return [
        task.task
        for task in tasks
        if task.status is TaskStatus.CLAIMED and f"-{pid}-" in task.worker
    ]


def results(store: str) -> dict[str, Any]:
    """What every task came to, without what depends on the clock."""
    with closing(open_tasks(store)) as queue:
        tasks = queue.all()
    assert {task.status for task in tasks} == {TaskStatus.DONE}
    same = ("states", "transitions", "stop_reason", "list", "equivalence")
    return {task.task: [task.result[name] for name in same] for task in tasks}


@pytest.mark.long
def test_three_workers_one_killed_do_every_task_once_as_one_does(tmp_path: Path) -> None:
    listed, alone = tmp_path / "sites.toml", str(tmp_path / "alone.sqlite")
    listed.write_text(SITES)
    # A browser's folder may not have a long path.
    with postgres() as shared, TemporaryDirectory(ignore_cleanup_errors=True) as short:
        for store in (alone, shared):
            assert run("tasks", listed, "--store", store).returncode == 0
        with ExitStack() as workers:
            first = workers.enter_context(worker(shared, short))
            task = stop_at_work(first, shared)
            second, third, single = (
                workers.enter_context(worker(store, short)) for store in (shared, shared, alone)
            )
            os.killpg(first.pid, signal.SIGKILL)
            told = [json.loads(each.communicate(timeout=PATIENCE_SECONDS)[0])
                    for each in (second, third, single)]  # fmt: skip
        with closing(open_tasks(shared)) as queue:
            attempts = {each.task: each.attempts for each in queue.all()}
        assert attempts[task] == 2
        assert told[0]["done"] + told[1]["done"] == 4 == told[2]["done"]
        assert results(shared) == results(alone)
        shown = run("results", "--store", shared, "--json")
    rows = json.loads(shown.stdout)
    assert {row["status"] for row in rows} == {"done"}
    assert all("speed" in row for row in rows)
