"""The gate: every document that a page, a frame or a popup of ours asks for passes here.

It is attached to the browser, not to pages: what a page-level attachment sees too late (popups,
windows without an opener, prefetching, redirects) is stopped here before anything is sent.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from statecrawl.browser.archive import Archive
from statecrawl.browser.exchanges import ExchangeRecorder
from statecrawl.browser.launch import Launched
from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Params
from statecrawl.core.exchange import Exchange

_INTERCEPTED = ("Document", "Fetch", "XHR", "Other")
_SAY_NOTHING = {"response": "CancelAuth"}
MAX_TOLD = 1_000
_OF_FRAME = "_frame"
_HARMLESS = ("about:", "data:", "blob:", "javascript:")


async def _anything(url: str, is_page: bool) -> str:
    del url, is_page
    return ""


@dataclass
class Policy:
    """What may be asked for, how fast, and as whom.

    `refusal` says in one word why a URL may not be opened, "" if it may; it is told whether
    the URL is to be a page of its own, not part of one. `rate` is in requests a second. `basic`
    is what a server is told that asks who we are. `record` is given every response, if that is
    wanted; `archive` answers every request, and nothing is asked of the network.
    """

    refusal: Callable[[str, bool], Awaitable[str]] = _anything
    rate: float | None = None
    user_agent: str = ""
    basic: tuple[str, str] | None = None
    record: Callable[[Exchange], None] | None = None
    archive: Archive | None = None


class Guest(Protocol):
    """A page, as far as the gate needs to know it."""

    @property
    def is_busy(self) -> bool:
        """Tell whether somebody is doing something on the page."""
        ...

    @property
    def is_signing_in(self) -> bool:
        """Tell whether what is asked and told is nobody else's business."""
        ...

    def attached(self, target: str, session: str) -> None:
        """Hear that the page is there."""
        ...

    def detached(self) -> None:
        """Hear that the page is gone: it was closed, by itself or by a person."""
        ...

    def turned_away(self, reason: str) -> None:
        """Hear that a document was not let through."""
        ...

    def opened(self, url: str) -> None:
        """Hear which document a window shows that the page opened."""
        ...


