"""Signing in: once, then with what was kept; again when the application has forgotten us."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urljoin

import orjson

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.answers import Answers
from statecrawl.browser.conversation import Message
from statecrawl.browser.keepsake import Keepsake
from statecrawl.browser.loading import Loaded
from statecrawl.browser.meter import Meter
from statecrawl.browser.page import Page
from statecrawl.browser.redaction import Redaction
from statecrawl.core.login import NO_LITERAL, SIGNED_OUT, Click, Expect, Fill, Login, Open, Value
from statecrawl.errors import ApplicationError, InputError

MAX_REPAIRS = 8
"""How often in a row we sign in again before we say that the login does not hold."""

MAX_ACCIDENTS = 2
"""How often we may be signed out after an event before it is blamed, if it never led elsewhere."""

TRIES_WITH_KEPT = 2
"""How often a new session is put back in vain, before each load signs in by itself."""


class LoginError(ApplicationError):
    """The login works, but does not hold: there is no use in going on."""


class Credentials(NamedTuple):
    """How to sign in at the application that starts at a URL; in memory only."""

    login: Login
    values: Mapping[str, str]
    start: str

    def value(self, value: Value) -> str:
        """Return what is to be typed."""
        return self.values[value.text] if value.is_variable else value.text

    def basic(self) -> tuple[str, str] | None:
        """Return the user name and the password for a server that asks by itself."""
        given = self.login.basic
        return None if given is None else (self.value(given.user), self.value(given.password))


class Admission:
    """Loads pages for somebody who is signed in; knows which events end that."""

    def __init__(
        self,
        credentials: Credentials,
        meter: Meter,
        answers: Answers,
        refusal: Callable[[str], Awaitable[str]],
        forget: Callable[[], None],
    ) -> None:
        self._credentials = credentials
        self._login = credentials.login
        self._meter = meter
        self._refusal = refusal
        self._answers = answers
        self._forget_in_pages = forget
        self._signing_in = asyncio.Lock()
        self._kept: Keepsake | None = None
        self._can_keep = True
        self._shows_sign: dict[str, bool] = {}  # by entry
        self._repairs = 0  # in a row
        self._accidents: Counter[str] = Counter()  # by event
        self._innocent: set[str] = set()
        self.redaction = Redaction()
        for name in self._login.secret_variables():
            self.redaction.add(credentials.values[name])
        if (basic := credentials.basic()) is not None:
            self.redaction.add(":".join(basic))

    def is_current(self, page: Page) -> bool:
        """Tell whether a page was loaded with the session of now."""
        return page.kept is self._kept

    def went_well(self, page: Page | None, explored: Iterable[str]) -> None:
        """Hear that a plan came to its end, where, and which events were fired the first time."""
        self._innocent.update(explored)
        self._repairs = 0
        if page is not None:
            self._answers.trust(page.frame)

    def signed_out(self, page: Page | None, event: str) -> bool:
        """Hear that we are signed out after an event; tell whether the event is to blame.

        The event is "" when it is known to lead elsewhere.
        """
        self._drop(None if page is None else page.kept)
        if event and event not in self._innocent:
            self._accidents[event] += 1
            if self._accidents[event] > MAX_ACCIDENTS:
                return True
        self._count_repair()
        return False

    def _drop(self, kept: Keepsake | None) -> None:
        """Forget a session that has ended, unless there is a new one already."""
        if kept is self._kept:
            self._kept = None
        # Answers to somebody who is not signed in must not be given to somebody who is.
        if self._repairs:
            self._answers.forget()
        else:
            self._answers.forget_doubtful()
        self._forget_in_pages()

    def _count_repair(self) -> None:
        self._repairs += 1
        if self._repairs > MAX_REPAIRS:
            raise LoginError(
                f"the login does not hold: signed out {self._repairs} times in a row; does the "
                "application end sessions early, or somebody else use the same account?"
            )

    async def load(self, page: Page, url: str, settings: AgentSettings) -> Loaded:
        """Load a document as if nobody had been here before but to sign in."""
        if not self._login.steps:
            return await page.load(url, settings)
        new_ones = 0
        while self._can_keep and new_ones < TRIES_WITH_KEPT:
            kept, is_new = await self._session(page, settings)
            loaded = await page.load(url, settings, kept)
            if await self._is_inside(page, url, is_new):
                return loaded
            new_ones += is_new
            self._drop(kept)
            if not is_new:
                self._meter.failures[SIGNED_OUT] += 1
                self._count_repair()
        await self._sign_in(page, settings)
        loaded = await page.visit(url)
        if not await self._is_inside(page, url, is_new=True):
            raise LoginError(
                f"the login does not hold: {self.redaction(url)} shows the login form to somebody "
                "who has just signed in"
            )
        self._can_keep = False
        return loaded

    async def _session(self, page: Page, settings: AgentSettings) -> tuple[Keepsake, bool]:
        """Return the session that was kept, or a new one; tell whether it is new."""
        async with self._signing_in:
            if self._kept is not None:
                return self._kept, False
            await self._sign_in(page, settings)
            self._kept = await page.keep()
            return self._kept, True

    async def _is_inside(self, page: Page, url: str, is_new: bool) -> bool:
        """Tell whether a page is one for somebody who is signed in."""
        if await page.call("isAtDoor()"):
            return False
        if not self._login.sign:
            return True
        shows = bool(await page.call(f"shows({_json(self._login.sign)})"))
        if is_new:
            self._shows_sign[url] = shows
        return shows or not self._shows_sign.setdefault(url, shows)

    async def _sign_in(self, page: Page, settings: AgentSettings) -> None:
        """Take all steps, in a page that is as good as new."""
        page.is_signing_in = True
        try:
            await self._take_steps(page, settings)
        except ApplicationError:
            self._count_repair()
            raise
        finally:
            page.is_signing_in = False

    async def _take_steps(self, page: Page, settings: AgentSettings) -> None:
        start, steps = self._credentials.start, self._login.steps
        first = steps[0].url if isinstance(steps[0], Open) else ""
        at = (await page.load(urljoin(start, first), settings)).url
        for step in steps[1:] if first else steps:
            match step:
                case Open(url):
                    at = (await page.visit(urljoin(at, url))).url
                case Fill(field, value):
                    at = await self._fill(page, field, value, at)
                case Click(control):
                    at = await self._pass(page, control, None, at)
                case Expect(text):
                    await self._expect(page, text, at)
        await self._expect_no_door(page, at)

    async def _fill(self, page: Page, field: str, value: Value, at: str) -> str:
        """Fill a field, of a page in scope only; a password comes from a variable only."""
        if await self._refusal(at):
            raise ApplicationError(
                f"the login leads out of scope, to {self.redaction(at)}: "
                "if it may, say so with --include"
            )
        text = self._credentials.value(value)
        if await page.call(f"fieldType({_json(field)})") == "password":
            if not value.is_variable:
                raise InputError(f"the field {field[:60]!r} of the login: {NO_LITERAL}")
            self.redaction.add(text)
        return await self._pass(page, field, text, at)

    async def _pass(self, page: Page, name: str, value: str | None, at: str) -> str:
        """Fill a field or click a control; return the URL of the document that this leads to."""
        message = await page.pass_door(name, value)
        if "missing" in message:
            what = "control" if value is None else "field"
            raise ApplicationError(
                f"the login can't go on: there is no {what} {name[:60]!r} at {self.redaction(at)}"
            )
        return await _where(page, message, at)

    async def _expect(self, page: Page, text: str, at: str) -> None:
        if await page.call(f"shows({_json(text)})"):
            return
        await self._expect_no_door(page, at)
        raise ApplicationError(
            f"the login failed: {self.redaction(at)} does not show {text[:60]!r} after it"
        )

    async def _expect_no_door(self, page: Page, at: str) -> None:
        if await page.call("isAtDoor()"):
            names = " and ".join(self._login.variables)
            raise ApplicationError(
                f"the login failed: its form is still there, at {self.redaction(at)}"
                + (f"; is what {names} hold right?" if names else "")
            )


async def _where(page: Page, message: Message, at: str) -> str:
    """Return the URL of the document in which a step ends."""
    while "leaving" in message:
        loaded = await page.arrival()
        if loaded is not None:
            return loaded.url
        message = await page.stay()
    return at


def _json(text: str) -> str:
    return orjson.dumps(text).decode()
