"""Metrics, by hand; grids, ranking, searches."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.families import FAMILIES, THESIS, Cell, Family
from statecrawl.calibration.grids import GRIDS, cells
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Answer, Judgement, Labels
from statecrawl.calibration.measures import BASELINES, measure_of
from statecrawl.calibration.measuring import Bench, Result, measured
from statecrawl.calibration.metrics import METRICS, Outcome
from statecrawl.calibration.processors.surfaces import surfaces
from statecrawl.calibration.ranking import cross_validated, ranked
from statecrawl.calibration.searching import SEARCHES, Search
from statecrawl.calibration.spaces import SPACES, Gene, Space
from statecrawl.calibration.truth import kept, truth_of
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.equivalences import RESEMBLANCES
from statecrawl.errors import InputError

PAGES = {
    "home": "<p>Welcome</p>",
    "list 1": "<ul><li>one two three four</ul>",
    "list 2": "<ul><li>one two three five</ul>",
    "form": "<form><input></form>",
    "home again": "<p>Welcome</p>",
}
SAME = (("list 1", "list 2"), ("home", "home again"))


def labelled(name: str = "shop") -> LabelledSet:
    pages = {state: Page(read_html(f"<html>{html}</html>")) for state, html in PAGES.items()}
    said = [Judgement(*pair, Answer.NEAR) for pair in SAME]
    return LabelledSet(name, pages, Labels(said, rest=True)).checked()


def figures(*groups: str) -> dict[str, float]:
    """What metrics say when these states, by number, are taken for one."""
    is_same = np.eye(5, dtype=np.bool_)
    for group in groups:
        for one in group:
            for other in group:
                is_same[int(one), int(other)] = True
    outcome = Outcome.of(truth_of(labelled()), is_same, 3.0, 2.0)
    return {name: metric.measure(outcome) for name, metric in METRICS.items()}


def test_the_needed_states_are_the_first_of_those_that_are_one() -> None:
    truth = truth_of(labelled())
    assert truth.needed == (0, 1, 3)
    assert truth.is_known.all()


def test_metrics_of_a_perfect_answer() -> None:
    found = figures("12", "04")
    assert found == {
        "f1": 1, "precision": 1, "recall": 1, "missed_states": 0, "duplicate_states": 0,
        "total_errors": 0, "weighted_errors": 0, "state_f1": 1, "state_precision": 1,
        "state_recall": 1, "speed": -50,
    }  # fmt: skip


def test_metrics_of_missed_and_duplicate_states() -> None:
    # The form is taken for the first list: it is missed. The homes are not seen to be one.
    found = figures("13")
    assert (found["missed_states"], found["duplicate_states"]) == (1, 2)
    assert (found["total_errors"], found["weighted_errors"]) == (3, 4)
    assert (found["precision"], found["recall"], found["f1"]) == (0, 0, 0)
    assert found["state_precision"] == pytest.approx(2 / 4)
    assert found["state_recall"] == pytest.approx(2 / 3)
    assert found["state_f1"] == pytest.approx(4 / 7)


def test_near_is_compared_with_what_was_kept_only() -> None:
    chain = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=np.bool_)
    assert kept(chain) == (0, 2)


def test_no_labels_for_a_pair_and_it_does_not_count() -> None:
    pages = labelled().pages
    some = LabelledSet("shop", pages, Labels([Judgement("home", "form", Answer.NEAR)])).checked()
    outcome = Outcome.of(truth_of(some), np.ones((2, 2), dtype=np.bool_), 0, 0)
    assert outcome.pairs == (1, 0, 0)


@pytest.mark.parametrize("spec", [*RESEMBLANCES, *BASELINES, "broder:weights=idf"])
def test_everything_that_has_a_name_can_be_measured(spec: str) -> None:
    pages = [Page(read_html(html)) for html in (*PAGES.values(), "")]
    measure = measure_of(spec, pages)
    features = [measure.features(page) for page in pages]
    table = np.array([measure.distances(one, features) for one in features])
    assert (np.diag(table) == 0).all()
    assert np.allclose(table, table.T, atol=1e-12)
    assert (table <= measure.farthest).all()
    assert table[0, 4] == 0


def load() -> Sequence[LabelledSet]:
    return [labelled("one"), labelled("two")]


def test_results_are_the_same_with_any_number_of_processes() -> None:
    chosen = [Cell("stripped", (0.0,)), Cell("levenshtein", (0.1, 0.5))]

    def without_times(results: list[Result]) -> list[object]:
        return [
            (r[:3], {k: v for k, v in r.figures.items() if k not in ("seconds", "speed")})
            for r in results
        ]

    alone = measured(load, load(), chosen, 1, lambda *_: None)
    assert len(alone) == 6
    together = measured(load, load(), chosen, 2, lambda *_: None)
    assert without_times(alone) == without_times(together)


def test_the_best_is_chosen_without_the_application_it_is_measured_on() -> None:
    def result(equivalence: str, application: str, value: float, missed: int = 0) -> Result:
        row = dict.fromkeys(METRICS, 0.0) | {"states": 1.0, "seconds": 1.0}
        return Result(equivalence, 0.1, application, row | {"f1": value, "missed_states": missed})

    results = [
        result("a", "one", 1.0), result("b", "one", 0.5),
        result("a", "two", 0.2), result("b", "two", 0.6),
    ]  # fmt: skip
    found = {each.application: each for each in cross_validated(results, "f1")}
    assert (found["one"].chosen.equivalence, found["one"].figures["f1"]) == ("b", 0.5)
    assert (found["two"].chosen.equivalence, found["two"].figures["f1"]) == ("a", 0.2)
    assert cross_validated(results[:2], "f1") == []
    assert [row.equivalence for row in ranked(results, "f1")] == ["a", "b"]
    equal = [result("a", "one", 1.0, 2), result("b", "one", 1.0, 1)]
    assert [row.equivalence for row in ranked(equal, "f1")] == ["b", "a"]


def test_the_thesis_grids_are_there() -> None:
    assert {family.title for family in THESIS} == {
        f"{name}, {unit}"
        for name in ("crawlhash", "broder")
        for unit in ("words", "sentences", "chars")
    }
    assert sum(len(cell.thresholds) for cell in SPACES["thesis"].cells) == (
        72 + 84 + 75 + 56 + 15 + 126
    )
    for grid in GRIDS:
        names = [cell.equivalence for cell in cells(grid)]
        assert {*RESEMBLANCES, *BASELINES} <= set(names)
        for name in names:
            measure_of(name)
    with pytest.raises(InputError, match="--grid"):
        cells("none")
    assert set(FAMILIES) < set(GRIDS)


def valley(values: Sequence[str]) -> Cell:
    """A cell that is named by what it costs; half of them are far away."""
    far, *rest = map(int, values)
    return Cell(f"{'far' if far else 'near'} {sum(abs(each - 3) for each in rest)} {rest}", (0.0,))


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_search_finds_the_bottom_of_a_valley_in_a_tenth(search: Search) -> None:
    digits = tuple(map(str, range(7)))
    genes = (Gene("far", ("0", "1")), Gene("one", digits), *(Gene(n, digits, True) for n in "ab"))
    space = Space(genes, valley)
    assert len(space.cells) == 2 * 7**3
    budget = len(space.cells) // 10
    asked = []

    def loss(cell: Cell) -> float:
        asked.append(cell)
        far, cost, *_ = cell.equivalence.split()
        return float(cost) + 100 * (far == "far")

    for seed in range(3):
        asked.clear()
        found = search(space, loss, budget, seed)
        assert found.loss == 0
        assert len(found.measured) == len(asked) == len(set(asked)) <= budget
        assert search(space, loss, budget, seed) == found


def test_choices_that_make_no_difference_are_one_equivalence() -> None:
    space = SPACES["settings"]
    names = [cell.equivalence for cell in space.cells]
    assert len(names) == len(set(names)) < len(list(space.points()))
    words, tags = (space.cell((0, unit, 0, 0, 1, 1, 1)).equivalence for unit in (0, 3))
    assert "of=body,fold=yes" in words
    assert tags == "broder:unit=tags,size=1,weights=none"
    near = space.neighbours((0, 0, 0, 0, 0, 0, 0))
    assert len(near) == len(set(near)) == 1 + 6 + 1 + 2 + 2 + 1 + 1


def test_a_family_is_drawn_over_the_plane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = (Family("broder", "words", (1, 2), (0.0, 0.5)),)
    monkeypatch.setitem(FAMILIES, "thesis", small)
    chosen = [Cell("stripped", (0.0,)), *map(small[0].cell, (1, 2))]
    results = measured(load, load(), chosen, 1, lambda *_: None)
    (file,) = surfaces(Calibration(load(), results, "thesis", "f1"), tmp_path)
    assert file.name == "broder-words.png"
    assert file.read_bytes().startswith(b"\x89PNG")


def test_results_of_all_sets_are_put_together() -> None:
    bench = Bench(load())
    (row,) = ranked(bench.all_results(Cell("exact", (0.0,))), "f1")
    (alone,) = bench.results(0, Cell("exact", (0.0,)))
    assert row.figures["duplicate_states"] == 2 * alone.figures["duplicate_states"]
    assert 0 < row.figures["f1"] < 1
