"""`statecrawl compare`, and what it says to bad input."""

import json
import subprocess
from pathlib import Path

import pytest

import statecrawl.compose.near
from statecrawl.compose.near import compare_pages
from statecrawl.errors import ExitCode, InputError
from tests.command import statecrawl as command

FRIENDS = "<p>Hello friends! This is my personal website.</p>"
WORLD = "<p>Hello world! This is my personal website.</p>"


def files(folder: Path, *contents: str | bytes) -> list[Path]:
    paths = []
    for number, content in enumerate(contents):
        paths.append(folder / f"{number}.html")
        paths[-1].write_bytes(content if isinstance(content, bytes) else content.encode())
    return paths


def compare(*arguments: object) -> subprocess.CompletedProcess[str]:
    return command("compare", *map(str, arguments))


def test_distance_and_verdict(tmp_path: Path) -> None:
    pages = files(tmp_path, FRIENDS, WORLD)
    done = compare(*pages, "--equivalence", "broder:threshold=0.6", "--json")
    assert json.loads(done.stdout) == {
        "equivalence": "broder:threshold=0.6,events=same",
        "threshold": 0.6,
        "distance": 1 - 3 / 7,
        "same": True,
    }
    told = compare(*pages, "--equivalence", "broder:threshold=0.5")
    assert told.stdout.startswith("different: distance 0.5714, at most 0.5 is near")


@pytest.mark.parametrize(
    ("spec", "distance"), [("exact", 1), ("content", 1), ("structure", 0), ("blend", 0)]
)
def test_every_kind_of_equivalence(spec: str, distance: float, tmp_path: Path) -> None:
    one, other = files(tmp_path, FRIENDS, WORLD)
    found = compare_pages(one, other, spec)
    assert (found.distance, found.same) == (distance, distance == 0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00<\x80p>",
        bytes(range(256)) * 40,
        b"<" * 5000,
        b"<p>" * 5000,
        "ü".encode("latin-1"),
    ],
    ids=["empty", "broken", "binary", "brackets", "deep", "encoding"],
)
def test_whatever_is_in_a_file_there_is_a_distance(content: bytes, tmp_path: Path) -> None:
    pages = files(tmp_path, content, FRIENDS)
    for spec in ("blend", "broder", "crawlhash:of=dom", "buckets", "content"):
        assert compare_pages(pages[0], pages[0], spec).same
        assert compare_pages(pages[0], pages[1], spec).distance >= 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no.html", "no.html"], "can't read"),
        (["/", "/"], "can't read"),
        (
            ["{0}", "{0}", "--equivalence", "nonsense"],
            "unknown equivalence 'nonsense': give one of",
        ),
        (["{0}", "{0}", "--equivalence", "exact:size=3"], "exact has no settings"),
        (["{0}", "{0}", "--equivalence", "broder:weights=idf"], "leave weights out"),
    ],
)
def test_bad_input_gets_one_line(arguments: list[str], words: str, tmp_path: Path) -> None:
    (page,) = files(tmp_path, FRIENDS)
    done = compare(*(each.format(page) for each in arguments))
    assert done.returncode == ExitCode.INPUT
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statecrawl.compose.near, "MAX_PAGE_BYTES", 10)
    one, other = files(tmp_path, FRIENDS, WORLD)
    with pytest.raises(InputError, match="has more than"):
        compare_pages(one, other, "blend")
