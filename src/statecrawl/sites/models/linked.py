"""Sites that are written down as links: each page has its area's menu and links of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from statecrawl.sites.models.explore import Control

Links = Mapping[str, str]
"""Events, each with the page it leads to; an event is written "group:what"."""


@dataclass(frozen=True)
class Linked:
    """A page is a text "area/page/part"; pages of an area without a menu have none.

    A page without any links is a dead end: only a reset leads on.
    """

    start: str
    menus: Mapping[str, Links]
    links: Mapping[str, Links]

    def name(self, page: str) -> str:
        """Return the page itself."""
        return page

    def regions(self, page: str) -> dict[str, str]:
        """Return area, page and part."""
        area, _, rest = page.partition("/")
        shown, _, part = rest.partition("/")
        return {"area": area, "page": shown, "part": part}

    def controls(self, page: str) -> Iterator[Control[str]]:
        """Return the links of the area's menu and those of the page."""
        area = page.partition("/")[0]
        for links in (self.menus.get(area, {}), self.links.get(page, {})):
            for event, target in links.items():
                yield Control(event.partition(":")[0], event, target)
