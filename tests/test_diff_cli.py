"""`statecrawl diff` as users and builds meet it."""

import json
from pathlib import Path

import pytest

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Found
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import TEXT, Mask, Masks
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences import EQUIVALENCES
from statecrawl.storage.sqlite import SqliteStore
from tests.command import statecrawl
from tests.test_cli import assert_refused

GO = Event("click button", label="Go", locator="#go")
FIELDS = {"a", "b", "same", "states", "transitions", "not_compared", "warnings"}


def crawled(
    folder: Path, start: str, end: str, *, masks: Masks | None = None, equivalence: str = "exact"
) -> None:
    """Write a crawl of two states whose pages say these texts."""
    url = f"http://{folder.name}.example/"
    about = {"url": url, "entries": [url], "equivalence": equivalence, "reset_cost": 1.0}
    identity = StateIdentity(EQUIVALENCES["exact"], masks)
    pages = [
        Snapshot(f"<html><body><p>{text}</p></body></html>", events, url, title="Shop")
        for text, events in ((start, (GO,)), (end, ()))
    ]
    one, two = map(identity, pages)
    with SqliteStore.create(folder, about) as store:
        if masks is not None:
            store.rekey(masks, {})
        store.append(
            [
                Found(one, pages[0], 0, 1),
                Executed("", f"load {url}", one),
                Found(two, pages[1], 1, 1),
                Executed(one, GO.identity, two),
            ],
            Counts(1, 1, stop_reason="complete"),
        )


def test_the_same_crawl_twice_is_no_difference(tmp_path: Path) -> None:
    crawled(tmp_path / "a", "Hello", "Bye")
    crawled(tmp_path / "b", "Hello", "Bye")
    done = statecrawl("diff", "a", "b", "--fail-on", "any", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == FIELDS
    assert found["same"] == {"states": 2, "transitions": 2}
    assert found["a"] == {
        "crawl": "a",
        "url": "http://a.example/",
        "states": 2,
        "transitions": 1,
        "stop_reason": "complete",
    }
    assert found["states"] == {"appeared": [], "vanished": [], "changed": []}


def test_a_build_can_fail_on_what_changed(tmp_path: Path) -> None:
    crawled(tmp_path / "a", "Hello", "Bye")
    crawled(tmp_path / "b", "Hello", "So \x1b[31mlong")
    done = statecrawl("diff", "a", "b", "--fail-on", "appeared,changed", cwd=tmp_path)
    assert done.returncode == 6
    assert "failed on differences: changed 1" in done.stderr
    assert "states: 1 the same, 0 appeared, 0 vanished, 1 changed" in done.stdout
    assert 'text "Bye" is now "So [31mlong" at html/body[1]/p[1]' in done.stdout
    assert "\x1b" not in done.stdout
    assert statecrawl("diff", "a", "b", "--fail-on", "vanished", cwd=tmp_path).returncode == 0
    found = json.loads(statecrawl("diff", "a", "b", "--json", cwd=tmp_path).stdout)
    (changed,) = found["states"]["changed"]
    assert changed["matched_by"] == "path"
    assert changed["was"]["path"] == ["load http://a.example/", "click button"]
    assert changed["differences"] == [
        {"what": "text", "where": "html/body[1]/p[1]", "was": "Bye", "now": "So \x1b[31mlong"}
    ]


def test_what_one_crawl_left_out_is_left_out_of_both(tmp_path: Path) -> None:
    masks = Masks((Mask("html/body[1]/p[1]", TEXT, "time"),))
    crawled(tmp_path / "a", "12:01", "Bye")
    crawled(tmp_path / "b", "12:02", "Bye", masks=masks)
    found = json.loads(statecrawl("diff", "a", "b", "--json", cwd=tmp_path).stdout)
    assert found["same"] == {"states": 2, "transitions": 2}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "nowhere"], "there is no crawl in"),
        (["a", "."], "there is no crawl in"),
        (["a", "other"], "crawl one of them again"),
        (["a", "a", "--fail-on", "everything"], "give some of any,appeared,vanished,changed"),
        (["a"], "DIR_B"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], message: str) -> None:
    crawled(tmp_path / "a", "Hello", "Bye")
    crawled(tmp_path / "other", "Hello", "Bye", equivalence="content")
    assert_refused(statecrawl("diff", *arguments, cwd=tmp_path), message)
