"""`statecrawl crawl` and what goes with it, as users and other programs meet them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import statecrawl
from tests.serving import site

pytestmark = pytest.mark.usefixtures("in_turns")

CRAWL_FIELDS = {
    "crawl", "url", "strategy", "equivalence", "stop_reason", "states", "transitions", "urls",
    "events", "resets", "events_to_all_states", "resets_to_all_states", "reset_cost", "cost",
    "cost_to_all_states", "requests", "requests_cached", "seconds", "events_per_second",
    "probe_events", "probe_resets", "assumed", "not_combined", "nondeterministic", "failures",
    "findings", "warnings", "classes", "passed_by", "time",
}  # fmt: skip
SMALL = "company:products=1,services=1,articles=1"


def problems(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what the command said, apart from the news of a slow machine."""
    return [line for line in done.stderr.splitlines() if not line.endswith("working on it")]


def test_a_crawl_is_shown_replayed_exported_and_simulated(tmp_path: Path) -> None:
    with site(SMALL) as url:
        options = ("--strategy", "greedy", "--explain", "--json")
        done = statecrawl("crawl", url, *options, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert set(summary) == CRAWL_FIELDS
        told = [line for line in done.stderr.splitlines() if ": fire click " in line]
        assert len(told) == summary["transitions"]
        assert summary["stop_reason"] == "complete"
        folder = summary["crawl"]
        shown = json.loads(statecrawl("show", folder, "--json", cwd=tmp_path).stdout)
        assert len(shown["list"]) == summary["states"]
        last = shown["list"][-1]["state"]
        pictures = {path.stem for path in (tmp_path / folder / "screenshots").iterdir()}
        assert pictures == {state["state"] for state in shown["list"]}
        replayed = statecrawl(
            "replay", folder, last, "--screenshot", "there.jpg", "--json", cwd=tmp_path
        )
        found = json.loads(replayed.stdout)
        assert (found["state"], found["reached"], found["resets"]) == (last, True, 1)
        assert (tmp_path / "there.jpg").read_bytes().startswith(b"\xff\xd8")
        taken = statecrawl("crawl", url, "--out", folder, cwd=tmp_path)
        assert (taken.returncode, taken.stdout) == (2, "")
        assert len(problems(taken)) == 1
    effects = json.loads(statecrawl("show", folder, "--effects", "--json", cwd=tmp_path).stdout)
    assert sum(each["times"] for each in effects["effects"]) == summary["transitions"]
    assert "Effects: " in statecrawl("show", folder, "--effects", cwd=tmp_path).stdout
    for kind in ("model", "json", "dot", "graphml"):
        done = statecrawl("export", folder, "--format", kind, "--output", kind, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    done = statecrawl(
        "simulate", "model", "--strategy", "greedy", "--no-optimum", "--json", cwd=tmp_path
    )
    simulated = json.loads(done.stdout)[0]
    for field in ("states", "transitions", "events", "resets", "events_to_all_states"):
        assert simulated[field] == summary[field], field


def test_an_interrupted_crawl_says_how_to_go_on(tmp_path: Path) -> None:
    with site("filetree:folders=60") as url:
        process = subprocess.Popen(
            [sys.executable, "-m", "statecrawl", "crawl", url, "--out", "out", "--no-screenshots"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=tmp_path,
        )  # fmt: skip
        while not (tmp_path / "out" / "crawl.db").exists():
            assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        assert process.stderr is not None
        said = process.stderr.read()
        process.stderr.close()
        assert process.wait(60) == 5
        assert f"statecrawl crawl {url} --out out --resume" in said
        done = statecrawl(
            "crawl", url, "--out", "out", "--resume", "--max-states", "3", "--json", cwd=tmp_path
        )
        assert (done.returncode, json.loads(done.stdout)["stop_reason"]) == (0, "max_states")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["crawl", "http://[bad"], 2),
        (["crawl", "ftp://example.org/"], 2),
        (["crawl", "http://127.0.0.1:1/"], 3),
        (["crawl", "http://nowhere.invalid/"], 3),
        (["crawl", "http://127.0.0.1:1/", "--strategy", "x"], 2),
        (["crawl", "http://127.0.0.1:1/", "--equivalence", "x"], 2),
        (["crawl", "http://127.0.0.1:1/", "--events", "x"], 2),
        (["crawl", "http://127.0.0.1:1/", "--browser", "/nowhere"], 4),
        (["crawl", "http://127.0.0.1:1/", "--browser", sys.executable], 4),
        (["crawl", "http://127.0.0.1:1/", "--cdp", "http://127.0.0.1:1"], 4),
        (["crawl", "http://127.0.0.1:1/", "--browsers", "0"], 2),
        (["crawl", "http://127.0.0.1:1/", "--resume", "--out", "nothing"], 2),
        (["crawl"], 2),
        (["crawl", "--from-warc", "nothing"], 2),
        (["crawl", "http://127.0.0.1:1/", "--from-warc", "nothing", "--sitemap"], 2),
        (["show", "nothing"], 2),
        (["replay", "nothing", "0"], 2),
        (["export", "nothing", "--format", "x"], 2),
        (["sites", "serve", "nothing"], 2),
        (["demo", "nothing"], 2),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], code: int, tmp_path: Path) -> None:
    done = statecrawl(*arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert len(problems(done)) == 1
    assert list(tmp_path.iterdir()) == []


def test_the_demo_ends_with_what_was_found(tmp_path: Path) -> None:
    done = statecrawl("demo", SMALL, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "(complete)" in done.stdout
    assert str(Path("crawls") / "demo-company") in done.stdout
    report = tmp_path / "crawls" / "demo-company" / "report" / "index.html"
    assert report.is_file()
    assert str(report.relative_to(tmp_path)) in done.stderr
