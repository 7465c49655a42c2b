"""One Chromium for all tabs: hands out loaded pages, and is renewed before it swells."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.metadata import version
from types import TracebackType
from typing import Self

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.answers import Answers
from statecrawl.browser.archive import NOT_THERE
from statecrawl.browser.auto_inputs import AutoInputs, Way
from statecrawl.browser.exchanges import SOCKET_NOT_RECORDED, ExchangeRecorder
from statecrawl.browser.gate import Gate, Policy
from statecrawl.browser.launch import Launched, LaunchOptions, browser
from statecrawl.browser.loading import Loaded
from statecrawl.browser.losses import PageLostError
from statecrawl.browser.meter import Meter
from statecrawl.browser.page import Page, Shared
from statecrawl.browser.redaction import Redaction
from statecrawl.browser.sign_in import Admission, Credentials
from statecrawl.errors import BrowserError

MAX_BROWSER_BYTES = 1_500_000_000
LOOK_EVERY = 50
"""How many pages are loaded between two looks at the browser's memory."""

MAX_LOADS_OF_PAGE = 100
"""How often a page is used again: contexts grow."""

MAX_SPARES = 4

OUR_NAME = f"statecrawl/{version('statecrawl')}"

MAX_LOADS = 3
"""How often a page that is lost while it loads is tried again."""

SETTLED_KINDS = ("hang", "endless", "endless_load", "endless_dialogs", "sabotage", "network")
"""Kinds of losses that take long, and are the same each time."""


BeforeLoad = Callable[[int], Awaitable[None]]
"""Puts the application's data back for a cursor, before a page is loaded for it."""


