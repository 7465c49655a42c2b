"""Calibration put together: labelled sets from crawls and folders, and the desk to label them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from statecrawl.calibration.annotation import Annotator
from statecrawl.calibration.journal import Journal
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Judgement, Labels
from statecrawl.calibration.layout import LabelledFolder, read_answers, write_folder
from statecrawl.calibration.measuring import distances_of
from statecrawl.calibration.questions import Questions
from statecrawl.core.resemblance import Page
from statecrawl.equivalences import DEFAULT_CLASSES, near_equivalence
from statecrawl.errors import InputError
from statecrawl.storage import open_crawl
from statecrawl.storage.folder import holds_crawl


@dataclass(frozen=True)
class LabelledSets:
    """Reads labelled sets; made of nothing but paths, so that other processes can do so, too."""

    folders: tuple[Path, ...]

    def __call__(self) -> Sequence[LabelledSet]:
        """Return the sets, each with at least one label."""
        found = [labelled_set(folder).checked() for folder in self.folders]
        names = [each.name for each in found]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"two sets are called {name!r}: give folders with other names")
        return found


def labelled_set(folder: Path) -> LabelledSet:
    """Return the pages in a folder, a crawl's or one in the PetClinic layout, and their labels."""
    pages, before = read_pages(folder)
    said = Journal(folder).labels
    labels = Labels((*before, *said.judgements), rest=said.rest) if before else said
    return LabelledSet(folder.resolve().name, pages, labels)


def read_pages(folder: Path) -> tuple[dict[str, Page], list[Judgement]]:
    """Return the pages in a folder, and the answers that came with them."""
    if holds_crawl(folder):
        with open_crawl(folder, read_only=True) as store:
            masks = store.masks
            pages = {
                state: Page.of(snapshot, masks, store.screenshot(state) or b"")
                for state, snapshot in store.doms()
            }
        return pages, []
    if not LabelledFolder.is_one(folder):
        raise InputError(
            f"{str(folder)[:200]!r} is neither a crawl nor a folder with doms/: give one of these"
        )
    there = LabelledFolder(folder)
    return there.pages, there.judgements


def annotator_of(folder: Path, me: str) -> Annotator:
    """Return the desk of whoever labels the pages in a folder."""
    pages, before = read_pages(folder)
    labels = Labels(before)
    journal = Journal(folder)
    labels.plus(*journal.labels.judgements)  # says what contradicts what
    found = LabelledSet(folder.resolve().name, pages, labels)
    likeness = near_equivalence(DEFAULT_CLASSES).resemblance
    questions = Questions(list(pages), distances_of(found, likeness).table)
    return Annotator(found.name, pages, journal, questions, me, labels)


def import_answers(folder: Path, file: Path, by: str) -> int:
    """Take the answers of a file in the PetClinic layout for pages in a folder; return how many."""
    pages, before = read_pages(folder)
    answers = [each if each.by else each._replace(by=by) for each in read_answers(file)]
    strangers = sorted({state for each in answers for state in each.pair} - set(pages))
    if strangers:
        raise InputError(
            f"{file} has answers about {strangers[0][:80]!r}, which is no page of {folder}"
        )
    journal = Journal(folder)
    Labels(before).plus(*journal.labels.judgements, *answers)
    journal.say_all(answers)
    return len(answers)


def export_answers(folder: Path, output: Path) -> Path:
    """Write the pages and answers of a folder in the PetClinic layout; return the answers' file."""
    found = labelled_set(folder)
    return write_folder(output, found.pages, found.labels)
