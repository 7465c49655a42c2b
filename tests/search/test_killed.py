"""A process that is killed while it indexes: nothing is lost, and whoever comes next goes on."""

import subprocess
import sys
from pathlib import Path
from signal import SIGKILL

import pytest

from statecrawl.compose.search import index_crawl, open_index
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.search.index import INDEX, Index, Updated
from statecrawl.search.searching import search
from statecrawl.storage.sqlite import SqliteStore

URL = "http://site.example/"
FEW, MANY = 50, 150
"""More than a hundred states are told of while they are indexed."""
KILLED = """
import os, sys
from pathlib import Path
from signal import SIGKILL
from statecrawl.compose.search import index_crawl
from statecrawl.search import index

def die(*_):
    os.kill(os.getpid(), SIGKILL)

folder, when = Path(sys.argv[1]), sys.argv[2]
if when == "about":
    index._write_about = die
elif when == "place":
    Path.rename = die
index_crawl(folder, die if when == "text" else lambda _done, _of: None)
"""


def write(folder: Path, first: int, last: int) -> None:
    """Let a crawl find some states, one after the other."""
    is_new = first == 0
    facts: list[Fact] = []
    for number in range(first, last):
        dom = f"<html><body><p>everywhere</p><p>number{number}</p></body></html>"
        page = Snapshot(dom, (Event("click next"),), URL)
        facts.append(Found(f"s{number}", page, number, 1))
        way = (f"s{number - 1}", "click next") if number else ("", f"load {URL}")
        facts.append(Executed(*way, f"s{number}"))
    about = {"url": URL, "entries": [URL], "equivalence": "exact", "reset_cost": 1.0}
    store = SqliteStore.create(folder, about) if is_new else SqliteStore.open(folder)
    with store:
        store.append(facts, Counts(last, 1, float(last)))


def kill_while_indexing(folder: Path, when: str) -> None:
    words = [sys.executable, "-c", KILLED, str(folder), when]
    assert subprocess.run(words, check=False, timeout=60).returncode == -SIGKILL


def total(folder: Path) -> int:
    return search([open_index(folder, lambda _done, _of: None)], "everywhere", 10).total


@pytest.mark.parametrize("when", ["text", "about", "place"])
def test_a_first_index_that_was_never_finished_is_made_anew(tmp_path: Path, when: str) -> None:
    write(tmp_path / "crawl", 0, MANY)
    kill_while_indexing(tmp_path / "crawl", when)
    assert not (tmp_path / "crawl" / INDEX).exists()
    assert total(tmp_path / "crawl") == MANY
    assert not list((tmp_path / "crawl").glob(".index.[no]*"))


@pytest.mark.parametrize("when", ["text", "about"])
def test_an_index_is_as_it_was_and_then_brought_up_to_date(tmp_path: Path, when: str) -> None:
    folder = tmp_path / "crawl"
    write(folder, 0, FEW)
    assert total(folder) == FEW
    write(folder, FEW, FEW + MANY)
    kill_while_indexing(folder, when)
    left = Index.open(folder)
    assert left is not None
    assert search([left], "number7", 10).total == 1
    again = index_crawl(folder, lambda _done, _of: None)
    assert again.kept + again.changed + again.added == FEW + MANY
    assert again.kept if when == "text" else again == Updated(0, 0, 0, FEW + MANY)
    assert total(folder) == FEW + MANY
