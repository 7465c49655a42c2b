"""Watches a person sign in, and writes down how: fields and clicks, never a password."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from statecrawl.browser.agent import BINDING, AgentSettings
from statecrawl.browser.launch import Launched, LaunchOptions, browser
from statecrawl.browser.protocol import Params
from statecrawl.core.login import Click, Fill, Login, Open, Step, Value, is_secret
from statecrawl.errors import ApplicationError

USER = "STATECRAWL_USER"
PASSWORD = "STATECRAWL_PASSWORD"  # noqa: S105 - the name of a variable

MAX_SECONDS = 3_600.0
"""A person who does nothing more for so long is done."""

Message = dict[str, Any]


async def record_login(url: str, launch: LaunchOptions, enough: asyncio.Event) -> Login:
    """Open a page for a person to sign in, until that is enough or the window is closed."""
    async with browser(launch) as launched:
        recording = Recording(launched, enough)
        await recording.open(url)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MAX_SECONDS):
                await enough.wait()
        return recorded_login(url, recording.heard)


class Recording:
    """One window, and what was heard of it."""

    def __init__(self, launched: Launched, enough: asyncio.Event) -> None:
        self.heard: list[Message] = []
        self.connection = launched.connection
        self._enough = enough
        self.session = ""
        self.target = ""

    async def open(self, url: str) -> None:
        """Show a page, with the recorder in every document."""
        connection = self.connection
        context = await connection.send("Target.createBrowserContext")
        blank = {"url": "about:blank", "browserContextId": context["browserContextId"]}
        self.target = (await connection.send("Target.createTarget", blank))["targetId"]
        attached = await connection.send(
            "Target.attachToTarget", {"targetId": self.target, "flatten": True}
        )
        self.session = session = attached["sessionId"]
        connection.subscribe("", self._on_event)
        connection.subscribe(session, self._on_event)
        script = {"source": AgentSettings().recorder()}
        commands: Iterable[tuple[str, Params]] = (
            ("Page.enable", {}),
            ("Runtime.enable", {}),
            ("Runtime.addBinding", {"name": BINDING}),
            ("Page.addScriptToEvaluateOnNewDocument", script),
        )
        await asyncio.gather(*(connection.send(*command, session) for command in commands))
        try:
            told = await connection.send("Page.navigate", {"url": url}, session)
        except TimeoutError:
            raise ApplicationError(f"{url} does not answer") from None
        if error := told.get("errorText"):
            raise ApplicationError(f"{url} can't be loaded: {error}")

    def _on_event(self, method: str, params: Params) -> None:
        if method == "Runtime.bindingCalled" and params["name"] == BINDING:
            self.heard.append(orjson.loads(params["payload"]))
        elif method == "Target.detachedFromTarget" or method.startswith("Inspector."):
            self._enough.set()  # the window is closed


def recorded_login(url: str, heard: Iterable[Message]) -> Login:
    """Return the steps of what was heard.

    The last value of a field counts; who fills a field again after a click begins again there.
    """
    parts = urlsplit(url)
    steps: list[Step] = [Open(f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}")]
    form = _Form({}, {})
    user = ""
    for message in heard:
        if "click" in message:
            form.send(steps)
            steps.append(Click(str(message["click"])))
            continue
        field = str(message["fill"])
        if message["isSecret"] or is_secret(field):
            form.secrets[field] = Value(PASSWORD, is_variable=True)
        form.values[field] = Value(str(message["value"]))
        if not user and field not in form.secrets:
            user = field
        if field == user:
            form.values[field] = Value(USER, is_variable=True)
    form.send(steps)
    if not any(isinstance(step, Fill) for step in steps):
        raise ApplicationError("nobody signed in: fill in the form and send it, then close it")
    return Login(tuple(steps))


class _Form(NamedTuple):
    """The fields filled since the last click."""

    values: dict[str, Value]
    secrets: dict[str, Value]

    def send(self, steps: list[Step]) -> None:
        """Add them to the steps, in place of an attempt before, and begin anew."""
        again = [
            n
            for n, step in enumerate(steps)
            if isinstance(step, Fill) and step.field in self.values
        ]
        if again:
            del steps[again[0] :]
        steps += [Fill(field, value) for field, value in (self.values | self.secrets).items()]
        self.values.clear()
        self.secrets.clear()
