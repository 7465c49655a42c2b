"""Labels in files: the journal of a folder, and the layout that others publish."""

import json
from pathlib import Path

import pytest

from statecrawl.calibration.families import Cell
from statecrawl.calibration.journal import JOURNAL, Journal
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Answer, Basis, ContradictionError, Judgement, Labels
from statecrawl.calibration.layout import LabelledFolder, read_answers, write_folder
from statecrawl.calibration.measuring import Bench
from statecrawl.compose.calibration import labelled_set
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.errors import InputError
from tests.storage.recording import PNG

CLONE, NEAR, DISTINCT = Answer
PAGES = {name: Page(read_html(f"<html><p>{name}</p></html>"), picture=PNG) for name in "cab"}


def judgement(pair: str, answer: Answer, by: str = "ann") -> Judgement:
    return Judgement(pair[0], pair[1], answer, by, 1.5)


def test_a_journal_keeps_who_said_what_and_takes_back_the_last(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    assert journal.undo("ann", 0.0) is None
    journal.say(judgement("ab", CLONE))
    journal.say(judgement("bc", NEAR, "bob"))
    journal.say_rest("bob", 2.0)
    assert Journal(tmp_path).labels.rest
    assert journal.undo("bob", 3.0) is None
    assert journal.undo("bob", 3.0) == judgement("bc", NEAR, "bob")
    again = Journal(tmp_path)
    assert again.labels.judgements == journal.labels.judgements == (judgement("ab", CLONE),)
    assert not again.labels.rest
    assert len((tmp_path / JOURNAL).read_text().splitlines()) == 5


def test_a_contradiction_is_not_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.say_all([judgement("ab", CLONE), judgement("bc", CLONE)])
    with pytest.raises(ContradictionError, match="ann said that a and c are distinct"):
        journal.say(judgement("ac", DISTINCT))
    assert Journal(tmp_path).labels.label("a", "c") == (CLONE, Basis.SURE)


@pytest.mark.parametrize(
    "text", ["{}", "no", '{"one": "a", "other": "b", "answer": "alike"}', "[1]", '"a"', "\x00"]
)
def test_a_broken_journal_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / JOURNAL).write_text(f"{text}\n")
    with pytest.raises(InputError, match="line 1 of"):
        Journal(tmp_path)


def test_what_is_exported_can_be_read_again(tmp_path: Path) -> None:
    labels = Labels([judgement("ca", NEAR), judgement("ab", DISTINCT)])
    file = write_folder(tmp_path, PAGES, labels)
    read = LabelledFolder(tmp_path)
    assert list(read.pages) == ["c", "a", "b"]
    assert {page.picture for page in read.pages.values()} == {PNG}
    assert read.pages["a"].root == PAGES["a"].root
    assert read.judgements == read_answers(file)
    assert {each.pair: each.answer for each in read.judgements} == {
        ("a", "c"): NEAR,
        ("a", "b"): DISTINCT,
        ("b", "c"): DISTINCT,
    }
    told = json.loads(file.read_text())
    assert [pair["inferred"] for pair in told["pairs"]] == [0, 1, 0]
    assert [pair["by"] for pair in told["pairs"]] == ["ann", "", "ann"]
    assert told["states"]["c"]["bin"] == told["states"]["a"]["bin"] != told["states"]["b"]["bin"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "needs an object"),
        ('{"states": []}', "needs an object"),
        ('{"pairs": {}}', "no list"),
        ('{"pairs": [1]}', "pair 1 needs"),
        ('{"pairs": [{"state1": "a", "state2": "b", "response": 3}]}', "pair 1 needs"),
        ('{"pairs": [{"state1": "a", "state2": "b", "response": true}]}', "pair 1 needs"),
        (
            '{"pairs": [{"state1": "a", "state2": "b", "response": 0},'
            '{"state1": "b", "state2": "a", "response": 2}]}',
            "are clone, and that they are distinct",
        ),
    ],
)
def test_a_broken_results_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "results.json"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_answers(file)


def test_labels_of_pages_that_are_not_there_are_refused() -> None:
    labels = Labels([judgement("ax", NEAR)])
    with pytest.raises(InputError, match="labels of 'x', but no such page"):
        LabelledSet("s", PAGES, labels).checked()
    with pytest.raises(InputError, match="no labels"):
        LabelledSet("s", PAGES, Labels()).checked()
    assert list(LabelledSet("s", PAGES, Labels([judgement("ab", NEAR)])).checked().pages) == [
        "a",
        "b",
    ]


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe\x00<p>\x00", bytes(range(256)) * 40, b"<" * 5000])
def test_any_bytes_are_a_page(tmp_path: Path, raw: bytes) -> None:
    write_folder(tmp_path, PAGES, Labels([judgement("ab", NEAR)]))
    (tmp_path / "doms" / "a.html").write_bytes(raw)
    found = labelled_set(tmp_path).checked()
    assert list(found.pages) == ["a", "b"]
    ((*_, figures),) = Bench([found]).all_results(Cell("blend", (0.0,)))
    assert 0 <= figures["f1"] <= 1
