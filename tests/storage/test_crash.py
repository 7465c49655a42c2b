"""Nothing acknowledged is lost, whenever the process dies."""

import sqlite3
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Found
from statecrawl.storage import SqliteStore
from tests.storage.recording import endless, without_content

ROOT = Path(__file__).parent.parent.parent
SEED = 7


def append_until_killed(folder: Path, acknowledgements: int) -> int:
    """Kill a process some time after it said so often that it has appended; what it said last."""
    command = [sys.executable, "-m", "tests.storage.appender", str(folder), str(SEED)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(acknowledgements)]
        process.kill()
        said += [line for line in process.stdout if line.endswith("\n")]
    return int(said[-1])


def test_every_acknowledged_append_survives_kill_9(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    SqliteStore.create(folder, {}).close()
    random = Random(SEED)
    for _ in range(8):
        acknowledged = append_until_killed(folder, random.randrange(1, 400))
        with SqliteStore.open(folder) as store:
            appended = store.counts.events
            assert appended in (acknowledged, acknowledged + 1)
            told = [fact for facts in islice(endless(Random(SEED)), appended) for fact in facts]
            assert list(store.facts()) == [without_content(fact) for fact in told]
            found = {fact.state: fact.snapshot.dom for fact in told if isinstance(fact, Found)}
            assert {state: page.dom for state, page in store.doms()} == found
            assert sum(call.times for call in store.crawled().calls.invocations) == appended
        with sqlite3.connect(folder / "crawl.db") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()


def test_a_crawl_that_died_while_it_was_made_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "crawl.db.new").write_bytes(b"half a data")
    (tmp_path / "crawl.db.new-journal").write_bytes(b"")
    with SqliteStore.create(tmp_path, {"url": "/"}) as store:
        assert store.about == {"url": "/"}
        assert store.counts == Counts()
    assert [file.name for file in tmp_path.iterdir()] == ["crawl.db"]
