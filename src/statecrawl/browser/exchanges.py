"""Records responses as pages see them, without what would let others in.

The browser holds each response until its body has been read. Those that may be streams, which may
never end, are let through: `streams` hears what pages get of them.
"""

from base64 import b64decode
from collections.abc import Callable, Iterable
from time import time
from typing import Any

from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Connection, Params
from statecrawl.core.exchange import Asked, Exchange, Headers, of_the_body
from statecrawl.errors import BrowserError

EVENT_STREAM = "text/event-stream"
STREAMS = (EVENT_STREAM, "multipart/x-mixed-replace")
STREAMED = ("Fetch", "XHR")
"""What is asked for by scripts may be read bit by bit, unless its length is known."""
MAX_BYTES = 50_000_000
MAX_LET_THROUGH = 1_000
NOT_RECORDED = "not_recorded"
SOCKET_NOT_RECORDED = "socket_not_recorded"
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
        self._longest: dict[Asked, int] = {}
        self.let_through: dict[str, Params] = {}
        """Answers whose pages are told bit by bit, by the number of the request."""

    async def take(self, connection: Connection, params: Params, *, is_private: bool) -> None:
        """Record a response that the browser holds, and let it go on."""
        number = params["requestId"]
        if "responseStatusCode" in params and not is_private:
            told = [(each["name"], each["value"]) for each in params.get("responseHeaders", [])]
            if _may_be_stream(params["resourceType"], told):
                self._let_through(params)
            else:
                await self._record(connection, params)
        connection.post("Fetch.continueResponse", {"requestId": number})

    def _let_through(self, params: Params) -> None:
        """Let a page hear a stream; of one that a worker hears, nobody tells us."""
        if "networkId" not in params:
            self._meter.failures[NOT_RECORDED] += 1
            return
        self.let_through[params["networkId"]] = params
        if len(self.let_through) > MAX_LET_THROUGH:
            del self.let_through[next(iter(self.let_through))]  # its page is gone
            self._meter.failures[NOT_RECORDED] += 1

    async def _record(self, connection: Connection, params: Params) -> None:
        body = b""
        if not 300 <= params["responseStatusCode"] < 400:  # the browser has no bodies of redirects
            try:
                body = await _body(connection, params["requestId"])
            except (BrowserError, TimeoutError):
                self._meter.failures[NOT_RECORDED] += 1
                return
        self.add(params, body)

    def add(self, params: Params, body: bytes, *, is_cut: bool = False) -> None:
        """Keep a response; of one that was cut off only if more of it came than ever before."""
        request = params["request"]
        sent = self._text(sent_with(request))
        asked = Asked(request["method"], self._redact(request["url"]), sent)
        if len(body) > MAX_BYTES:
            self._meter.failures[NOT_RECORDED] += 1
            return
        if is_cut and len(body) <= self._longest.get(asked, -1):
            return
        if is_cut:
            self._longest[asked] = len(body)
        told = {name.lower(): value for name, value in request["headers"].items()}
        headers = [(each["name"], each["value"]) for each in params.get("responseHeaders", [])]
        self._keep(
            Exchange(
                asked,
                tuple((n, self._redact(v)) for n, v in told.items() if n in TOLD_HEADERS),
                params["responseStatusCode"],
                params.get("responseStatusText", ""),
                self._told(of_the_body(headers)),
                self._text(body),
                time(),
                is_cut,
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


def _may_be_stream(resource: str, headers: list[tuple[str, str]]) -> bool:
    names = {name.lower() for name, _ in headers}
    return kind_of(headers) in STREAMS or (resource in STREAMED and "content-length" not in names)


def kind_of(headers: Iterable[tuple[str, str]]) -> str:
    """Return the media type of a response."""
    told = next((value for name, value in headers if name.lower() == "content-type"), "")
    return told.partition(";")[0].strip().lower()