class Chromium:
    """A browser process, or several one after the other; nobody outside notices."""

    def __init__(
        self,
        options: LaunchOptions,
        settings: AgentSettings,
        before_load: BeforeLoad | None = None,
        policy: Policy | None = None,
        credentials: Credentials | None = None,
        *,
        watches_documents: bool = False,
    ) -> None:
        self.settings = settings
        self._policy = policy or Policy()
        self._gates: dict[int, Gate] = {}
        self._before_load = before_load
        self.answers = Answers()
        self.auto_inputs = AutoInputs(settings.learned, None if before_load else self._try_value)
        self.meter = Meter()
        self._shared = Shared(
            self.meter,
            self.answers,
            self.auto_inputs,
            self._forget,
            self._policy.user_agent,
            watches_documents,
            lost_sockets="" if self._policy.archive is None else NOT_THERE,
        )
        self.admission = None
        if credentials is not None:
            self.admission = Admission(
                credentials, self.meter, self.answers, self.refusal, self._forget
            )
        self.redact = Redaction() if self.admission is None else self.admission.redaction
        if self._policy.record is not None:
            is_signed_in = self.admission is not None
            self._shared.recorder = ExchangeRecorder(
                self._policy.record, self.redact, self.meter, is_signed_in=is_signed_in
            )
            self._shared.lost_sockets = SOCKET_NOT_RECORDED
        self._options = options
        self._pages: set[Page] = set()
        self._spares: list[Page] = []
        self._running: dict[int, contextlib.AsyncExitStack] = {}
        self._launched: Launched | None = None
        self._launching = asyncio.Lock()
        self._loads = 0

    async def __aenter__(self) -> Self:
        await self._browser()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._launched = None
        stacks, self._running = list(self._running.values()), {}
        for stack in stacks:
            await stack.aclose()

    async def load(
        self,
        url: str,
        settings: AgentSettings | None = None,
        cursor: int = 0,
    ) -> tuple[Page, Loaded]:
        """Return a page that has just loaded a document, as if for the first time."""
        if self._before_load is not None:
            await self._before_load(cursor)
        for attempt in range(1, MAX_LOADS + 1):
            page = await self._page()
            try:
                loaded = await self._load(page, url, settings or self.settings)
            except (PageLostError, BrowserError, TimeoutError) as error:
                await self.discard(page)
                kind = error.kind if isinstance(error, PageLostError) else "load"
                if kind in SETTLED_KINDS or attempt == MAX_LOADS:
                    raise
                self.meter.failures[kind] += 1
            except BaseException:
                await self.discard(page)
                raise
            else:
                self.meter.requests += 1
                return page, loaded
        raise AssertionError("unreachable")

    async def _try_value(self, way: Way, field: str, value: str) -> tuple[str, str] | None:
        """Go a way and put a value into a field: the DOM before and after."""
        learned = {**self.auto_inputs.known, field: [value]}
        page, _ = await self.load(way.entry, replace(self.settings, auto=False, learned=learned))
        self.meter.probe_resets += 1
        try:
            for event in way.events:
                if not await self._probe(page, event):
                    return None
            before = await page.call("content()")
            event = await page.call(f"eventFor({json.dumps(field)},{json.dumps(value)})")
            if event is None or not await self._probe(page, event):
                return None
            return before["dom"], (await page.call("content()"))["dom"]
        except PageLostError:
            return None
        finally:
            await self.release(page)

    async def _probe(self, page: Page, event: str) -> bool:
        """Fire an event to see what it does; tell whether it could be fired."""
        self.meter.probe_events += 1
        message = await page.run([(event, None)])
        await page.come_to_rest(message)
        return "leaving" in message or bool(message["seen"])

    async def _load(self, page: Page, url: str, settings: AgentSettings) -> Loaded:
        if self.admission is None:
            return await page.load(url, settings)
        return await self.admission.load(page, url, settings)

    def is_current(self, page: Page) -> bool:
        """Tell whether a page shows what one loaded now would show."""
        if page.writes_at_load != self.answers.writes:
            return False
        return self.admission is None or self.admission.is_current(page)

    @property
    def puts_back(self) -> bool:
        """Tell whether the application's data is put back before each load."""
        return self._before_load is not None

    async def release(self, page: Page) -> None:
        """Give back a page that is not needed any more: it is cleaned and used again."""
        is_good = page.is_alive and page.browser is self._launched
        if is_good and page.loads < MAX_LOADS_OF_PAGE and len(self._spares) < MAX_SPARES:
            self._spares.append(page)
        else:
            await self.discard(page)

    async def _page(self) -> Page:
        launched = await self._browser()
        while self._spares:
            page = self._spares.pop()
            if page.is_alive and page.browser is launched:
                return page
            await self.discard(page)
        gate = self._gates[id(launched)]
        page = Page(launched, gate, self._shared)
        self._pages.add(page)
        return page

    async def discard(self, page: Page) -> None:
        """Throw a page away, and its browser too if it was the last one of an old one."""
        self._pages.discard(page)
        await page.close()
        launched = page.browser
        if launched is self._launched or any(other.browser is launched for other in self._pages):
            return
        if (stack := self._running.pop(id(launched), None)) is not None:
            del self._gates[id(launched)]
            await stack.aclose()

    async def _browser(self) -> Launched:
        """Return the browser for a new page; a new one when the old one is gone or too large."""
        async with self._launching:
            self._loads += 1
            if self._launched is not None and self._is_spent(self._launched):
                self._launched = None
            if self._launched is None:
                self._launched = await self._start()
            return self._launched

    async def _start(self) -> Launched:
        """Start a browser, and put a gate before it; one that fails meanwhile is ended."""
        async with contextlib.AsyncExitStack() as stack:
            launched = await stack.enter_async_context(browser(self._options))
            gate = Gate(launched, self._policy, self.meter, self._shared.recorder)
            try:
                await gate.open()
                about = await launched.connection.send("Browser.getVersion")
            except TimeoutError:
                raise BrowserError("the browser does not answer: start another one") from None
            own_name = f"{about['userAgent'].replace('Headless', '')} {OUR_NAME}"
            self._shared.user_agent = self._policy.user_agent or own_name
            self._gates[id(launched)] = gate
            self._running[id(launched)] = stack.pop_all()
        return launched

    async def refusal(self, url: str) -> str:
        """Say in a word why a URL may not be opened, "" if it may."""
        return await self._policy.refusal(url, False)

    def _is_spent(self, launched: Launched) -> bool:
        if launched.connection.is_lost:
            return True
        return self._loads % LOOK_EVERY == 0 and launched.memory_bytes() > MAX_BROWSER_BYTES

    def _forget(self) -> None:
        """Tell every page that the application wrote something."""
        for page in self._pages:
            if page.is_alive:
                page.forget_answers()
