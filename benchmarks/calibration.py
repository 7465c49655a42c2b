"""Calibration: labelled crawls to calibrate on, how many answers labels need, searches.

python -m benchmarks.calibration crawl FOLDER       # crawl applications, and label their states
python -m benchmarks.calibration crawl FOLDER bank admin      # some of them
python -m benchmarks.calibration questions SET...   # how many answers of people a set needs
python -m benchmarks.calibration search GRID SET... # searches of parameters beside the whole grid

Then `statecrawl calibrate FOLDER/*` measures equivalences on them. The built-in sites are labelled
by the rules of functional_pages.py, the others by those below; the same definition holds.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks import admin
from benchmarks.applications import REAL, served
from benchmarks.functional_pages import ASIDE, SITES, has_class
from statecrawl.calibration.families import Cell
from statecrawl.calibration.journal import Journal
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Answer, Judgement, Labels
from statecrawl.calibration.measuring import Bench, distances_of
from statecrawl.calibration.questions import Questions
from statecrawl.calibration.ranking import rank, ranked
from statecrawl.calibration.searching import SEARCHES, Loss
from statecrawl.calibration.spaces import SPACES, Space
from statecrawl.compose.calibration import LabelledSets, read_pages
from statecrawl.config import RunOptions
from statecrawl.core.dom import visible_text
from statecrawl.core.limits import Limits
from statecrawl.core.resemblance import Page
from statecrawl.equivalences import DEFAULT_CLASSES, near_equivalence
from statecrawl.sites.server import serve
from tests.browser.helpers import crawl

Rule = Callable[[Page, str], object]
WHO = "maintainers"
SEEDS = 10
MAX_STATES = 60


def company(_: Page, text: str) -> object:
    """By what a page is for: each list, products and their parts, the steps of a quote, texts."""
    first, *lines = text.split("\n")
    section = first.rpartition(": ")[2]
    rest = [line for line in lines if not line.startswith("home products")]
    if section == "quote":
        return section, rest[1]
    if section in ("home", "jobs", "imprint"):
        return "text"
    is_item = len(rest[0].split()) == 1
    part = rest[1] if is_item and rest[1] in ("data", "pictures") else ""
    if section == "contact" and is_item:
        part = rest[0]
    return section, is_item, part


def todos(page: Page, text: str) -> object:
    """Whether there are items, done ones, which it offers to clear, and one that is edited."""
    is_edited = has_class(page.root, "editing")
    return "left" in text.split(), "Clear completed" in text, is_edited


MORE: dict[str, Rule] = {"company": company}
REAL_ONES: dict[str, Rule] = {"todomvc-vue": todos}
"""Nothing was chosen on these either."""


class Subject(NamedTuple):
    """An application to crawl, and the rule that labels its states."""

    serve: Callable[[], AbstractAsyncContextManager[str]]
    rule: Rule
    skip: tuple[str, ...] = ()
    limits: Limits = Limits(max_states=MAX_STATES)


SUBJECTS = {
    **{
        spec.partition(":")[0]: Subject(partial(serve, spec), rule)
        for spec, rule in {**SITES, **ASIDE, **MORE}.items()
    },
    **{
        name: Subject(partial(served, REAL[name]), rule, REAL[name].skip)
        for name, rule in REAL_ONES.items()
    },
    "admin": Subject(
        admin.administration,
        admin.label,
        admin.TOYS,
        Limits(max_states=100, max_states_per_url=2),
    ),
}


async def crawl_some(folder: Path, names: Iterable[str]) -> None:
    """Crawl applications into folders of their own, and label their states."""
    for name in names:
        subject = SUBJECTS[name]
        async with subject.serve() as url:
            await _crawl(url, folder / name, subject)


async def _crawl(url: str, out: Path, subject: Subject) -> None:
    run = RunOptions(out=out, limits=subject.limits)
    await crawl(url, out, run, skip=subject.skip)
    pages, _ = read_pages(out)
    first: dict[object, str] = {}
    said = []
    for state, page in pages.items():
        known = first.setdefault(subject.rule(page, visible_text(page.root)), state)
        if known != state:
            said.append(Judgement(known, state, Answer.NEAR, WHO))
    journal = Journal(out)
    journal.say_all(said)
    journal.say_rest(WHO, 0.0)
    print(f"{out}: {len(pages)} states, {len(first)} functional pages")


def questions(folders: list[Path]) -> None:
    """Print how many answers it takes to label every pair, in the order of the page."""
    for labelled in LabelledSets(tuple(folders))():
        states = list(labelled.pages)
        asked = _answers(labelled, states)
        pairs = len(states) * (len(states) - 1) // 2
        print(f"{labelled.name}: {len(states)} states, {pairs:,} pairs, {asked:,} answers")


def _answers(labelled: LabelledSet, states: list[str]) -> int:
    likeness = near_equivalence(DEFAULT_CLASSES).resemblance
    order = Questions(states, distances_of(labelled, likeness).table)
    found, wrong = Labels(), 0
    while (pair := order.next(found)) is not None:
        true = labelled.labels.label(*pair)
        if true is None:
            raise ValueError(f"{labelled.name} has no label for {pair}")
        found = found.plus(Judgement(*pair, true.answer))
    for pair, label in found.all(states):
        true = labelled.labels.label(*pair)
        wrong += true is not None and true.answer is not label.answer
    if wrong:
        print(f"  {wrong:,} of the pairs that were inferred are wrong")
    return len(found.told)


def search(grid: str, folders: list[Path], by: str = "f1") -> None:
    """Print how often a search finds the best of a grid in a tenth of its evaluations.

    On every set alone, and on all of them together.
    """
    sets = LabelledSets(tuple(folders))()
    for chosen in ([sets] if len(sets) > 1 else []) + [[each] for each in sets]:
        bench = Bench(chosen)
        known: dict[str, float] = {}

        def loss(cell: Cell, bench: Bench = bench, known: dict[str, float] = known) -> float:
            if cell.equivalence not in known:
                known[cell.equivalence] = rank(ranked(bench.all_results(cell), by)[0], by)[0]
            return known[cell.equivalence]

        print(", ".join(each.name for each in chosen))
        compare_searches(SPACES[grid], loss)


def compare_searches(space: Space, loss: Loss) -> None:
    """Print how often each search finds the best."""
    began = perf_counter()
    losses = sorted(loss(cell) for cell in space.cells)
    budget = len(losses) // 10
    ties = sum(each <= losses[0] for each in losses)
    print(
        f"  {len(losses):,} evaluations in {perf_counter() - began:.1f} s, best {-losses[0]:.3f} "
        f"({ties} times)"
    )
    for name, run in SEARCHES.items():
        found = [run(space, loss, budget, seed).loss for seed in range(SEEDS)]
        best = sum(each <= losses[0] for each in found)
        ranks = sorted(sum(other < each for other in losses) for each in found)
        print(
            f"  {name}: {budget} evaluations, the best in {best} of {SEEDS} runs, "
            f"rank {ranks[SEEDS // 2]} in the middle, {ranks[-1]} at worst ({-max(found):.3f})",
            flush=True,
        )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["crawl", folder, *names] if set(names) <= SUBJECTS.keys():
            asyncio.run(crawl_some(Path(folder), names or SUBJECTS))
        case ["questions", *folders] if folders:
            questions([Path(each) for each in folders])
        case ["search", grid, *folders] if folders and grid in SPACES:
            search(grid, [Path(each) for each in folders])
        case _:
            sys.exit(__doc__)
