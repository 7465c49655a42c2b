"""One page: loads documents, and talks with the agent in them."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

import orjson

from statecrawl.browser.agent import AGENT, AgentSettings
from statecrawl.browser.answers import Answers
from statecrawl.browser.auto_inputs import TRIAL_SECONDS, AutoInputs, Proposal, Way
from statecrawl.browser.context import Context
from statecrawl.browser.dialogs import Dialogs
from statecrawl.browser.exchanges import ExchangeRecorder
from statecrawl.browser.gate import Gate
from statecrawl.browser.keepsake import Keepsake
from statecrawl.browser.launch import Launched
from statecrawl.browser.losses import OutOfBoundsError, PageLostError, plain_error
from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import COMMAND_SECONDS, Params, parsed
from statecrawl.browser.streams import Streams
from statecrawl.errors import ApplicationError, BrowserError

GRACE_SECONDS = 5.0
"""How much longer than the agent's own bounds we wait for it."""

PING_SECONDS = 2.0
HANG_SECONDS = 8.0
"""A page that nobody hears of is asked for a sign of life; it hangs when there is none."""

HUNG_BEFORE_SECONDS = 1.0

MAX_DOCUMENTS = 15
"""So many documents may replace each other while one is loaded."""

ERROR_PAGE = "chrome-error:"

_PROGRESS = ("Page.frameNavigated", "Page.domContentEventFired", "Page.frameStoppedLoading")

Message = dict[str, Any]
Thing = TypeVar("Thing")


class Loaded(NamedTuple):
    """What the agent tells of a document that has settled."""

    page: str
    url: str
    status: int
    content_type: str
    facts: list[Any]
    is_unsettled: bool


@dataclass
class Shared:
    """What all pages of a crawl share; `forget` tells them that the application wrote."""

    meter: Meter
    answers: Answers
    auto_inputs: AutoInputs
    forget: Callable[[], None]
    user_agent: str = ""
    watches_documents: bool = False
    recorder: ExchangeRecorder | None = None
    lost_sockets: str = ""
    """What it is called when a page opens a WebSocket, where nobody can record or play it."""
    hung: set[str] = field(default_factory=set)
    """Events that pages hung after when they were fired for the first time somewhere."""


