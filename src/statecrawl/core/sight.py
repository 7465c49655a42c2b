"""Looking into a page while nobody acts on it: what checks of states are given."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from statecrawl.core.problems import Problem
from statecrawl.core.snapshot import Snapshot


class ScriptError(Exception):
    """An expression threw, or did not end in time; the page is still there."""


class Document(NamedTuple):
    """A document as the server gave it; the names of headers are in lower case."""

    url: str
    headers: Mapping[str, str]
    body: str


class Cookie(NamedTuple):
    """A cookie that the page has, without its value."""

    name: str
    http_only: bool
    secure: bool
    same_site: bool


class Sight(Protocol):
    """A page as it is now. A page that is gone is a `BrowserError`."""

    async def snapshot(self) -> Snapshot:
        """Return the page with its content."""
        ...

    async def document(self) -> Document | None:
        """Return the document as it was served, if that is known."""
        ...

    async def cookies(self) -> Sequence[Cookie]:
        """Return the cookies of the page, also those that scripts can't see."""
        ...

    async def evaluate(self, expression: str) -> Any:
        """Return what an expression gives among the scripts of the page; a promise is awaited."""
        ...

    async def evaluate_apart(self, expression: str) -> Any:
        """The same in a world of our own: the same DOM, but nothing that the page made."""
        ...


Check = Callable[[Sight], Awaitable[Iterable[Problem]]]
"""Says what is wrong with a state. A new one is made for each crawl: it may remember."""

Invariant = Callable[[Snapshot], bool | str]
"""What has to hold in every state: True, or else False or what is wrong."""
