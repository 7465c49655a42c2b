"""Reads web archives (WARC), ours and those of others, to crawl what they hold."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from statecrawl.core.exchange import Asked, Exchange, Headers, of_the_body
from statecrawl.errors import InputError

MAX_BYTES = 2_000_000_000
"""So much is held in memory at most."""

START, CLOCK = "statecrawl-url", "statecrawl-clock"
"""Where the recorded crawl started, and at which time by the clock of its pages."""

_PAGES = ("text/html", "application/xhtml+xml")


class Recorded(NamedTuple):
    """What an archive holds; the clock is in milliseconds since 1970."""

    exchanges: tuple[Exchange, ...]
    start: str
    clock: int


class _Response(NamedTuple):
    url: str
    status: int
    reason: str
    headers: Headers
    body: bytes
    at: float
    is_cut: bool


def read_warc(path: Path) -> Recorded:
    """Return what is in an archive; bad ones are told in one line."""
    responses: dict[str, _Response] = {}
    requests: dict[str, tuple[str, bytes]] = {}  # by the id of the response, or their own
    partners: dict[str, str] = {}
    bodies: dict[str, bytes] = {}
    about: dict[str, str] = {}
    size = 0
    with _blaming(path), path.open("rb") as stream:
        for record in ArchiveIterator(stream):
            told = record.rec_headers.get_header
            name, url = told("WARC-Record-ID") or "", told("WARC-Target-URI") or ""
            other = told("WARC-Concurrent-To") or ""
            if record.rec_type == "warcinfo":
                about.update(_fields(record.content_stream().read(MAX_BYTES)))
            elif record.http_headers is None or not url.startswith(("http://", "https://")):
                continue
            elif record.rec_type == "request":
                asked = (record.http_headers.protocol, record.content_stream().read(MAX_BYTES))
                requests[name] = requests[other] = asked
            elif record.rec_type in ("response", "revisit"):
                digest = told("WARC-Payload-Digest") or ""
                body = record.content_stream().read(MAX_BYTES) or bodies.get(digest, b"")
                size += len(body)
                if size > MAX_BYTES:
                    raise InputError(f"{path.name!r} holds more than {MAX_BYTES:,} bytes")
                bodies.setdefault(digest, body)
                partners[name] = other
                responses[name] = _response(record, url, body)
    exchanges = tuple(
        _exchange(each, requests.get(name) or requests.get(partners[name]) or ("GET", b""))
        for name, each in responses.items()
    )
    if not exchanges:
        raise InputError(f"there are no responses in {str(path)[:200]!r}: give a web archive")
    return Recorded(
        exchanges, about.get(START, "") or _first_page(exchanges), _clock(about, exchanges)
    )


def _response(record: Any, url: str, body: bytes) -> _Response:
    status = record.http_headers.get_statuscode()
    reason = record.http_headers.statusline.partition(" ")[2]
    headers = of_the_body(record.http_headers.headers)
    at = datetime.fromisoformat(record.rec_headers.get_header("WARC-Date") or "").timestamp()
    is_cut = bool(record.rec_headers.get_header("WARC-Truncated"))
    return _Response(url, int(status), reason, headers, body, at, is_cut)


def _exchange(response: _Response, request: tuple[str, bytes]) -> Exchange:
    method, sent = request
    return Exchange(Asked(method, urldefrag(response.url).url, sent), (), *response[1:])


def _fields(payload: bytes) -> Iterator[tuple[str, str]]:
    for line in payload.decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        yield name.strip().lower(), value.strip()


def _first_page(exchanges: tuple[Exchange, ...]) -> str:
    for each in exchanges:
        kind = dict(each.headers).get("content-type", "").partition(";")[0].strip().lower()
        if each.asked.method == "GET" and each.status == 200 and kind in _PAGES:
            return each.asked.url
    raise InputError("there is no page in the archive: give one that has an HTML document")


def _clock(about: dict[str, str], exchanges: tuple[Exchange, ...]) -> int:
    told = about.get(CLOCK, "")
    return int(told) if told.isdigit() and len(told) < 16 else int(exchanges[0].at * 1000)


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"can't read {str(path)[:200]!r}: {error.strerror}") from None
    except (ArchiveLoadFailed, ValueError, EOFError, AttributeError, TypeError):
        raise InputError(f"{str(path)[:200]!r} is no web archive, or a damaged one") from None
