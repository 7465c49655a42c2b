"""Bebop: a bibliography to browse by author, year, type and topic."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth, uneven

_SURNAMES = (
    "Knuth Hopper Turing Lovelace Dijkstra Liskov Hoare Lamport Perlman Wirth Allen Floyd "
    "Goldwasser Karp Rivest Milner Backus Naur Iverson Codd Gray Stonebraker Thompson Ritchie Kay "
    "Engelbart Sutherland Minsky McCarthy Newell Simon Feigenbaum Reddy Valiant Micali Blum Cook "
    "Hartmanis Stearns Tarjan Hopcroft Rabin Scott Wilkes Hamming Wilkinson Bachman"
).split()
_TYPES = ("article", "conference", "report", "thesis", "book", "talk")
_TOPICS = (
    "crawling search testing security models languages networks databases graphics proofs "
    "compilers ethics learning storage"
).split()
_ADJECTIVES = (
    "Optimal Greedy Distributed Incremental Adaptive Robust Scalable Efficient Practical Formal "
    "Lazy Parallel Faithful Minimal Verified"
).split()
_NOUNS = (
    "crawling indexing ranking replay caching scheduling snapshots inference coverage oracles "
    "sampling hashing clustering partitioning recovery exploration paths menus forms sessions"
).split()


def bibliography(
    *,
    publications: Annotated[int, Range(1, 1_000)] = 143,
    authors: Annotated[int, Range(1, 200)] = 38,
    years: Annotated[int, Range(1, 50)] = 20,
    topics: Annotated[int, Range(1, 50)] = 12,
    per_page: Annotated[int, Range(5, 100)] = 20,
    reset_cost: ResetCost = 2,
) -> Application:
    """Facets filter a list of publications, shown in pages; one opens as abstract or BibTeX."""
    found = lists(publications, authors, years, topics)
    return explore(_Bibliography(found, per_page), reset_cost)


def lists(publications: int, authors: int, years: int, topics: int) -> dict[str, list[str]]:
    """Return the titles behind "all" and behind each value of each facet, facet by facet."""
    facets: tuple[dict[str, list[str]], ...] = ({}, {}, {}, {}, {})
    for i in range(publications):
        noun, adjective = divmod(i, len(_ADJECTIVES))
        title = f"{_ADJECTIVES[adjective]} {nth(_NOUNS, noun)}"
        writers = {uneven(3 * i + k, authors) for k in range(1 + i % 3)}
        choices = (
            ["all"],
            [f"year:{2014 - uneven(5 * i, years)}"],
            [f"type:{_TYPES[uneven(7 * i, len(_TYPES))]}"],
            [f"author:{nth(_SURNAMES, writer)}" for writer in sorted(writers)],
            [f"topic:{nth(_TOPICS, uneven(11 * i, topics))}"],
        )
        for facet, values in zip(facets, choices, strict=True):
            for value in values:
                facet.setdefault(value, []).append(title)
    return {value: titles for facet in facets for value, titles in facet.items()}


class _Page(NamedTuple):
    """What is chosen, and a place in its list: a page's first publication, or the open one.

    Nothing is chosen when the page was just loaded; without a tab no publication is open.
    """

    chosen: str = ""
    place: int = 0
    tab: str = ""


class _Bibliography:
    """The facets stand beside everything; an open publication takes the place of the list."""

    start = _Page()

    def __init__(self, lists: dict[str, list[str]], per_page: int) -> None:
        self._lists = lists
        self._per_page = per_page

    def name(self, page: _Page) -> str:
        return ", ".join(filter(None, self.regions(page).values())) or "start"

    def regions(self, page: _Page) -> dict[str, str]:
        is_open, is_list = bool(page.tab), bool(page.chosen) and not page.tab
        return {
            "facets": page.chosen,
            "list": f"page {page.place // self._per_page + 1}" if is_list else "",
            "detail": self._lists[page.chosen][page.place] if is_open else "",
            "tab": page.tab,
        }

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        for value in self._lists:
            facet = value.partition(":")[0]
            # What is chosen is no link; authors and topics show up with the first list.
            if value != page.chosen and (page.chosen or facet in ("all", "year", "type")):
                yield Control(f"{facet} facet", value, _Page(value))
        if page.tab:
            yield from self._detail(page)
        elif page.chosen:
            yield from self._list(page.chosen, page.place)

    def _list(self, chosen: str, first: int) -> Iterator[Control[_Page]]:
        titles, last = self._lists[chosen], first + self._per_page
        if first > 0:
            yield Control("pager", "list:previous", _Page(chosen, first - self._per_page))
        if last < len(titles):
            yield Control("pager", "list:next", _Page(chosen, last))
        for place, title in enumerate(titles[first:last], first):
            yield Control("publication", f"publication:{title}", _Page(chosen, place, "abstract"))

    def _detail(self, page: _Page) -> Iterator[Control[_Page]]:
        chosen, place, _ = page
        yield Control("detail", "detail:close", _Page(chosen, place - place % self._per_page))
        if place > 0:
            yield Control("detail", "detail:previous", _Page(chosen, place - 1, "abstract"))
        if place + 1 < len(self._lists[chosen]):
            yield Control("detail", "detail:next", _Page(chosen, place + 1, "abstract"))
        for tab in ("abstract", "bibtex"):
            yield Control("tab", f"tab:{tab}", _Page(chosen, place, tab))
