"""Replay in the page: a real browser is brought into a state and handed over, over a WebSocket.

The page sends what the person does, as JSON; it gets pictures as they change, and texts that say
how it goes: `{"status": "coming" | "there" | "elsewhere" | "over" | "failed", "text", "visible"}`.
Words that the address names (`mark`) are shown where they stand.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from statecrawl.errors import StatecrawlError

MAX_SECONDS = 600.0
"""Nobody keeps a browser for longer at a time."""
BETWEEN_FRAMES_SECONDS = 0.12
MAX_AT_ONCE = 2
MAX_MESSAGE = 1_000
MAX_WORDS = 100


class Handed(Protocol):
    """A browser that was brought into a state, or to where that ended."""

    reached: bool
    is_visible: bool

    @property
    def is_open(self) -> bool:
        """Tell whether the page is still there."""
        ...

    async def mark(self, words: Sequence[str]) -> None:
        """Show where words stand in the page."""
        ...

    async def frame(self) -> bytes:
        """Return a picture of the page as it is now; an error of ours when it is gone."""
        ...

    async def do(self, deed: Mapping[str, Any]) -> None:
        """Do to the page what a person did to its picture."""
        ...


Replay = Callable[[str], AbstractAsyncContextManager[Handed]]
"""Brings a fresh browser into a state, for as long as it is needed."""


class Replays:
    """Serves replays: few at once, each bounded in time, each ended when its page goes away."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._under_way = 0

    async def serve(self, socket: WebSocket) -> None:
        """Hand one browser over to whoever is at the other end."""
        await socket.accept()
        if self._under_way >= MAX_AT_ONCE:
            await _say(socket, "failed", "other browsers are open already: end one of them")
            await socket.close()
            return
        self._under_way += 1
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await self._hand_over(socket, socket.path_params["state"])
        except TimeoutError:
            await _say(socket, "over", "time is up: replay it again to go on")
        except StatecrawlError as error:
            await _say(socket, "failed", str(error))
        except WebSocketDisconnect:
            pass
        finally:
            self._under_way -= 1
            with suppress(RuntimeError):
                await socket.close()

    async def _hand_over(self, socket: WebSocket, state: str) -> None:
        """Listen from the beginning on: who goes away meanwhile needs no browser."""
        deeds: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue(1_000)
        listening = asyncio.create_task(_listen(socket, deeds))
        words = socket.query_params.getlist("mark")[:MAX_WORDS]
        showing = asyncio.create_task(self._show(socket, state, words, deeds))
        try:
            done, _ = await asyncio.wait({listening, showing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (listening, showing):
                task.cancel()
            await asyncio.gather(listening, showing, return_exceptions=True)

    async def _show(
        self,
        socket: WebSocket,
        state: str,
        words: Sequence[str],
        deeds: "asyncio.Queue[Mapping[str, Any]]",
    ) -> None:
        await _say(socket, "coming")
        async with self._replay(state) as handed:
            if words:
                await handed.mark(words)
            status = "there" if handed.reached else "elsewhere"
            await _say(socket, status, visible=handed.is_visible)
            shown = b""
            while handed.is_open or not handed.is_visible:
                if not handed.is_visible:
                    frame = await handed.frame()
                    if frame != shown:
                        await socket.send_bytes(frame)
                        shown = frame
                with suppress(TimeoutError):
                    async with asyncio.timeout(BETWEEN_FRAMES_SECONDS):
                        while True:
                            await handed.do(await deeds.get())
            await _say(socket, "over", "its window was closed")


async def _listen(socket: WebSocket, deeds: "asyncio.Queue[Mapping[str, Any]]") -> None:
    """Take in what the person does, until the page goes away."""
    while True:
        said = await socket.receive_text()
        with suppress(ValueError):
            deed = json.loads(said[:MAX_MESSAGE])
            if isinstance(deed, dict):
                await deeds.put(deed)


async def _say(socket: WebSocket, status: str, text: str = "", *, visible: bool = False) -> None:
    if socket.application_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_json({"status": status, "text": text, "visible": visible})
