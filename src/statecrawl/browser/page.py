"""One page: what can be done with it, and what it does beside that."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import orjson

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.answers import Answers
from statecrawl.browser.auto_inputs import TRIAL_SECONDS, AutoInputs, Proposal, Way
from statecrawl.browser.context import Context
from statecrawl.browser.conversation import Conversation, Message
from statecrawl.browser.exchanges import ExchangeRecorder
from statecrawl.browser.gate import Gate
from statecrawl.browser.keepsake import Keepsake
from statecrawl.browser.launch import Launched
from statecrawl.browser.loading import (
    DOCUMENT_SECONDS,
    EMPTY_PAGE,
    PROGRESS,
    Loaded,
    Loading,
    Patience,
    is_commit,
)
from statecrawl.browser.losses import (
    SABOTAGE,
    SABOTAGED,
    NoAnswerError,
    OutOfBoundsError,
    PageLostError,
    as_the_agent_tells,
    plain_error,
    text,
)
from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Params, parsed
from statecrawl.browser.streams import Streams
from statecrawl.core.plan import NOT_A_PAGE
from statecrawl.errors import ApplicationError, BrowserError

GRACE_SECONDS = 5.0
"""How much longer than the agent's own bounds we wait for it."""

ERROR_PAGE = "chrome-error:"
MAX_HELD, MAX_HELD_NAME = 100, 2_000
"""So much is remembered of what pages wait for, and so long its names may be."""


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
    patience: Patience = field(default_factory=Patience)
    hung: set[str] = field(default_factory=set)
    """Events that pages hung after when they were fired for the first time somewhere."""
    held: dict[str, int] = field(default_factory=dict)
    """What servers hold back, or pages ask for without end, and how many ms it is waited for."""
    _informed: tuple[AgentSettings, AgentSettings] | None = None

    def hold(self, name: str, wait_ms: int) -> None:
        """Note how long a page waits for something from now on."""
        is_full = len(self.held) >= MAX_HELD and name not in self.held
        if not is_full and len(name) < MAX_HELD_NAME:
            self.held[name] = wait_ms

    def informed(self, settings: AgentSettings) -> AgentSettings:
        """Return settings that say what is held; as long as nothing changes, the same ones."""
        if not self.held:
            return settings
        held, before = tuple(self.held.items()), self._informed
        if before is None or before[0] is not settings or before[1].held != held:
            before = self._informed = settings, replace(settings, held=held)
        return before[1]


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
        self.loss: PageLostError | None = None
        """How the page was lost, if that is known."""
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
        self._choosing: set[asyncio.Task[None]] = set()
        self._doing = 0
        self._loading = Loading(self._context, shared.meter, shared.patience)
        self._talk = Conversation(self._context, shared.hung, lambda: self._loading.is_between)
        self._opened: dict[str, None] = {}
        self._origin = ""
        self._needs_frames = False
        self._streams: Streams | None = None
        self._is_handed_over = False

    @property
    def is_busy(self) -> bool:
        """Tell whether somebody is doing something on the page: it may lead elsewhere."""
        return self._doing > 0 or self._loading.is_under_way or self._is_handed_over

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
        self._fail("the page is gone", "browser" if self.browser.connection.is_lost else "crash")

    def turned_away(self, reason: str) -> None:
        """Hear that a document was not let through: the one that is there goes on."""
        self._loading.turn_away(reason)

    def opened(self, url: str) -> None:
        """Hear which document a window shows that the page opened."""
        self._opened[url] = None

    def take_opened(self) -> list[str]:
        """Return the URLs of windows that the page opened since this was last asked."""
        opened, self._opened = list(self._opened), {}
        return opened

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._doing:
            self._loading.expect()
        self._doing += 1
        self._talk.dialogs.begin()
        try:
            yield
        finally:
            self._doing -= 1

    @property
    def is_alive(self) -> bool:
        """Tell whether the page can still be used."""
        return not self._talk.is_over and not self.browser.connection.is_lost

    async def load(self, url: str, settings: AgentSettings, kept: Keepsake | None = None) -> Loaded:
        """Load a document as if nobody had been here before, but for a session that was kept.

        Cleaning the context and loading again takes a fifth of the time of a new context.
        """
        settings = self._shared.informed(settings)
        if self._context.is_open:
            await self._clean(url, settings)
        else:
            await self._open(settings)
        self.kept = kept
        if kept is not None:
            await self._context.put_back(kept)
        self.loads += 1
        self._entry, self._fired, self._under_way = url, [], []
        self._talk.explored = ""
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
        self._loading.begin(is_asked_for=True)
        try:
            navigated = await self._send("Page.navigate", {"url": url})
        except TimeoutError:
            raise _no_answer(url) from None
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        if kind := self._loading.turned_away:
            raise OutOfBoundsError(f"{url} leads to where the crawl may not go: {kind}", kind)
        if error := navigated.get("errorText"):
            if self._loading.never_came:
                raise _no_answer(url)
            raise ApplicationError(f"{url} can't be loaded: {plain_error(error)}")
        loaded = await self.arrival()
        if loaded is None:
            raise ApplicationError(f"{url} can't be loaded: there is no document")
        return loaded

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
        self._talk.tell("silence()")
        self._opened = {}
        if "#" in url:  # or it may be taken for a place in the document that is there
            self._loading.begin(is_asked_for=True)
            with self._busy():
                await self._send("Page.navigate", {"url": EMPTY_PAGE})
        await self._context.clean(self._origin, settings)

    async def arrival(self) -> Loaded | None:
        """Wait for the document under way to settle; None: the page stays where it is."""
        seconds = 2 * DOCUMENT_SECONDS + self._settle_seconds
        try:
            loaded = await self._talk.patiently(self._loading.loaded, seconds)
        except TimeoutError:
            self._lose()
            raise PageLostError("the document does not settle", "endless_load") from None
        except PageLostError:
            self._lose()
            raise
        finally:
            self._loading.end()
        if loaded is not None and loaded.url.startswith(ERROR_PAGE) and not loaded.status:
            raise PageLostError("the document can't be loaded", "network")
        return loaded

    async def run(self, steps: list[tuple[str, list[str] | None]]) -> Message:
        """Have the agent execute steps, and return what it saw."""
        seconds = (len(steps) - 1) * self._settings.settle_ms / 1000 + self._settle_seconds
        self._under_way = [event for event, _ in steps]
        event, expected = steps[-1]
        self._talk.explored = event if expected is None else ""
        message = await self._ask("run", orjson.dumps(steps).decode(), seconds)
        with as_the_agent_tells():
            done = len(message["seen"]) + ("leaving" in message)
        if done < len(steps):
            self._talk.explored = ""
        self._fired += self._under_way[:done]
        self._under_way = []
        return message

    async def pass_door(self, name: str, value: str | None) -> Message:
        """Have the agent fill a field, or click a control, of the login form."""
        arguments = orjson.dumps([name, value]).decode()[1:-1]
        return await self._ask("pass", arguments, self._settle_seconds)

    async def stay(self) -> Message:
        """Have the agent go on in a document that was not left after all."""
        return await self._ask("stay", None, self._settle_seconds)

    async def come_to_rest(self, message: Message) -> None:
        """Wait for the document that a step led to, or go on in this one if it is not left."""
        if "leaving" in message and await self.arrival() is None:
            await self.stay()

    async def click_trusted(self, event: str) -> Message | None:
        """Click an event's element with trusted input; None when it can't be aimed at."""
        aimed = await self.call(f"aim({orjson.dumps(event).decode()})")
        if aimed is None:
            return None
        x, y = aimed
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        with self._busy():
            self._loading.expect(is_told_late=True)
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
            return await self._ask("finish", None, self._settle_seconds)

    @property
    def _settle_seconds(self) -> float:
        """How long the agent may take for one step; values may be tried out meanwhile."""
        grace = GRACE_SECONDS + (TRIAL_SECONDS if self._settings.auto else 0)
        return self._settings.settle_ms / 1000 + grace

    async def call(self, expression: str) -> Any:
        """Return the value of one call of the agent that does not wait."""
        return await self._talk.call(expression)

    async def configure(self, settings: AgentSettings) -> str:
        """Give the agent other masks, here and in documents to come; return the page's name."""
        await self._context.install(self._shared.informed(settings))
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
                await self._context.hide()

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
        self._talk.tell("forget()")

    async def close(self) -> None:
        """Throw the page away, with its cookies and everything."""
        self._lose()
        if self._streams is not None:
            self._streams.leave()
        self._loading.end()
        for task in self._choosing:
            task.cancel()
        self._gate.dismiss(self._context.name)
        self._context.close()

    async def _ask(self, what: str, argument: str | None, seconds: float) -> Message:
        with self._busy():
            return await self._talk.ask(what, argument, seconds)

    def _post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        return self._context.post(method, params)

    async def _send(self, method: str, params: Params | None = None) -> Params:
        return await self._context.send(method, params)

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Runtime.bindingCalled":
            try:
                with as_the_agent_tells():
                    self._on_message(parsed(params["payload"].encode("utf-8", "replace")))
            except PageLostError as error:
                self._fail(str(error), error.kind)
        elif method in PROGRESS:
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
        """Follow how documents come; one that is left for an empty page tells nothing any more."""
        has_come = is_commit(method, params)
        if has_come and self._streams is not None:
            self._streams.leave()
        if has_come and params["frame"]["url"] == EMPTY_PAGE and not self._loading.is_asked_for:
            self._fail("the page was left for an empty one", NOT_A_PAGE)
        else:
            self._loading.on_event(method, params)

    def _on_dialog(self, params: Params) -> None:
        self._meter.failures["dialog"] += 1
        answer = self._talk.dialogs.answer(params)
        if answer is not None:
            self._post("Page.handleJavaScriptDialog", answer)
        else:
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
            self._fail(SABOTAGED, SABOTAGE)
        elif "id" in message:
            if "leaving" in message:
                self._loading.begin()
            self._talk.hear(message)
        elif "loaded" in message:
            self._on_loaded(message)
        elif "frames" in message:
            if self.browser.hides_windows and not self._needs_frames:
                self._needs_frames = True
                self._context.show()
        elif "stayed" in message:
            self._loading.stayed()
        else:
            self._on_remark(message)

    def _on_loaded(self, message: Message) -> None:
        if message["url"] == EMPTY_PAGE:
            return  # only on the way to a document
        if self._is_handed_over:
            self._talk.tell("handOver()")
        self._talk.replaced()
        self._loading.arrived(
            Loaded(
                text(message["loaded"]),
                text(message["url"]),
                int(message["status"]),
                text(message["type"]),
                message["facts"],
                message["unsettled"],
            )
        )

    def _on_remark(self, message: Message) -> None:
        """Note what the page does beside its steps, and answer what its agent asks."""
        if "opened" in message:
            self.opened(message["opened"])
        elif "did" in message:
            self._meter.failures[message["did"]] += 1
        elif "held" in message:
            name, wait_ms = message["held"]
            self._shared.hold(text(name), int(wait_ms))
        elif "question" in message:
            key = message["key"]
            answer = None if self.is_signing_in else self._answers.get(key)
            arguments = orjson.dumps([message["question"], key, answer])
            self._talk.tell(f"receiveAnswer(...{arguments.decode()})")
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
        self._talk.tell(f"receiveValues({values})")

    def _lose(self) -> None:
        self._talk.is_over = True

    def _fail(self, reason: str, kind: str) -> None:
        """Fail whoever waits for something of a page that is lost."""
        self._lose()
        self.loss = PageLostError(reason, kind)
        self._talk.fail(reason, kind)
        self._loading.fail(reason, kind)


def _no_answer(url: str) -> NoAnswerError:
    return NoAnswerError(f"{url} does not answer within {DOCUMENT_SECONDS:.0f} s")