class Gate:
    """Decides about the requests of one browser."""

    def __init__(
        self,
        launched: Launched,
        policy: Policy,
        meter: Meter,
        recorder: ExchangeRecorder | None = None,
    ) -> None:
        self._recorder = recorder
        self._connection = launched.connection
        self._is_ours = launched.pid is not None
        self._policy = policy
        self._meter = meter
        self._guests: dict[str, Guest] = {}  # by browser context
        self._frames: dict[str, Guest] = {}  # by main frame
        self._popups: dict[str, Guest] = {}  # whose they are, by main frame
        self._deciding: set[asyncio.Task[None]] = set()
        self._next_at = 0.0
        self._told: deque[str] = deque(maxlen=MAX_TOLD)  # requests that carry credentials

    async def open(self) -> None:
        """Begin to look at everything."""
        self._connection.subscribe("", self._on_event)
        await self._connection.send(
            "Target.setAutoAttach",
            {
                "autoAttach": True,
                "waitForDebuggerOnStart": True,
                "flatten": True,
                "filter": [{"type": "page"}],
            },
        )
        patterns = [{"resourceType": kind} for kind in _INTERCEPTED]
        if self._policy.archive is not None:
            patterns = [{"urlPattern": "*"}]
        if self._recorder is not None:
            patterns.append({"requestStage": "Response"})
        await self._connection.send(
            "Fetch.enable", {"patterns": patterns, "handleAuthRequests": True}
        )

    def admit(self, context: str, guest: Guest) -> None:
        """Let a page in, which is about to be made in a context of its own."""
        self._guests[context] = guest

    def dismiss(self, context: str) -> None:
        """Forget a page."""
        guest = self._guests.pop(context, None)
        for known in (self._frames, self._popups):
            for frame in [frame for frame, whose in known.items() if whose is guest]:
                del known[frame]

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Fetch.requestPaused":
            is_answered = "responseStatusCode" in params or "responseErrorReason" in params
            self._begin(self._record(params) if is_answered else self._decide(params))
        elif method == "Fetch.authRequired":
            self._begin(self._introduce(params))
        elif method == "Target.attachedToTarget":
            self._on_attached(params)
        elif method == "Target.detachedFromTarget":
            if guest := self._frames.get(params.get("targetId", "")):
                guest.detached()
        elif method == "Browser.downloadWillBegin":
            self._meter.failures["download"] += 1

    def _on_attached(self, params: Params) -> None:
        session, info = params["sessionId"], params["targetInfo"]
        target = info["targetId"]
        guest = self._guests.get(info.get("browserContextId", ""))
        if guest is not None and guest not in self._frames.values():
            self._frames[target] = guest
            guest.attached(target, session)
            return
        if guest is None:
            self._connection.post("Runtime.runIfWaitingForDebugger", session=session)
            self._connection.post("Target.detachFromTarget", {"sessionId": session})
            return
        self._popups[target] = guest
        self._meter.failures["popup"] += 1
        # It may share its thread with the page: while it waits, so does the page.
        self._connection.post("Runtime.runIfWaitingForDebugger", session=session)
        self._connection.post("Target.closeTarget", {"targetId": target})

    def _begin(self, deciding: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(deciding)
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)

    async def _introduce(self, params: Params) -> None:
        """Tell a server in scope who we are, once for each request; nobody else."""
        number, url, basic = params["requestId"], params["request"]["url"], self._policy.basic
        is_server = params["authChallenge"].get("source") != "Proxy"
        answer = _SAY_NOTHING
        may_tell = is_server and number not in self._told
        if basic is not None and may_tell and not await self._policy.refusal(url, False):
            self._told.append(number)
            user, password = basic
            answer = {"response": "ProvideCredentials", "username": user, "password": password}
        if answer is _SAY_NOTHING:
            self._meter.failures["basic_auth"] += 1
        self._connection.post(
            "Fetch.continueWithAuth", {"requestId": number, "authChallengeResponse": answer}
        )

    async def _decide(self, params: Params) -> None:
        """Let a request through or not."""
        number, frame = params["requestId"], params.get("frameId", "")
        reason = await self._refusal(params, frame)
        if not reason:
            await self._take_turn()
            if self._policy.archive is not None:
                answer = self._policy.archive.answer(params["request"], self._meter)
                self._connection.post("Fetch.fulfillRequest", {"requestId": number, **answer})
                return
            self._connection.post("Fetch.continueRequest", {"requestId": number})
            return
        # "Aborted" leaves the page where it is; a frame gets a page that says so, and is done.
        how = "BlockedByClient" if reason.endswith(_OF_FRAME) else "Aborted"
        self._connection.post("Fetch.failRequest", {"requestId": number, "errorReason": how})
        if reason != "popup":
            self._meter.failures[reason] += 1

    async def _record(self, params: Params) -> None:
        """Have a response recorded, unless somebody may be signing in with it."""
        assert self._recorder is not None  # noqa: S101 - else nobody asked for responses
        guest = self._frames.get(params.get("frameId", ""))
        whose = self._frames.values() if guest is None else (guest,)
        is_private = any(each.is_signing_in for each in whose)
        await self._recorder.take(self._connection, params, is_private=is_private)

    async def _refusal(self, params: Params, frame: str) -> str:
        """Say why a request is not let through, "" if it is."""
        request = params["request"]
        url = request["url"] + request.get("urlFragment", "")
        if params["resourceType"] != "Document":
            return await self._refusal_of_other(request, url)
        if frame in self._popups:
            if not await self._policy.refusal(url, False):
                self._popups[frame].opened(url)
            return "popup"
        guest = self._frames.get(frame)
        if guest is None:
            if not self._is_ours or url.startswith(_HARMLESS):
                return ""
            reason = await self._policy.refusal(url, False)
            return f"{reason}{_OF_FRAME}" if reason else ""
        reason = await self._policy.refusal(url, True) if guest.is_busy else "unasked_navigation"
        if reason:
            guest.turned_away(reason)
        return reason

    async def _refusal_of_other(self, request: Params, url: str) -> str:
        """Stop what is asked for only in case that somebody goes there."""
        headers = {name.lower(): value for name, value in request["headers"].items()}
        purpose = f"{headers.get('sec-purpose', '')}{headers.get('purpose', '')}"
        if "prefetch" not in purpose and "prerender" not in purpose:
            return ""
        return "prefetch" if await self._policy.refusal(url, False) else ""

    async def _take_turn(self) -> None:
        """Wait until the next request may be sent."""
        if self._policy.rate is None:
            return
        now = asyncio.get_running_loop().time()
        self._next_at = max(now, self._next_at + 1 / self._policy.rate)
        await asyncio.sleep(self._next_at - now)
