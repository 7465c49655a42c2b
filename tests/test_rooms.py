"""The import rules of docs/architecture.md, and what a pure room may never touch."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "statecrawl"
PACKAGE = "statecrawl"

PURE = {"core", "equivalences", "strategies", "coordination"}
IMPURE_MODULES = {
    "asyncio", "concurrent", "datetime", "http", "logging", "multiprocessing", "os", "pathlib",
    "random", "secrets", "select", "selectors", "shutil", "signal", "socket", "sqlite3", "ssl",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
EDGES = {"browser", "checks", "runtimes", "storage", "exporters", "search", "calibration", "web"}
ALLOWED = {
    "core": set(),
    "equivalences": {"core"},
    "strategies": {"core"},
    "coordination": {"core"},
    "simulation": PURE,
    "sites": {"core"},
    "errors": set(),
    **{edge: set(PURE) for edge in EDGES},
    "web": {*PURE, "search"},
}
FREE = {
    "api",
    "cli",
    "compose",
    "config",
    "terminal",
    "__init__",
    "__main__",
}
"""Modules at the top, which put rooms together."""


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: say the whole name of the module"
            assert node.module is not None
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


FILES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    here = room(path)
    if here in FREE:
        return
    assert here in ALLOWED, f"{here} is a new room: say in docs/architecture.md what it may import"
    ours = {name.split(".")[1] for name in imports(path) if name.startswith(f"{PACKAGE}.")}
    assert ours <= ALLOWED[here] | {here, "errors"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room(path) in PURE], ids=lambda path: path.stem
)
def test_a_pure_room_does_no_io_and_reads_no_clock(path: Path) -> None:
    third_party = {"playwright", "psycopg", "ray", "fastapi", "httpx", "websockets", "tantivy"}
    assert not {name.split(".")[0] for name in imports(path)} & (IMPURE_MODULES | third_party)
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "exec", "eval"}


def test_the_rules_are_about_rooms_that_exist() -> None:
    assert {"core", "strategies", "simulation", "sites"} <= {room(path) for path in FILES}
    assert imports(ROOT / "core" / "session.py") & {"statecrawl.core.model"}
