"""A labelled set: pages of one application, and what people said about pairs of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from statecrawl.calibration.labels import Labels
from statecrawl.core.snapshot import Snapshot
from statecrawl.errors import InputError


@dataclass(frozen=True)
class LabelledSet:
    """The pages of an application in the order in which they were found, and their labels."""

    name: str
    pages: Mapping[str, Snapshot]
    labels: Labels

    def checked(self) -> "LabelledSet":
        """Return the set if there is anything to learn from it, without pages nobody labelled."""
        labelled = {state for pair in self.labels.told for state in pair}
        pages = {state: page for state, page in self.pages.items() if state in labelled}
        missing = sorted(labelled - set(pages))
        if missing:
            raise InputError(
                f"{self.name} has labels of {missing[0][:80]!r}, but no such page: "
                "take them out, or add the page"
            )
        if not pages:
            raise InputError(f"{self.name} has no labels: statecrawl label makes them")
        return LabelledSet(self.name, self.pages if self.labels.rest else pages, self.labels)


class Gallery(Protocol):
    """Pages that can be looked at: what the annotation page needs of a folder."""

    @property
    def pages(self) -> Mapping[str, Snapshot]:
        """Every page, in the order in which they were found."""
        ...

    def picture(self, state: str) -> bytes | None:
        """Return the picture of a page."""
        ...
