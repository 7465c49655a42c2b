"""A labelled set: pages of one application, and what people said about pairs of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from statecrawl.calibration.labels import Labels
from statecrawl.core.resemblance import Page
from statecrawl.errors import InputError


@dataclass(frozen=True)
class LabelledSet:
    """The pages of an application in the order in which they were found, and their labels."""

    name: str
    pages: Mapping[str, Page]
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
