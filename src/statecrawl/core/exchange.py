"""A request and its response, as they went over the network."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, Protocol

from statecrawl.core.snapshot import Snapshot

Headers = tuple[tuple[str, str], ...]

_OF_THE_WAY = frozenset("connection content-encoding content-length transfer-encoding".split())


class Asked(NamedTuple):
    """What tells requests apart: the method, the URL without its fragment, and what was sent."""

    method: str
    url: str
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its response; the body is as the page got it, not compressed.

    `at` is when it was seen, in seconds since 1970. One that was cut off is a stream that had not
    ended when its page left it.
    """

    asked: Asked
    request_headers: Headers
    status: int
    reason: str
    headers: Headers
    body: bytes
    at: float
    is_cut: bool = False

    @property
    def digest(self) -> bytes:
        """The same for the same answer to the same request, whenever it was given."""
        status = f"{self.status}{' cut' if self.is_cut else ''}"
        parts = (self.asked.method, self.asked.url, status)
        found = blake2b(digest_size=16)
        for part in (*(each.encode("utf-8", "surrogatepass") for each in parts), self.asked.body):
            found.update(len(part).to_bytes(8, "big") + part)
        found.update(self.body)
        return found.digest()


def of_the_body(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return the headers of a response without those that speak of how its body was sent."""
    lower = ((name.lower(), value) for name, value in headers)
    return tuple((name, value) for name, value in lower if name not in _OF_THE_WAY)


class Contents(Protocol):
    """What pages show and servers said, read when somebody asks."""

    def snapshot(self, state: str) -> Snapshot | None:
        """Return the page of a state with its content; None when there is no such state."""
        ...

    def exchanges(self) -> Iterator[Exchange]:
        """Yield every distinct response that was recorded, in order."""
        ...


class NoContents:
    """Nothing: for crawls that are read without the content of their pages."""

    def snapshot(self, state: str) -> Snapshot | None:
        """Return nothing."""
        del state
        return None

    def exchanges(self) -> Iterator[Exchange]:
        """Yield nothing."""
        return iter(())
