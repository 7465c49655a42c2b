"""The documentation names everything there is, and nothing that is not."""

import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer

from statecrawl.browser.agent import EVENT_KINDS
from statecrawl.checks import CHECKS
from statecrawl.cli.app import app
from statecrawl.compose.near import Resembling
from statecrawl.compose.replay import Replayed
from statecrawl.config import CACHES
from statecrawl.core.comparison import compare
from statecrawl.core.crawled import Crawled
from statecrawl.core.guess import Cause
from statecrawl.core.matching import Side
from statecrawl.core.problems import FindingKind
from statecrawl.core.resemblance import EventRule
from statecrawl.core.stopping import StopReason
from statecrawl.equivalences import EQUIVALENCES, RESEMBLANCES
from statecrawl.equivalences.spec import settings
from statecrawl.equivalences.strippers import STRIPPERS
from statecrawl.equivalences.units import UNITS
from statecrawl.errors import ExitCode
from statecrawl.exporters import EXPORTERS
from statecrawl.search.excerpts import Excerpt
from statecrawl.search.searching import Result
from statecrawl.sites.models import MODELS, describe
from statecrawl.storage.folder import DATABASE
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.strategies import STRATEGIES
from tests.command import statecrawl as run_command

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md"]
FAILURES = (
    "load", "unsettled", "page_lost", "browser", "check", "application", "signed_out",
    "endless_dialogs", "cut_off", "sabotage",
)  # fmt: skip
SETTINGS = {
    "threshold",
    *(field.name for kind in RESEMBLANCES.values() for field in settings(kind)),
}
NOTHING = Side(Crawled({}))
RESULT = Result(Path(), "", "", "", 0.0, Excerpt("", (), ()), "", (), 0)


def docs(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def section(page: str, title: str) -> str:
    """Return what stands under a heading; the title may go on, as with the names of arguments."""
    parts = re.split(r"^## ", docs(page), flags=re.MULTILINE)
    found = [part for part in parts if re.match(rf"{re.escape(title)}( [A-Z[][^\n]*)?\n", part)]
    assert len(found) == 1, f"{page} has no section {title!r}, or several"
    return found[0]


def named_in_rows(text: str) -> set[str]:
    """Return what stands in backquotes in the first column of tables."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command that can be given, with its words."""
    if words:
        yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


ALL_COMMANDS = dict(commands(typer.main.get_command(app)))


def options(command: Any) -> set[str]:
    return {
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }


def headings(text: str) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize(
    ("page", "title", "names"),
    [
        ("strategies.md", "", STRATEGIES),
        ("equivalences.md", "", EQUIVALENCES),
        ("near-duplicates.md", "Resemblances", RESEMBLANCES),
        ("near-duplicates.md", "Resemblances", ["words", "chars", "sentences", *UNITS]),
        ("near-duplicates.md", "Resemblances", STRIPPERS),
        ("near-duplicates.md", "Resemblances", SETTINGS),
        ("near-duplicates.md", "As identity", ["events=", *EventRule]),
        ("storage.md", "Exports", EXPORTERS),
        ("engine.md", "Events", EVENT_KINDS),
        ("engine.md", "Requests", CACHES),
        ("cli.md", "statecrawl crawl", StopReason),
        ("cli.md", "statecrawl crawl", FAILURES),
        ("cli.md", "statecrawl crawl", ["crawl", *Crawled({}).summary()]),
        ("nondeterminism.md", "Nondeterminism", Cause),
        ("cli.md", "statecrawl show", ["masks", "left_alone", "list", "findings", "effects"]),
        ("cli.md", "statecrawl diff", compare(NOTHING, NOTHING).to_json(lambda _: ())),
        ("findings.md", "Kinds", FindingKind),
        ("findings.md", "Checks", CHECKS),
        ("cli.md", "statecrawl compare", Resembling._fields),
        ("cli.md", "statecrawl search", RESULT.to_json()),
        ("cli.md", "statecrawl replay", set(Replayed._fields) - {"picture"}),
    ],
)
def test_everything_with_a_name_is_documented(page: str, title: str, names: Any) -> None:
    text = section(page, title) if title else docs(page)
    assert set(names) <= named_in_rows(text)


@pytest.mark.parametrize(
    ("page", "names"), [("strategies.md", STRATEGIES), ("equivalences.md", EQUIVALENCES)]
)
def test_nothing_is_documented_that_is_not_there(page: str, names: Any) -> None:
    assert named_in_rows(docs(page)) == set(names)


@pytest.mark.parametrize("site", MODELS)
def test_every_site_and_its_parameters_are_documented(site: str) -> None:
    row = next(line for line in docs("models.md").splitlines() if line.startswith(f"| `{site}` |"))
    for name, parameter in describe(site).parameters.items():
        assert f"{name}={parameter.default}" in row


def test_every_room_is_documented() -> None:
    source = ROOT / "src" / "statecrawl"
    rooms = {f"{path.parent.name}/" for path in source.glob("*/__init__.py")}
    modules = {path.name for path in source.glob("*.py") if not path.name.startswith("__")}
    assert rooms | modules <= named_in_rows(docs("architecture.md"))


def test_every_exit_code_is_documented() -> None:
    for code in ExitCode:
        assert f"| {int(code)} |" in docs("cli.md")


@pytest.mark.parametrize("words", ALL_COMMANDS, ids=" ".join)
def test_every_command_and_option_is_documented(words: tuple[str, ...]) -> None:
    rows = named_in_rows(section("cli.md", f"statecrawl {' '.join(words)}"))
    documented = {name.split()[0] for name in rows if name.startswith("--")}
    assert documented == options(ALL_COMMANDS[words])


def test_the_commands_of_the_documentation_exist() -> None:
    first_words = {words[0] for words in ALL_COMMANDS}
    for page in PAGES:
        for word in re.findall(r"(?:^ {4}|`)statecrawl ([a-z]\w*)", page.read_text(), re.MULTILINE):
            assert word in first_words, f"{page.name}: statecrawl {word}"


def test_every_field_of_simulate_is_documented() -> None:
    done = run_command("simulate", "hypercube:dimensions=2", "--json")
    assert set(json.loads(done.stdout)[0]) <= named_in_rows(
        section("cli.md", "statecrawl simulate")
    )


def test_every_field_of_the_json_export_is_documented() -> None:
    stream = io.BytesIO()
    EXPORTERS["json"](Crawled({}), stream)
    assert set(json.loads(stream.getvalue())) <= named_in_rows(section("storage.md", "Exports"))


def test_every_table_of_a_crawl_is_documented(tmp_path: Path) -> None:
    SqliteStore.create(tmp_path / "crawl", {}).close()
    with closing(sqlite3.connect(tmp_path / "crawl" / DATABASE)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert {name for (name,) in rows} == named_in_rows(section("storage.md", "The tables"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", page.read_text()):
        there = page.parent / target if target else page
        assert there.exists(), target
        assert not anchor or anchor in headings(there.read_text()), f"{target}#{anchor}"


def test_the_commands_of_the_readme_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for command in ("demo", "test"):
        assert f"make {command}" in (ROOT / "README.md").read_text()
        assert re.search(f"^{command}:", makefile, re.MULTILINE)
    assert "make test" in (ROOT / ".ci" / "run").read_text()
