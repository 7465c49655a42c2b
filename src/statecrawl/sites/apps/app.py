"""What a served application is made of, apart from the files in its folder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.routing import BaseRoute
from starlette.types import ASGIApp

Query = Mapping[str, str]
"""What stands behind the question mark of a URL."""

Answer = Callable[[Query], object]
"""Returns what a request is answered with: a text is HTML, the rest becomes JSON.

A LookupError says that there is no such thing.
"""

Blanks = Callable[[Query], Mapping[str, str]]
"""Returns the HTML that fills each `{{blank}}` of the document, or raises a LookupError."""


def nothing(_: Query) -> dict[str, str]:
    """Return the blanks of a document that has none."""
    return {}


@dataclass(frozen=True)
class App:
    """The documents of an application, and the answers to its AJAX requests, by their paths.

    All documents are made of the same index.html. What is neither, such as a stream or a file
    to keep, has a route of its own. A guard stands in front of everything.
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    documents: Mapping[str, Blanks] = field(default_factory=lambda: {"/": nothing})
    redirects: Mapping[str, str] = field(default_factory=dict)
    routes: Sequence[BaseRoute] = ()
    guard: Callable[[ASGIApp], ASGIApp] | None = None
