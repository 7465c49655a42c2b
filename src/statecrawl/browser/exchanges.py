"""Records responses as pages see them, without what would let others in.

The browser holds each response until its body has been read. Event streams, which may never end,
are let through as they are, and are not recorded. Other streams can't be told from slow answers:
their pages get them when they end.
"""

from base64 import b64decode
from collections.abc import Callable
from time import time
from typing import Any

from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Connection, Params
from statecrawl.core.exchange import Asked, Exchange, Headers, of_the_body
from statecrawl.errors import BrowserError

STREAMS = ("text/event-stream", "multipart/x-mixed-replace")
MAX_BYTES = 50_000_000
TOLD_HEADERS = frozenset(
    "accept accept-language content-type origin referer user-agent x-requested-with".split()
)
"""The headers of requests that are recorded: no other may hold a secret."""


class ExchangeRecorder:
    """Takes in the responses of one crawl."""

    def __init__(
        self,
        keep: Callable[[Exchange], None],
        redact: Callable[[Any], Any],
        meter: Meter,
        *,
        is_signed_in: bool,
    ) -> None:
        self._keep = keep
        self._redact = redact
        self._meter = meter
        self._is_signed_in = is_signed_in

    async def take(self, connection: Connection, params: Params, *, is_private: bool) -> None:
        """Record a response that the browser holds, and let it go on."""
        number = params["requestId"]
        if "responseStatusCode" in params and not is_private:
            told = [(each["name"], each["value"]) for each in params.get("responseHeaders", [])]
            headers = of_the_body(told)
            if _is_stream(headers):
                self._meter.failures["not_recorded"] += 1
            else:
                await self._record(connection, params, headers)
        connection.post("Fetch.continueResponse", {"requestId": number})

    async def _record(self, connection: Connection, params: Params, headers: Headers) -> None:
        request, status = params["request"], params["responseStatusCode"]
        body = b""
        if not 300 <= status < 400:  # the browser has no bodies of redirects
            try:
                body = await _body(connection, params["requestId"])
            except (BrowserError, TimeoutError):
                self._meter.failures["not_recorded"] += 1
                return
        if len(body) > MAX_BYTES:
            self._meter.failures["not_recorded"] += 1
            return
        sent = self._text(sent_with(request))
        asked = Asked(request["method"], self._redact(request["url"]), sent)
        told = {name.lower(): value for name, value in request["headers"].items()}
        self._keep(
            Exchange(
                asked,
                tuple((n, self._redact(v)) for n, v in told.items() if n in TOLD_HEADERS),
                status,
                params.get("responseStatusText", ""),
                self._told(headers),
                self._text(body),
                time(),
            )
        )

    def _told(self, headers: Headers) -> Headers:
        """Return the headers of a response; what is set for who is signed in is a secret."""
        hidden = ("set-cookie",) if self._is_signed_in else ()
        return tuple((name, self._redact(value)) for name, value in headers if name not in hidden)

    def _text(self, body: bytes) -> bytes:
        """Return a body without secrets; bytes that are no text are as they were."""
        text = body.decode("utf-8", "surrogateescape")
        redacted = self._redact(text)
        return body if redacted == text else str(redacted).encode("utf-8", "surrogateescape")


async def _body(connection: Connection, number: str) -> bytes:
    got = await connection.send("Fetch.getResponseBody", {"requestId": number})
    return b64decode(got["body"]) if got["base64Encoded"] else got["body"].encode()


def sent_with(request: Params) -> bytes:
    """Return the body of a request."""
    entries = request.get("postDataEntries")
    if entries:
        return b"".join(b64decode(entry.get("bytes", "")) for entry in entries)
    return str(request.get("postData", "")).encode("utf-8", "surrogatepass")


def _is_stream(headers: Headers) -> bool:
    kind = next((value for name, value in headers if name == "content-type"), "")
    return kind.partition(";")[0].strip().lower() in STREAMS