class Page:
    """A page and its agent. Everything that waits here has a bound."""

    def __init__(
        self,
        browser: Launched,
        gate: Gate,
        shared: Shared,
    ) -> None:
        self.browser = browser
        self.response: Params | None = None
        """How the document was served, if that is watched."""
        self._gate = gate
        self._shared = shared
        self._meter = shared.meter
        self._answers = shared.answers
        self.loads = 0
        self.writes_at_load = shared.answers.writes
        self.kept: Keepsake | None = None
        """The session that the page was loaded with, if it was one kept from before."""
        self.is_signing_in = False
        """What is asked and told meanwhile is not what the crawl would be told."""
        self._context = Context(browser, shared.user_agent)
        self._entry = ""
        self._fired: list[str] = []
        self._under_way: list[str] = []
        self._explored = ""
        """The event that is fired in its state for the first time, while it is the latest."""
        self._choosing: set[asyncio.Task[None]] = set()
        self._doing = 0
        self._is_leaving = False
        self._has_committed = False
        self._has_content = False
        self._documents = 0
        self._turned_away = ""
        self._dialogs = Dialogs()
        self._opened: dict[str, None] = {}
        self._origin = ""
        self._needs_frames = False
        self._last_id = 0
        self._loaded: asyncio.Future[Loaded | None] = asyncio.get_running_loop().create_future()
        self._replies: dict[int, asyncio.Future[Message]] = {}
        self._last_words: Message = {}
        self._streams: Streams | None = None
        self._is_lost = False
        self._is_handed_over = False

    @property
    def is_busy(self) -> bool:
        """Tell whether somebody is doing something on the page: it may lead elsewhere."""
        return self._doing > 0 or self._is_leaving or self._is_handed_over

    @property
    def frame(self) -> str:
        """The main frame, which is also the name of the page."""
        return self._context.frame

    @property
    def _settings(self) -> AgentSettings:
        return self._context.settings

    def attached(self, target: str, session: str) -> None:
        """Hear that the page is there."""
        self._context.attached(target, session)

    def detached(self) -> None:
        """Hear that the page is gone."""
        self._lose()
        self._fail("the page is gone", "browser" if self.browser.connection.is_lost else "crash")

    def turned_away(self, reason: str) -> None:
        """Hear that a document was not let through: the one that is there goes on."""
        self._turned_away = reason
        if self._is_leaving and self._has_committed:
            self._post("Runtime.evaluate", {"expression": f"{AGENT}.remain()"})

    def opened(self, url: str) -> None:
        """Hear which document a window shows that the page opened."""
        self._opened[url] = None

    def take_opened(self) -> list[str]:
        """Return the URLs of windows that the page opened since this was last asked."""
        opened, self._opened = list(self._opened), {}
        return opened

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        self._doing += 1
        self._dialogs.begin()
        try:
            yield
        finally:
            self._doing -= 1

    @property
    def is_alive(self) -> bool:
        """Tell whether the page can still be used."""
        return not self._is_lost and not self.browser.connection.is_lost

    async def load(self, url: str, settings: AgentSettings, kept: Keepsake | None = None) -> Loaded:
        """Load a document as if nobody had been here before, but for a session that was kept.

        Cleaning the context and loading again takes a fifth of the time of a new context.
        """
        if self._context.is_open:
            await self._clean(url, settings)
        else:
            await self._open(settings)
        self.kept = kept
        if kept is not None:
            await self._context.put_back(kept)
        self.loads += 1
        self._entry, self._fired, self._under_way = url, [], []
        self._explored = ""
        self.writes_at_load = self._answers.writes
        loaded = await self.visit(url)
        self._context.loaded()
        return loaded

    async def visit(self, url: str) -> Loaded:
        """Load a document in the page as it is."""
        with self._busy():
            return await self._navigate(url)

    async def keep(self) -> Keepsake:
        """Return what makes this page signed in."""
        return Keepsake(await self._context.cookies(), await self.call("stored()"))

    async def _navigate(self, url: str) -> Loaded:
        """Ask for a document and wait for it to settle."""
        self._begin_leaving()
        self._turned_away = ""
        try:
            navigated = await self._send("Page.navigate", {"url": url})
        except TimeoutError:
            raise ApplicationError(
                f"{url} does not answer within {COMMAND_SECONDS:.0f} s"
            ) from None
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        if self._turned_away:
            kind = self._turned_away
            raise OutOfBoundsError(f"{url} leads to where the crawl may not go: {kind}", kind)
        if error := navigated.get("errorText"):
            raise ApplicationError(f"{url} can't be loaded: {plain_error(error)}")
        loaded = await self.arrival()
        if loaded is None:
            raise ApplicationError(f"{url} can't be loaded: there is no document")
        return loaded

    def _begin_leaving(self) -> None:
        self._loaded = asyncio.get_running_loop().create_future()
        self._is_leaving, self._has_committed = True, False
        self._documents = 0

    async def _open(self, settings: AgentSettings) -> None:
        """Make a context with a blank page in it, and put the agent there."""
        self._gate.admit(await self._context.make(), self)
        await self._context.open(settings, self._on_event)
        if self._shared.recorder is not None:
            self._streams = Streams(self._shared.recorder, self._post)
        if self._shared.watches_documents or self._streams or self._shared.lost_sockets:
            await self._send("Network.enable")

    async def _clean(self, url: str, settings: AgentSettings) -> None:
        """Remove every trace of the visit before; its document may not leave any more."""
        self._post("Runtime.evaluate", {"expression": f"{AGENT}.silence()"})
        self._opened = {}
        if "#" in url:  # or it may be taken for a place in the document that is there
            with self._busy():
                await self._send("Page.navigate", {"url": "about:blank"})
        await self._context.clean(self._origin, settings)

    async def arrival(self) -> Loaded | None:
        """Wait for the document under way to settle; None: the page stays where it is."""
        seconds = (self._settings.settle_ms + self._settings.load_ms) / 1000 + self._grace
        try:
            loaded = await self._patiently(self._loaded, seconds)
        except TimeoutError:
            if self._has_committed:
                self._lose()
                raise PageLostError("the document does not settle", "endless_load") from None
            self._meter.failures["endless_load"] += 1
            await self._send("Page.stopLoading")
            loaded = None
        finally:
            self._is_leaving = False
        if loaded is not None and loaded.url.startswith(ERROR_PAGE) and not loaded.status:
            raise PageLostError("the document can't be loaded", "network")
        return loaded

    async def run(self, steps: list[tuple[str, list[str] | None]]) -> Message:
        """Have the agent execute steps, and return what it saw."""
        seconds = len(steps) * self._settings.settle_ms / 1000 + self._grace
        self._under_way = [event for event, _ in steps]
        event, expected = steps[-1]
        self._explored = event if expected is None else ""
        message = await self._ask("run", orjson.dumps(steps).decode(), seconds)
        done = len(message["seen"]) + ("leaving" in message)
        if done < len(steps):
            self._explored = ""
        self._fired += self._under_way[:done]
        self._under_way = []
        return message

    async def pass_door(self, name: str, value: str | None) -> Message:
        """Have the agent fill a field, or click a control, of the login form."""
        arguments = orjson.dumps([name, value]).decode()[1:-1]
        return await self._ask("pass", arguments, self._settings.settle_ms / 1000 + GRACE_SECONDS)

    async def stay(self) -> Message:
        """Have the agent go on in a document that was not left after all."""
        return await self._ask("stay", None, self._settings.settle_ms / 1000 + self._grace)

    async def click_trusted(self, event: str) -> Message | None:
        """Click an event's element with trusted input; None when it can't be aimed at."""
        aimed = await self.call(f"aim({orjson.dumps(event).decode()})")
        if aimed is None:
            return None
        x, y = aimed
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        with self._busy():
            self._post("Input.dispatchMouseEvent", {**at, "type": "mouseMoved", "button": "none"})
            self._post("Input.dispatchMouseEvent", {**at, "type": "mousePressed", "buttons": 1})
            released = self._post("Input.dispatchMouseEvent", {**at, "type": "mouseReleased"})
            # Nobody waits for this one: moves are told with the next frame, if there is one.
            away = {"type": "mouseMoved", "x": 0, "y": 0}
            self._post("Input.dispatchMouseEvent", away)
            with contextlib.suppress(BrowserError, TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    await released
            self._fired.append(event)
            seconds = self._settings.settle_ms / 1000 + self._grace
            return await self._ask("finish", None, seconds)

    @property
    def _grace(self) -> float:
        """How much longer than the agent's own bounds we wait for it; values may be tried out."""
        return GRACE_SECONDS + (TRIAL_SECONDS if self._settings.auto else 0)

    async def call(self, expression: str) -> Any:
        """Return the value of one call of the agent that does not wait."""
        params = {"expression": f"{AGENT}.{expression}", "returnByValue": True}
        try:
            result = await self._send("Runtime.evaluate", params)
        except BrowserError as error:
            self._lose()
            raise PageLostError(str(error)) from None
        if "exceptionDetails" in result:
            raise PageLostError(_exception(result))
        return result["result"].get("value")

    async def configure(self, settings: AgentSettings) -> str:
        """Give the agent other masks, here and in documents to come; return the page's name."""
        await self._context.install(settings)
        masks = orjson.dumps({"masks": settings.masks or None}).decode()
        return str(await self.call(f"configure({masks})"))

    async def screenshot(self) -> bytes:
        """Return a picture of the page."""
        is_hidden = self.browser.hides_windows and not self._needs_frames
        if is_hidden:
            self._context.show()
        try:
            return await self._context.picture()
        finally:
            if is_hidden:
                self._context.show("minimized")

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command of the protocol to this page; BrowserError when the page is gone."""
        if not self.is_alive:
            raise BrowserError("the page is gone")
        try:
            return await self._send(method, params)
        except TimeoutError:
            raise BrowserError("the page does not answer") from None

    async def hand_over(self) -> None:
        """Leave the page to a person: it is shown, lives in real time, and may be left."""
        self._is_handed_over = True
        self._needs_frames = True
        if self.browser.hides_windows:
            self._context.show()
        await self.call("handOver()")

    def forget_answers(self) -> None:
        """Tell the agent that kept answers are out of date."""
        self._post("Runtime.evaluate", {"expression": f"{AGENT}.forget()"})

    async def close(self) -> None:
        """Throw the page away, with its cookies and everything."""
        self._lose()
        if self._streams is not None:
            self._streams.leave()
        for task in self._choosing:
            task.cancel()
        self._gate.dismiss(self._context.name)
        self._context.close()

    async def _ask(self, what: str, argument: str | None, seconds: float) -> Message:
        self._last_id += 1
        number = self._last_id
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._replies[number] = reply
        arguments = f"{number}" if argument is None else f"{number},{argument}"
        sent = self._post(
            "Runtime.evaluate",
            {"expression": f"void {AGENT}.{what}({arguments})", "userGesture": True},
        )
        sent.add_done_callback(self._check)
        try:
            with self._busy():
                return await self._patiently(reply, seconds)
        except TimeoutError:
            self._lose()
            raise PageLostError("the page does not settle", "endless") from None
        finally:
            self._replies.pop(number, None)

    async def _patiently(self, awaited: asyncio.Future[Thing], seconds: float) -> Thing:
        """Wait for something of the page, as long as the page shows that it lives."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while (left := deadline - loop.time()) > 0:
            done, _ = await asyncio.wait({awaited}, timeout=min(PING_SECONDS, left))
            if done:
                return awaited.result()
            await self._expect_sign_of_life()
        raise TimeoutError

    async def _expect_sign_of_life(self) -> None:
        dialogs = self._dialogs.total
        try:
            async with asyncio.timeout(self._hang_seconds):
                await self._post("Runtime.evaluate", {"expression": "0"})
        except TimeoutError:
            # While the next document is asked for the browser tells the page nothing.
            is_between = self._is_leaving and not self._has_committed
            if is_between or self._dialogs.total > dialogs:
                return
            if self._explored:
                self._shared.hung.add(self._explored)
            self._lose()
            raise PageLostError("the page hangs", "hang") from None
        except BrowserError:
            pass  # between two documents, or gone: then somebody else tells

    @property
    def _hang_seconds(self) -> float:
        """How long there may be no sign of life; what hung before is not waited for as long."""
        return HUNG_BEFORE_SECONDS if self._explored in self._shared.hung else HANG_SECONDS

    def _check(self, sent: asyncio.Future[Params]) -> None:
        """Fail whoever waits for a reply when there is no agent to give one."""
        if (
            not sent.cancelled()
            and sent.exception() is None
            and "exceptionDetails" not in sent.result()
        ):
            return
        self._fail("there is no agent in the page")

    def _post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        return self._context.post(method, params)

    async def _send(self, method: str, params: Params | None = None) -> Params:
        return await self._context.send(method, params)

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Runtime.bindingCalled":
            self._on_message(parsed(params["payload"].encode("utf-8", "replace")))
        elif method in _PROGRESS:
            self._on_progress(method, params)
        elif method == "Page.javascriptDialogOpening":
            self._on_dialog(params)
        elif method == "Page.fileChooserOpened":
            self._meter.failures["file_chooser"] += 1
        elif method in ("Inspector.targetCrashed", "Inspector.detached"):
            self.detached()
        elif method.startswith("Network."):
            self._on_network(method, params)

    def _on_progress(self, method: str, params: Params) -> None:
        """Follow how a document of the main frame is loaded."""
        if method == "Page.domContentEventFired":
            self._has_content = True
        elif method == "Page.frameStoppedLoading":
            if params["frameId"] == self.frame:
                self._on_stopped()
        elif "parentId" not in params["frame"]:
            self._on_committed()

    def _on_committed(self) -> None:
        if self._streams is not None:
            self._streams.leave()
        self._has_committed, self._has_content = True, False
        self._documents += 1
        if self._documents > MAX_DOCUMENTS and self._is_leaving:
            self._lose()
            self._fail("one document leads to the next without end", "endless_load")

    def _on_stopped(self) -> None:
        """Hear that the browser stopped loading, perhaps before the document was all there."""
        if not self._has_committed:
            self._on_stayed()
        elif not self._has_content:
            self._meter.failures["cut_off"] += 1
            self._post("Runtime.evaluate", {"expression": f"{AGENT}.stopped()"})

    def _on_dialog(self, params: Params) -> None:
        self._meter.failures["dialog"] += 1
        answer = self._dialogs.answer(params)
        if answer is not None:
            self._post("Page.handleJavaScriptDialog", answer)
        else:
            self._lose()
            self._fail("the page never stops asking", "endless_dialogs")

    def _on_network(self, method: str, params: Params) -> None:
        if method == "Network.responseReceived":
            if params["type"] == "Document" and params.get("frameId") == self.frame:
                self.response = params
        elif method == "Network.webSocketCreated" and self._shared.lost_sockets:
            self._meter.failures[self._shared.lost_sockets] += 1
        if self._streams is not None:
            self._streams.on_event(method, params)

    def _on_message(self, message: Message) -> None:
        if not isinstance(message, dict) or "sabotaged" in message:
            self._lose()
            self._fail("the page replaced functions that it is looked at with", "sabotage")
        elif "mayLeave" in message:
            self._last_words = message
        elif "id" in message:
            if "leaving" in message:
                self._begin_leaving()
            reply = self._replies.get(message["id"])
            if reply is not None and not reply.done():
                reply.set_result(message)
        elif "loaded" in message:
            self._on_loaded(message)
        elif "frames" in message:
            if self.browser.hides_windows and not self._needs_frames:
                self._needs_frames = True
                self._context.show()
        elif "stayed" in message:
            self._on_stayed()
        else:
            self._on_remark(message)

    def _on_stayed(self) -> None:
        """Hear that the document is not replaced after all."""
        if self._is_leaving and not self._loaded.done():
            self._loaded.set_result(None)

    def _on_loaded(self, message: Message) -> None:
        if message["url"] == "about:blank":
            return  # only on the way to a document
        if self._is_handed_over:
            self._post("Runtime.evaluate", {"expression": f"{AGENT}.handOver()"})
        if self._loaded.done():
            self._loaded = asyncio.get_running_loop().create_future()
        self._end_replies()
        self._loaded.set_result(
            Loaded(
                message["loaded"],
                message["url"],
                message["status"],
                message["type"],
                message["facts"],
                message["unsettled"],
            )
        )

    def _end_replies(self) -> None:
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

    def _on_remark(self, message: Message) -> None:
        """Note what the page does beside its steps, and answer what its agent asks."""
        if "opened" in message:
            self.opened(message["opened"])
        elif "did" in message:
            self._meter.failures[message["did"]] += 1
        elif "question" in message:
            key = message["key"]
            answer = None if self.is_signing_in else self._answers.get(key)
            arguments = orjson.dumps([message["question"], key, answer])
            call = f"{AGENT}.receiveAnswer(...{arguments.decode()})"
            self._post("Runtime.evaluate", {"expression": call})
        elif self.is_signing_in:
            pass
        elif "kept" in message:
            self._answers.keep(message["kept"], message["answer"], self.frame)
        elif "wrote" in message:
            self._answers.writes += 1
            if self._settings.cache != "all":
                self._answers.forget()
                self._shared.forget()
        elif "fields" in message:
            task = asyncio.create_task(self._choose_values(message["fields"], message["done"]))
            self._choosing.add(task)
            task.add_done_callback(self._choosing.discard)

    async def _choose_values(self, fields: list[list[Any]], done: int) -> None:
        """Give the agent the values of fields that it has not seen before."""
        way = Way(self._entry, (*self._fired, *self._under_way[:done]))
        chosen = await self._shared.auto_inputs.choose(way, [Proposal(*each) for each in fields])
        values = orjson.dumps(chosen).decode()
        self._post("Runtime.evaluate", {"expression": f"{AGENT}.receiveValues({values})"})

    def _lose(self) -> None:
        self._is_lost = True

    def _fail(self, reason: str, kind: str = "page_lost") -> None:
        for reply in self._replies.values():
            if not reply.done():
                reply.set_exception(PageLostError(reason, kind))
                reply.exception()  # perhaps nobody waits for it
        if not self._loaded.done():
            self._loaded.set_exception(PageLostError(reason, kind))
            self._loaded.exception()  # likewise


def _exception(result: Params) -> str:
    details = result["exceptionDetails"]
    return str(details.get("exception", {}).get("description", details.get("text", "")))
