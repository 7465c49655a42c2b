"""Bebop, written with one listener on the document, drawing whole parts anew."""

from itertools import groupby

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentences
from statecrawl.sites.models.bibliography import lists


def bibliography(*, publications: int, authors: int, years: int, topics: int, per_page: int) -> App:
    """Return a bibliography that asks for a list when a facet is chosen, then for details."""
    titles = lists(publications, authors, years, topics)
    facets = [
        {"name": name, "values": list(values)}
        for name, values in groupby(titles, key=lambda value: value.partition(":")[0])
    ]
    found: dict[str, dict[str, list[str]]] = {}
    for chosen, listed in titles.items():
        facet, _, value = chosen.partition(":")
        for title in listed:
            found.setdefault(title, {}).setdefault(facet, []).append(value)

    def publication(query: Query) -> object:
        title = query["title"]
        marks = found[title]
        return {
            "title": title,
            "authors": marks["author"],
            "about": f"{marks['type'][0]}, {marks['year'][0]}, on {marks['topic'][0]}",
            "abstract": sentences(title, 4),
            "bibtex": _bibtex(title, marks),
        }

    filled = {"per_page": str(per_page)}
    return App(
        {
            "/facets": lambda _: facets,
            "/list": lambda query: titles[query["of"]],
            "/publication": publication,
        },
        {"/": lambda _: filled},
    )


def _bibtex(title: str, marks: dict[str, list[str]]) -> str:
    authors = " and ".join(marks["author"])
    return (
        f"@{marks['type'][0]}{{{title.replace(' ', '-').lower()},\n"
        f"  title = {{{title}}},\n  author = {{{authors}}},\n  year = {marks['year'][0]}\n}}"
    )
