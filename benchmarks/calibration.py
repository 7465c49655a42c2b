"""Calibration: labelled crawls to calibrate on, how many answers labels need, searches.

python -m benchmarks.calibration crawl FOLDER       # crawl applications, and label their states
python -m benchmarks.calibration questions SET...   # how many answers of people a set needs
python -m benchmarks.calibration search SET...      # searches of parameters beside the whole grid

Then `statecrawl calibrate FOLDER/*` measures equivalences on them. The built-in sites are labelled
by the rules of functional_pages.py, the others by those below; the same definition holds.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.applications import REAL, served
from benchmarks.functional_pages import ASIDE, SITES
from statecrawl.calibration.grids import FAMILIES
from statecrawl.calibration.journal import Journal
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Answer, Judgement, Labels
from statecrawl.calibration.measuring import Bench, distances_of
from statecrawl.calibration.questions import Questions
from statecrawl.calibration.searching import SEARCHES, Candidate, Space
from statecrawl.compose_calibration import LabelledSets, read_pages
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


def todos(_: Page, text: str) -> object:
    """With items or without any."""
    return "left" in text.split()


MORE: dict[str, Rule] = {"company": company}
REAL_ONES: dict[str, Rule] = {"todomvc-vue": todos}
"""Nothing was chosen on these either."""


async def crawl_all(folder: Path) -> None:
    """Crawl every application into a folder of its own, and label its states."""
    for spec, rule in {**SITES, **ASIDE, **MORE}.items():
        async with serve(spec) as url:
            await _crawl(url, folder / spec.partition(":")[0], rule)
    for name, rule in REAL_ONES.items():
        async with served(REAL[name]) as url:
            await _crawl(url, folder / name, rule, skip=REAL[name].skip)


async def _crawl(url: str, out: Path, rule: Rule, skip: tuple[str, ...] = ()) -> None:
    run = RunOptions(out=out, limits=Limits(max_states=MAX_STATES))
    await crawl(url, out, run, skip=skip)
    pages, _ = read_pages(out)
    first: dict[object, str] = {}
    said = []
    for state, page in pages.items():
        known = first.setdefault(rule(page, visible_text(page.root)), state)
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


def search(folders: list[Path], by: str = "f1") -> None:
    """Print how often a search finds the best of a grid in a tenth of its evaluations."""
    bench = Bench(LabelledSets(tuple(folders))())
    known: dict[Candidate, float] = {}

    def loss(candidate: Candidate) -> float:
        if candidate not in known:
            known[candidate] = -bench.figures(*candidate)[by]
        return known[candidate]

    for grid, families in FAMILIES.items():
        space = Space(families)
        began = perf_counter()
        losses = sorted(loss(space.candidate(point)) for point in space.points())
        took = perf_counter() - began
        print(f"{grid}: {space.size:,} evaluations in {took:.1f} s, best {by} {-losses[0]:.3f}")
        for name, run in SEARCHES.items():
            found = [run(space, loss, space.size // 10, seed).loss for seed in range(SEEDS)]
            best = sum(each <= losses[0] for each in found)
            ranks = sorted(sum(other < each for other in losses) for each in found)
            print(
                f"  {name}: {space.size // 10} evaluations, the best in {best} of {SEEDS} runs, "
                f"median rank {ranks[SEEDS // 2]}, worst {by} {-max(found):.3f}"
            )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["crawl", folder]:
            asyncio.run(crawl_all(Path(folder)))
        case ["questions", *folders] if folders:
            questions([Path(each) for each in folders])
        case ["search", *folders] if folders:
            search([Path(each) for each in folders])
        case _:
            sys.exit(__doc__)
