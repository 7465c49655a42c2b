"""Looking into a page of Chromium while nobody acts on it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from statecrawl.browser.losses import PageLostError
from statecrawl.browser.page import Page
from statecrawl.browser.protocol import Params
from statecrawl.core.sight import Cookie, Document, ScriptError
from statecrawl.core.snapshot import Snapshot
from statecrawl.errors import BrowserError

SCRIPT_SECONDS = 10.0
_WORLD = "statecrawl"
_TERMINATED = ("Execution was terminated", "Internal error")
"""What the browser says of a script that it ended because its time was over."""


class PageSight:
    """A page as it is now."""

    def __init__(self, page: Page, snapshot: Callable[[], Awaitable[Snapshot]]) -> None:
        self._page = page
        self._snapshot = snapshot

    async def snapshot(self) -> Snapshot:
        """Return the page with its content."""
        try:
            return await self._snapshot()
        except (PageLostError, TimeoutError) as error:
            raise BrowserError(str(error)) from None

    async def document(self) -> Document | None:
        """Return the document as it was served; only pages that watch documents know."""
        response = self._page.response
        if response is None:
            return None
        try:
            asked = await self._page.send(
                "Network.getResponseBody", {"requestId": response["requestId"]}
            )
        except BrowserError:  # it may be too large to be kept
            asked = {}
        body = "" if asked.get("base64Encoded") else asked.get("body", "")
        answer = response["response"]
        headers = {name.lower(): value for name, value in answer["headers"].items()}
        return Document(answer["url"], headers, body)

    async def cookies(self) -> Sequence[Cookie]:
        """Return the cookies of the page, also those that scripts can't see."""
        found = await self._page.send("Network.getCookies")
        return [
            Cookie(each["name"], each["httpOnly"], each["secure"], "sameSite" in each)
            for each in found["cookies"]
        ]

    async def evaluate(self, expression: str) -> Any:
        """Return what an expression gives among the scripts of the page."""
        return await _evaluate(self._page, expression, {})

    async def evaluate_apart(self, expression: str) -> Any:
        """The same in a world of our own: the same DOM, but nothing that the page made."""
        return await evaluate_apart(self._page, expression)


async def evaluate_apart(page: Page, expression: str) -> Any:
    """Return what an expression gives in a page, in a world apart from the page's scripts."""
    world = await page.send(
        "Page.createIsolatedWorld", {"frameId": page.frame, "worldName": _WORLD}
    )
    return await _evaluate(page, expression, {"contextId": world["executionContextId"]})


async def _evaluate(page: Page, expression: str, where: Params) -> Any:
    params = {
        "expression": expression,
        "awaitPromise": True,
        "returnByValue": True,
        "timeout": SCRIPT_SECONDS * 1000,
        **where,
    }
    too_long = ScriptError(f"does not end within {SCRIPT_SECONDS:.0f} s")
    try:
        async with asyncio.timeout(SCRIPT_SECONDS * 1.5):
            result = await page.send("Runtime.evaluate", params)
    except TimeoutError:
        raise too_long from None
    except BrowserError as error:
        if any(words in str(error) for words in _TERMINATED):
            raise too_long from None
        raise
    if "exceptionDetails" in result:
        details = result["exceptionDetails"]
        thrown = details.get("exception", {})
        words = thrown.get("description") or thrown.get("value") or details["text"]
        raise ScriptError(str(words).partition("\n")[0])
    return result["result"].get("value")
