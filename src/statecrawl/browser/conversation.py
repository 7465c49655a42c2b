"""Talking with the agent in a page: what it is asked, what it answers, and when nobody does."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from statecrawl.browser.agent import AGENT
from statecrawl.browser.context import Context
from statecrawl.browser.dialogs import Dialogs
from statecrawl.browser.losses import PageLostError
from statecrawl.browser.protocol import Params
from statecrawl.errors import BrowserError

PING_SECONDS = 2.0
HANG_SECONDS = 8.0
"""A page that nobody hears of is asked for a sign of life; it hangs when there is none."""

HUNG_BEFORE_SECONDS = 1.0

Message = dict[str, Any]
Thing = TypeVar("Thing")


class Conversation:
    """Questions to the agent of one page. Everything that waits here has a bound.

    `hung` are the events that pages hung after when they were fired for the first time
    somewhere; `is_between` tells whether the page is between two documents, and can't answer.
    """

    def __init__(self, context: Context, hung: set[str], is_between: Callable[[], bool]) -> None:
        self.is_over = False
        """The page crashed, hangs or is gone."""
        self.dialogs = Dialogs()
        self.explored = ""
        """The event that is fired in its state for the first time, while it is the latest."""
        self._context = context
        self._hung = hung
        self._is_between = is_between
        self._last_id = 0
        self._replies: dict[int, asyncio.Future[Message]] = {}
        self._last_words: Message = {}

    async def ask(self, what: str, argument: str | None, seconds: float) -> Message:
        """Have the agent do something that takes its time, and return what it tells of it."""
        self._last_id += 1
        number = self._last_id
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._replies[number] = reply
        arguments = f"{number}" if argument is None else f"{number},{argument}"
        sent = self._context.post(
            "Runtime.evaluate",
            {"expression": f"void {AGENT}.{what}({arguments})", "userGesture": True},
        )
        sent.add_done_callback(self._check)
        try:
            return await self.patiently(reply, seconds)
        except TimeoutError:
            self.is_over = True
            raise PageLostError("the page does not settle", "endless") from None
        finally:
            self._replies.pop(number, None)

    async def call(self, expression: str) -> Any:
        """Return the value of one call of the agent that does not wait."""
        params = {"expression": f"{AGENT}.{expression}", "returnByValue": True}
        try:
            result = await self._context.send("Runtime.evaluate", params)
        except BrowserError as error:
            self.is_over = True
            raise PageLostError(str(error)) from None
        if "exceptionDetails" in result:
            raise PageLostError(_exception(result))
        return result["result"].get("value")

    def tell(self, expression: str) -> None:
        """Have the agent do something that nobody waits for."""
        self._context.post("Runtime.evaluate", {"expression": f"{AGENT}.{expression}"})

    async def patiently(self, awaited: asyncio.Future[Thing], seconds: float) -> Thing:
        """Wait for something of the page, as long as the page shows that it lives."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while (left := deadline - loop.time()) > 0:
            done, _ = await asyncio.wait({awaited}, timeout=min(PING_SECONDS, left))
            if done:
                return awaited.result()
            await self._expect_sign_of_life()
        raise TimeoutError

    def hear(self, message: Message) -> None:
        """Hear an answer, or what the agent says in case that it does not come to answer."""
        if "mayLeave" in message:
            self._last_words = message
            return
        reply = self._replies.get(message["id"])
        if reply is not None and not reply.done():
            reply.set_result(message)

    def replaced(self) -> None:
        """Answer for a document that was replaced before it could tell.

        Its last message may get lost on the way; then it went as it said that it might.
        """
        for number, reply in self._replies.items():
            if reply.done():
                continue
            if self._last_words.get("id") == number:
                reply.set_result({**self._last_words, "leaving": [[], [], []]})
            else:
                reply.set_exception(PageLostError("the document was replaced"))

    def fail(self, reason: str, kind: str = "page_lost") -> None:
        """Fail whoever waits for an answer."""
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(PageLostError(reason, kind))
                reply.exception()  # perhaps nobody waits for it

    async def _expect_sign_of_life(self) -> None:
        dialogs = self.dialogs.total
        try:
            async with asyncio.timeout(self._hang_seconds):
                await self._context.post("Runtime.evaluate", {"expression": "0"})
        except TimeoutError:
            # While the next document is asked for the browser tells the page nothing.
            if self._is_between() or self.dialogs.total > dialogs:
                return
            if self.explored:
                self._hung.add(self.explored)
            self.is_over = True
            raise PageLostError("the page hangs", "hang") from None
        except BrowserError:
            pass  # between two documents, or gone: then somebody else tells

    @property
    def _hang_seconds(self) -> float:
        """How long there may be no sign of life; what hung before is not waited for as long."""
        return HUNG_BEFORE_SECONDS if self.explored in self._hung else HANG_SECONDS

    def _check(self, sent: asyncio.Future[Params]) -> None:
        """Fail whoever waits for a reply when there is no agent to give one."""
        if (
            not sent.cancelled()
            and sent.exception() is None
            and "exceptionDetails" not in sent.result()
        ):
            return
        self.fail("there is no agent in the page")


def _exception(result: Params) -> str:
    details = result["exceptionDetails"]
    return str(details.get("exception", {}).get("description", details.get("text", "")))
