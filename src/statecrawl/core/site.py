"""A site as links show it: its pages, the links between them, and their PageRanks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from statecrawl.core.ranks import page_ranks
from statecrawl.errors import InputError


@dataclass(frozen=True)
class Site:
    """The pages that links lead to from a start, in the order of finding, with their links."""

    url: str
    links: Mapping[str, Sequence[str]]

    @cached_property
    def ranks(self) -> dict[str, float]:
        """The PageRank of each page, in shares of the average one."""
        return page_ranks(self.links)

    def part(self, number: int, of: int) -> list[str]:
        """Return one of so many parts of the pages, counted from 1; together they are all."""
        return list(self.links)[number - 1 :: of]

    def to_json(self) -> dict[str, Any]:
        """Return the same as others read it."""
        numbers = {page: number for number, page in enumerate(self.links)}
        pages = [
            {
                "url": page,
                "rank": round(self.ranks[page], 4),
                "links": [numbers[other] for other in links if other in numbers],
            }
            for page, links in self.links.items()
        ]
        return {"url": self.url, "pages": pages}


def parse_site(text: str) -> Site:
    """Return the site that `to_json` told."""
    try:
        told = json.loads(text)
        urls = [str(page["url"]) for page in told["pages"]]
        links = {
            str(page["url"]): [urls[number] for number in page["links"]] for page in told["pages"]
        }
        site = Site(str(told["url"]), links)
    except (ValueError, LookupError, TypeError, RecursionError):
        raise InputError(
            "the list of pages can't be read: give a file that `statecrawl precrawl` wrote"
        ) from None
    if not site.links:
        raise InputError("the list of pages is empty: give another file")
    return site


def parse_part(text: str) -> tuple[int, int]:
    """Return which part of how many is meant by K/N."""
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise InputError(f"--part {text[:40]!r}: give which part of how many, such as 2/4")
