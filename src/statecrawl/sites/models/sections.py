"""A start page with a long list of links that lead to pages alike, and a few other sections."""

from collections.abc import Iterator
from typing import Annotated

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost

SECTIONS = (
    "about", "prices", "questions", "glossary", "map", "contact", "recipe", "timetable", "quotes",
    "changes",
)  # fmt: skip


def sections(
    *,
    links: Annotated[int, Range(1, 10_000)] = 500,
    sections: Annotated[int, Range(0, len(SECTIONS))] = 10,
    reset_cost: ResetCost = 2,
) -> Application:
    """A long list of links to pages that look alike, and a few sections that look different."""
    return explore(_Sections(links, sections), reset_cost)


class _Sections:
    """A page is the name of what it shows; everything leads back to the start."""

    start = "start"

    def __init__(self, links: int, sections: int) -> None:
        self._links = links
        self._sections = SECTIONS[:sections]

    def name(self, page: str) -> str:
        return page

    def regions(self, page: str) -> dict[str, str]:
        return {"shown": page}

    def controls(self, page: str) -> Iterator[Control[str]]:
        if page != self.start:
            yield Control("back", "back", self.start)
            return
        for number in range(1, self._links + 1):
            yield Control("link", f"link:{number}", f"item {number}")
        for section in self._sections:
            yield Control("section", f"section:{section}", section)
