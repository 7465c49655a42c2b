"""The documentation names everything there is, and nothing that is not."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from statecrawl.errors import ExitCode
from statecrawl.sites.models import MODELS, describe
from statecrawl.strategies import STRATEGIES

ROOT = Path(__file__).parent.parent


def docs(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_is_documented(strategy: str) -> None:
    assert f"| `{strategy}` |" in docs("strategies.md")


@pytest.mark.parametrize("site", MODELS)
def test_every_site_and_its_parameters_are_documented(site: str) -> None:
    row = next(line for line in docs("models.md").splitlines() if line.startswith(f"| `{site}` |"))
    for name, parameter in describe(site).parameters.items():
        assert f"{name}={parameter.default}" in row


def test_every_exit_code_is_documented() -> None:
    for code in ExitCode:
        assert f"| {int(code)} |" in docs("cli.md")


@pytest.mark.parametrize("command", [["simulate"], ["sites"], ["sites", "model"]])
def test_every_command_and_option_is_documented(command: list[str]) -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "statecrawl", *command, "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    assert f"## statecrawl {' '.join(command)}" in docs("cli.md")
    for option in set(re.findall(r"--[a-z][a-z-]+", shown)) - {"--help"}:
        assert f"`{option}" in docs("cli.md"), option


def test_every_field_of_simulate_is_documented() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "statecrawl", "simulate", "hypercube:dimensions=2", "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    for field in json.loads(done.stdout)[0]:
        assert f"`{field}`" in docs("cli.md")


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_commands_of_the_readme_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in ("demo", "test"):
        assert f"make {command}" in (ROOT / "README.md").read_text()
        assert re.search(f"^{command}:", makefile, re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text()
