"""The responses that a crawl recorded as a web archive (WARC 1.1, a gzip member each record)."""

import re
from datetime import UTC, datetime
from io import BytesIO
from typing import BinaryIO
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from statecrawl.core.crawled import Crawled
from statecrawl.core.exchange import Exchange, Headers
from statecrawl.errors import InputError

_CUT = {"WARC-Truncated": "disconnect"}
_UNSEEN = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def export_warc(crawled: Crawled, stream: BinaryIO) -> None:
    """Write every distinct response with its request, and where the crawl started."""
    exchanges = iter(crawled.contents.exchanges())
    first = next(exchanges, None)
    if first is None:
        raise InputError("this crawl has recorded no responses: crawl again with --record")
    writer = WARCWriter(stream, gzip=True, warc_version="1.1")
    about = {
        "software": "statecrawl",
        "format": "WARC File Format 1.1",
        "statecrawl-url": _line(str(crawled.about.get("url", ""))),
        "statecrawl-clock": str(crawled.about.get("clock", "")),
    }
    writer.write_record(writer.create_warcinfo_record("statecrawl.warc.gz", about))
    for exchange in (first, *exchanges):
        _write(writer, exchange)


def _write(writer: WARCWriter, exchange: Exchange) -> None:
    method, address, sent = exchange.asked
    url, parts = _line(address), urlsplit(_line(address))
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    asked_with = (("host", parts.netloc), *exchange.request_headers)
    at = datetime.fromtimestamp(exchange.at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    response = writer.create_warc_record(
        url,
        "response",
        BytesIO(exchange.body),
        length=len(exchange.body),
        http_headers=_http(
            f"{exchange.status} {_line(exchange.reason, ' ')}", exchange.headers, exchange.body
        ),
        warc_headers_dict={"WARC-Date": at} | (_CUT if exchange.is_cut else {}),
    )
    request = writer.create_warc_record(
        url,
        "request",
        BytesIO(sent),
        length=len(sent),
        http_headers=_http(f"{_line(method)} {target} HTTP/1.1", asked_with, sent, is_request=True),
        warc_headers_dict={"WARC-Date": at},
    )
    writer.write_request_response_pair(request, response)


def _http(
    line: str, headers: Headers, body: bytes, *, is_request: bool = False
) -> StatusAndHeaders:
    """Return the head of a message; the body is as it is written here, not as it was sent."""
    told = [(_line(name), _line(value, " ")) for name, value in headers]
    if body or not is_request:
        told.append(("content-length", str(len(body))))
    return StatusAndHeaders(line, told, protocol="HTTP/1.1", is_http_request=is_request)


def _line(text: str, blank: str = "%20") -> str:
    """Return a text that can't end the line it stands in."""
    return _UNSEEN.sub(blank, text)
