"""How documents come into one page: asked for, committed, all there, or cut off."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from statecrawl.browser.agent import AGENT
from statecrawl.browser.context import Context
from statecrawl.browser.losses import PageLostError
from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Params

MAX_DOCUMENTS = 15
"""So many documents may replace each other while one is loaded."""

DOCUMENT_SECONDS = 20.0
"""How long a document may take until its first byte, and from there until it is all there."""

NEVER_ENDED_SECONDS = 5.0
"""How long one is waited for that did not come to its end before."""

EMPTY_PAGE = "about:blank"

PROGRESS = (
    *("Page.frameStartedLoading", "Page.frameNavigated", "Page.domContentEventFired"),
    "Page.frameStoppedLoading",
)
"""What the browser tells of it."""


def is_commit(method: str, params: Params) -> bool:
    """Tell whether an event says that a document takes the place of the one that is there."""
    return method == "Page.frameNavigated" and "parentId" not in params["frame"]


class Loaded(NamedTuple):
    """What the agent tells of a document that has settled."""

    page: str
    url: str
    status: int
    content_type: str
    facts: list[Any]
    is_unsettled: bool


@dataclass
class Patience:
    """How long pages wait for documents: not as long again for one that never ended."""

    _never_ended: set[str] = field(default_factory=set)

    def seconds(self, url: str) -> float:
        """Return how long a document may take from its first byte until it is all there."""
        is_hopeless = url.partition("?")[0] in self._never_ended
        return NEVER_ENDED_SECONDS if is_hopeless else DOCUMENT_SECONDS

    def lose(self, url: str) -> None:
        """Note that a document did not come to its end."""
        self._never_ended.add(url.partition("?")[0])


class Loading:
    """Follows the documents of one page's main frame; whoever waits for one waits for `loaded`."""

    def __init__(self, context: Context, meter: Meter, patience: Patience) -> None:
        self.loaded: asyncio.Future[Loaded | None] = asyncio.get_running_loop().create_future()
        """The document that has settled; None: the page stays where it is."""
        self.is_under_way = False
        self.has_committed = False
        self.is_asked_for = True
        """We want another document: what comes is not the page's own doing."""
        self.turned_away = ""
        """Why a document was not let through, if one was not."""
        self._has_begun = self._has_stayed = self._is_told_late = False
        self._context = context
        self._meter = meter
        self._patience = patience
        self._url = ""
        self.never_came = False
        """The document did not even begin to arrive in time."""
        self._has_content = False
        self._documents = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_between(self) -> bool:
        """Tell whether the next document is asked for and not there yet."""
        return self.is_under_way and not self.has_committed

    def expect(self, *, is_told_late: bool = False) -> None:
        """Hear that somebody begins to do something: what is asked for from now on comes of it."""
        self.turned_away, self._is_told_late = "", is_told_late
        self._has_begun = self._has_stayed = False

    def begin(self, *, is_asked_for: bool = False) -> None:
        """Hear that the document is about to be replaced: by itself, or by one asked for.

        The page tells that late after a click of the browser's own: it may be over by then.
        """
        has_stayed, self._has_stayed = self._has_stayed and not is_asked_for, False
        self.is_asked_for = is_asked_for
        self.loaded = asyncio.get_running_loop().create_future()
        self.is_under_way, self.has_committed = True, False
        self.never_came = False
        self._documents = 0
        self._wait_until(DOCUMENT_SECONDS)
        if has_stayed:
            self.stayed()

    def end(self) -> None:
        """Hear that nobody waits for a document any more."""
        self.is_under_way = self.is_asked_for = False
        self._wait_until(None)

    def on_event(self, method: str, params: Params) -> None:
        """Follow what the browser tells."""
        if method == "Page.domContentEventFired":
            self._has_content = True
        elif method == "Page.frameStartedLoading":
            self._has_begun = params["frameId"] == self._context.frame or self._has_begun
        elif method == "Page.frameStoppedLoading":
            if params["frameId"] == self._context.frame:
                self._on_stopped()
        elif is_commit(method, params):
            self._on_committed(params["frame"]["url"])

    def stayed(self) -> None:
        """Hear that the document is not replaced after all; what the page tells next is new."""
        self._has_stayed = False
        if self.is_under_way and not self.loaded.done():
            self.loaded.set_result(None)

    def arrived(self, loaded: Loaded) -> None:
        """Hear that a document has settled."""
        if self.loaded.done():
            self.loaded = asyncio.get_running_loop().create_future()
        self.loaded.set_result(loaded)
        self._wait_until(None)

    def turn_away(self, reason: str) -> None:
        """Hear that a document was not let through: the one that is there goes on."""
        self.turned_away = reason
        if self.is_under_way and self.has_committed:
            self._tell("remain()")

    def fail(self, reason: str, kind: str) -> None:
        """Fail whoever waits."""
        self._wait_until(None)
        if not self.loaded.done():
            self.loaded.set_exception(PageLostError(reason, kind))
            self.loaded.exception()  # perhaps nobody waits for it

    def _on_committed(self, url: str) -> None:
        self.has_committed, self._has_content = True, False
        self._has_begun = False
        self._url = url
        self._documents += 1
        if self._documents > MAX_DOCUMENTS and self.is_under_way:
            self.fail("one document leads to the next without end", "endless_load")
        elif self.is_under_way:
            self._wait_until(self._patience.seconds(url))

    def _on_stopped(self) -> None:
        """Hear that the browser stopped loading, perhaps before the document was all there."""
        has_begun, self._has_begun = self._has_begun, False
        self._has_stayed = has_begun and self._is_told_late and not self.is_under_way
        if not self.has_committed:
            self.stayed()
            return
        is_cut_off = not self._has_content
        if is_cut_off:
            self._tell("stopped()")
        if has_begun and self.is_under_way:  # it led to where there is no document
            self._tell("remain()")
        elif is_cut_off:
            self._meter.failures["cut_off"] += 1

    def _wait_until(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(seconds, self._lose_patience)

    def _lose_patience(self) -> None:
        """Go on without a document that does not come, or with what is there of one."""
        if self.loaded.done():
            return
        if not self.has_committed:
            self.never_came = True
            self._meter.failures["endless_load"] += 1
            self._context.post("Page.stopLoading")
            self.stayed()
            return
        self._patience.lose(self._url)
        if self._has_content:
            self._tell("stopped()")
        else:
            self._context.post("Page.stopLoading")

    def _tell(self, what: str) -> None:
        self._context.post("Runtime.evaluate", {"expression": f"{AGENT}.{what}"})
