"""A shop of today: many documents, some with routes, and content that comes in every way."""

from functools import partial

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.modern.pages import PAGES
from statecrawl.sites.apps.modern.streams import STREAMS
from statecrawl.sites.apps.prose import sentence
from statecrawl.sites.models.modern import PRODUCTS

_PER_BATCH = 10
_FIELDS = (
    "name", "email", "age", "day", "password", "town", "colour", "size", "agreed", "note", "story",
)  # fmt: skip


def modern(*, batches: int) -> App:
    """Return a shop whose feed has that many batches."""
    return App(
        answers={
            "/api/product": _product,
            "/api/batch": partial(_batch, batches),
            "/api/text": lambda query: {"text": sentence(query["of"])},
            "/api/contact": lambda query: {"missing": [f for f in _FIELDS if f not in query]},
        },
        documents={
            **{f"/{name}": partial(_document, name) for name in PAGES},
            **{f"/catalogue/{name}": partial(_document, "catalogue") for name in PRODUCTS},
            "/": partial(_document, "home"),
            "/ordered": _ordered,
        },
        redirects={"/moved": "/catalogue"},
        routes=STREAMS,
    )


def _product(query: Query) -> object:
    if query["name"] not in PRODUCTS:
        raise LookupError
    return {"text": sentence(f"product {query['name']}")}


def _batch(batches: int, query: Query) -> object:
    if query["number"] not in map(str, range(1, batches + 1)):
        raise LookupError
    number = int(query["number"])
    first = (number - 1) * _PER_BATCH
    entries = [sentence(f"feed {i}") for i in range(first, first + _PER_BATCH)]
    return {"entries": entries, "isLast": number == batches}


def _document(name: str, _: Query) -> dict[str, str]:
    return {"name": name, "page": PAGES[name]}


def _ordered(query: Query) -> dict[str, str]:
    """Return the document behind the order form; there is none for an order without sense."""
    if not (query["article"] and query["wrapping"] and query["count"].isdecimal()):
        raise LookupError
    return {"name": "ordered", "page": "<h1>Ordered</h1><p>It is on its way.</p>"}
