"""The command line as users and other programs meet it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from statecrawl.cli.app import app
from statecrawl.cli.panels import COMMANDS, OPTIONS, ManyOptions
from statecrawl.core.model_file import MAX_FILE_BYTES, parse_model
from statecrawl.strategies import STRATEGIES
from tests.command import statecrawl

SIMULATE_FIELDS = {
    "model", "states", "transitions", "strategy", "events_to_all_states",
    "resets_to_all_states", "cost_to_all_states", "events", "resets", "cost", "optimal_cost",
    "optimal_cost_to_end", "optimal_is", "complete", "seconds",
}  # fmt: skip


def test_simulate_prints_the_documented_json() -> None:
    done = statecrawl("simulate", "hypercube:dimensions=4", "--strategy", "all", "--json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)
    assert [row["strategy"] for row in rows] == list(STRATEGIES)
    for row in rows:
        assert set(row) >= SIMULATE_FIELDS
        assert (row["states"], row["transitions"], row["complete"]) == (16, 32, True)
        assert row["cost"] == row["events"] + 3 * row["resets"]
        assert row["optimal_cost_to_end"] == 40 + 12 * 3
        assert row["optimal_is"] == "exact"
        assert row["cost_to_all_states"] == row["cost_to_states"]["100%"] >= row["optimal_cost"]
        assert row["cost_to_states"]["first"] == 3
    hypercube = next(row for row in rows if row["strategy"] == "hypercube")
    assert (hypercube["events"], hypercube["resets"]) == (40, 12)


def test_simulate_shows_people_a_table() -> None:
    done = statecrawl("simulate", "company", "--strategy", "menu", "--strategy", "greedy")
    assert done.returncode == 0
    assert "company: " in done.stdout
    assert "menu" in done.stdout
    assert "optimum: " in done.stdout
    assert done.stderr == ""


def test_simulate_explains_each_plan_beside_the_output() -> None:
    done = statecrawl(
        "simulate", "hypercube:dimensions=3", "--strategy", "effects", "--explain", "--json"
    )  # fmt: skip
    assert done.returncode == 0
    (result,) = json.loads(done.stdout)
    told = [line for line in done.stderr.splitlines() if not line.endswith("working on it")]
    assert told[0].startswith("statecrawl: effects, a blank tab: load ")
    assert all(line.startswith("statecrawl: effects, ") for line in told)
    assert result["states"] <= len(told) <= result["events"] + result["resets"]
    assert any("; chance 0." in line for line in told)


def test_a_printed_model_can_be_simulated(tmp_path: Path) -> None:
    printed = statecrawl("sites", "model", "bank")
    assert printed.returncode == 0
    application = parse_model(printed.stdout.encode())
    assert application.regions
    assert application.groups
    file = tmp_path / "model.json"
    file.write_text(printed.stdout)
    from_file = statecrawl("simulate", str(file), "--json", "--strategy", "menu")
    built_in = statecrawl("simulate", "bank", "--json", "--strategy", "menu")
    (first,), (second,) = json.loads(from_file.stdout), json.loads(built_in.stdout)
    ignored = {"model": "", "seconds": 0}
    assert {**first, **ignored} == {**second, **ignored}


def test_the_cost_of_reset_and_the_seed_change_the_figures() -> None:
    def costs(*options: str) -> list[dict[str, object]]:
        arguments = ["simulate", "bank", "--json", "--strategy", "greedy", "--no-optimum"]
        rows: list[dict[str, object]] = json.loads(statecrawl(*arguments, *options).stdout)
        return [{**row, "seconds": 0} for row in rows]

    assert costs("--reset-cost", "100")[0]["reset_cost"] == 100
    assert costs("--seed", "1") == costs("--seed", "1")
    assert costs("--seed", "1") != costs("--seed", "2")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_the_curves_are_drawn(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"curves.{ending}"
    done = statecrawl("simulate", "hypercube:dimensions=3", "--plot", str(file))
    assert done.returncode == 0
    assert file.stat().st_size > 1_000


@pytest.mark.filterwarnings("ignore:Data has no positive values")  # of a scale without costs
def test_a_model_that_costs_nothing_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    file.write_text('{"initial": "only", "reset_cost": 0, "states": {"only": {}}}')
    done = statecrawl("simulate", str(file), "--plot", str(tmp_path / "curves.png"))
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "1 states, 0 transitions" in done.stdout


def test_sites_lists_the_applications() -> None:
    done = statecrawl("sites", "--json")
    names = [site["name"] for site in json.loads(done.stdout)]
    assert names == [
        "hypercube", "filetree", "periodic", "bibliography", "files", "clips", "bank", "company",
        "videos", "modern", "widgets", "sections", "hostile",
    ]  # fmt: skip
    assert "hypercube" in statecrawl("sites").stdout


@pytest.mark.parametrize("command", [[], ["simulate"], ["sites"], ["sites", "model"]])
def test_help_teaches(command: list[str]) -> None:
    done = statecrawl(*command, "--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 5


def test_each_command_and_each_option_of_those_with_many_has_its_panel() -> None:
    group: Any = get_command(app)
    told = [name for panel in COMMANDS.values() for name in panel]
    assert sorted(told) == sorted(group.commands)
    many = [each for each in group.commands.values() if isinstance(each, ManyOptions)]
    options = {name for each in many for name in _options(each)}
    told = [name for panel in OPTIONS.values() for name in panel]
    assert sorted(told) == sorted(options)
    assert all("╭─ Options" not in statecrawl(str(each.name), "--help").stdout for each in many)


def _options(command: Any) -> set[str]:
    """Return the names of all options of a command."""
    params = (param for param in command.params if param.param_type_name == "option")
    return {param.opts[0].removeprefix("--") for param in params} | {"help"}


def test_version() -> None:
    assert statecrawl("--version").stdout.startswith("statecrawl 0.")


BAD_FILES = {
    "not JSON": b"{",
    "which is not among the states": b'{"initial": "a", "states": {"a": {"go": "b"}}}',
    "no initial state": b'{"states": {"a": {}}}',
    "no entry reaches": b'{"initial": "a", "states": {"a": {}, "b": {}}}',
    "must be 0 or more": b'{"initial": "a", "reset_cost": -1, "states": {"a": {}}}',
}


def assert_refused(done: subprocess.CompletedProcess[str], message: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize("message", BAD_FILES)
def test_a_bad_model_file_is_one_line(tmp_path: Path, message: str) -> None:
    file = tmp_path / "model.json"
    file.write_bytes(BAD_FILES[message])
    assert_refused(statecrawl("simulate", str(file)), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "no-such-model"], "neither a file nor a built-in model"),
        (["simulate", "."], "can't read"),
        (["simulate", "hypercube:sides=3"], "no parameter"),
        (["simulate", "hypercube:dimensions=many"], "dimensions"),
        (["simulate", "hypercube:dimensions=40"], "dimensions"),
        (["simulate", "bank", "--strategy", "best"], "unknown strategy"),
        (["simulate", "bank", "--reset-cost", "-1"], "must be 0 or more"),
        (["simulate", "bank", "--reset-cost", "nan"], "must be 0 or more"),
        (["simulate", "bank", "--reset-cost", "much"], "--reset-cost"),
        (["simulate", "bank", "--plot", "curves.txt"], "give a file ending in"),
        (["simulate", "bank", "--plot", "no/such/folder/curves.png"], "can't write"),
        (["simulate"], "MODEL"),
        (["fly"], "fly"),
        (["sites", "model", "no-such-site"], "there is no model"),
        (["sites", "model", "hostile"], "hostile has no true model"),
        (["simulate", "hostile"], "hostile has no true model"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    assert_refused(statecrawl(*arguments, cwd=tmp_path), message)


def test_ten_million_events_are_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "model.json"
    with file.open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)
    assert_refused(statecrawl("simulate", str(file)), "smaller model")


def test_an_interrupted_command_says_so(tmp_path: Path) -> None:
    pipe = tmp_path / "model.json"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "statecrawl", "simulate", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with pipe.open("wb"):  # returns when the command has opened its end and waits
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 5
    assert output == ""
    assert errors == "statecrawl: interrupted\n"


def test_a_reader_that_has_enough_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "statecrawl", "sites", "model", "hypercube"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.read(100)) == 100
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


def test_whoever_reads_only_the_beginning_of_the_output_is_no_fault() -> None:
    command = [sys.executable, "-m", "statecrawl", "sites"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
