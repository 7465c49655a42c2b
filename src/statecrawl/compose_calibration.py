"""Calibration put together: labelled sets from crawls and folders, queues, crawls as tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from statecrawl.calibration.journal import Journal
from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.labels import Labels
from statecrawl.calibration.layout import LabelledFolder
from statecrawl.core.resemblance import Page
from statecrawl.errors import InputError
from statecrawl.storage.folder import DATABASE
from statecrawl.storage.sqlite import SqliteStore


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


def read_pages(folder: Path) -> tuple[dict[str, Page], list]:
    """Return the pages in a folder, and the answers that came with them."""
    if (folder / DATABASE).is_file():
        with SqliteStore.open(folder, read_only=True) as store:
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
