"""What a page hears of answers that come bit by bit, and of sockets, which nobody can record.

The browser lets streams through and tells us what the page gets. A stream that has not ended when
the page leaves it is cut off there: that is what the page saw.
"""

import asyncio
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field

from statecrawl.browser.exchanges import ExchangeRecorder
from statecrawl.browser.protocol import Params

MAX_BYTES = 1_000_000
"""So much of a stream is recorded; the rest is cut off."""

Post = Callable[[str, Params], "asyncio.Future[Params]"]


@dataclass
class _Stream:
    answer: Params
    first: bytes | None = None
    parts: list[bytes] = field(default_factory=list)
    has_ended: bool = False

    @property
    def body(self) -> bytes:
        return b"".join([self.first or b"", *self.parts])


class Streams:
    """The streams that one page has open."""

    def __init__(self, recorder: ExchangeRecorder, post: Post) -> None:
        self._recorder = recorder
        self._post = post
        self._open: dict[str, _Stream] = {}

    def on_event(self, method: str, params: Params) -> None:
        """Hear what the browser tells of the page's requests."""
        number = params.get("requestId", "")
        stream = self._open.get(number)
        if method == "Network.responseReceived":
            if answer := self._recorder.let_through.pop(number, None):
                self._begin(number, _Stream(answer))
        elif stream is None:
            pass
        elif method == "Network.dataReceived":
            stream.parts.append(b64decode(params.get("data", "")))
            if sum(map(len, stream.parts)) > MAX_BYTES:
                self._end(number, is_cut=True)
        elif method == "Network.loadingFinished":
            stream.has_ended = True
            if stream.first is not None:
                self._end(number)
        elif method == "Network.loadingFailed":
            self._end(number, is_cut=True)

    def leave(self) -> None:
        """Keep what has come of all that is still open: the page goes away."""
        for number in list(self._open):
            self._end(number, is_cut=True)

    def _begin(self, number: str, stream: _Stream) -> None:
        self._open[number] = stream
        asked = self._post("Network.streamResourceContent", {"requestId": number})
        asked.add_done_callback(lambda told: self._on_first(number, told))

    def _on_first(self, number: str, told: "asyncio.Future[Params]") -> None:
        """Hear what came before we listened; a short answer has ended by then."""
        stream = self._open.get(number)
        failed = told.cancelled() or told.exception() is not None
        if stream is None:
            return
        if failed:
            asked = self._post("Network.getResponseBody", {"requestId": number})
            asked.add_done_callback(lambda told: self._on_whole(number, told))
            return
        stream.first = b64decode(told.result()["bufferedData"])
        if stream.has_ended:
            self._end(number)

    def _on_whole(self, number: str, told: "asyncio.Future[Params]") -> None:
        stream = self._open.get(number)
        failed = told.cancelled() or told.exception() is not None
        if stream is None:
            return
        if not failed:
            got = told.result()
            encoded = got["base64Encoded"]
            stream.first = b64decode(got["body"]) if encoded else got["body"].encode()
            stream.parts.clear()
        self._end(number, is_cut=failed)

    def _end(self, number: str, *, is_cut: bool = False) -> None:
        stream = self._open.pop(number)
        self._recorder.add(stream.answer, stream.body[:MAX_BYTES], is_cut=is_cut)
