"""How a page can be lost, and what network errors mean."""

from collections.abc import Iterator
from contextlib import contextmanager

from statecrawl.errors import ApplicationError

SABOTAGE = "sabotage"
SABOTAGED = "the page replaced functions that it is looked at with"


class PageLostError(Exception):
    """The page crashed, hangs or is gone: only a new one helps. `kind` says in a word why."""

    def __init__(self, message: str, kind: str = "page_lost") -> None:
        super().__init__(message)
        self.kind = kind


class OutOfBoundsError(ApplicationError):
    """The page leads to where the crawl may not go; `kind` says in a word why not."""

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class NoAnswerError(ApplicationError):
    """A document does not even begin to arrive."""

    kind = "endless_load"


@contextmanager
def as_the_agent_tells() -> Iterator[None]:
    """Give up a page whose agent tells what it never would: somebody replaced what it uses."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise PageLostError(SABOTAGED, SABOTAGE) from error


def text(told: object) -> str:
    """Return what has to be a text."""
    if not isinstance(told, str):
        raise TypeError(f"not a text: {told!r:.80}")
    return told


def plain_error(error: str) -> str:
    """Return what a network error of Chromium's means."""
    for name, meaning in _ERRORS.items():
        if name in error:
            return f"{meaning} ({error})"
    return error


_ERRORS = {
    "NAME_NOT_RESOLVED": "there is no such host",
    "CONNECTION_REFUSED": "nobody answers there",
    "EMPTY_RESPONSE": "the answer is empty",
    "HTTP_RESPONSE_CODE_FAILURE": "the answer is an error and no page",
    "ABORTED": "the answer is a download or no page at all",
    "UNSAFE_PORT": "browsers don't open this port",
    "TIMED_OUT": "it takes too long",
}
