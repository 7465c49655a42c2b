"""Answers that come late, stop short, or never end.

Each ends when the one who asked goes away, or the server does.
"""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

_PAUSE_S = 0.05
_FLOOD_BURST = 100


async def endless_document(_: Request) -> Response:
    """Return a document with one more paragraph from time to time."""
    first = '<!DOCTYPE html><title>Endless</title><a href="/">All pages</a>'
    return StreamingResponse(_ticks(first, "<p>Part {}</p>"), media_type="text/html")


async def endless_image(_: Request) -> Response:
    """Return a picture that goes on; nobody can show it."""
    return StreamingResponse(_ticks("\x89PNG", "{}"), media_type="image/png")


async def endless_download(_: Request) -> Response:
    """Return a file without an end."""
    return StreamingResponse(
        _ticks("", "{}\n" * 1_000),
        media_type="application/octet-stream",
        headers={"content-disposition": "attachment"},
    )


async def endless_events(_: Request) -> Response:
    """Return server-sent events, about twenty a second."""
    return StreamingResponse(_ticks("", "data: event {}\n\n"), media_type="text/event-stream")


async def _ticks(first: str, tick: str) -> AsyncIterator[str]:
    yield first
    for number in count(1):
        yield tick.replace("{}", str(number))
        await asyncio.sleep(_PAUSE_S)


class _Never:
    """An answer that never comes."""

    async def __call__(self, _: Scope, receive: Receive, __: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


never = _Never()


class _CutOff:
    """An answer that is shorter than it says; the connection ends in the middle."""

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/html"), (b"content-length", b"100000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"<p>Half of", "more_body": True})


cut_off = _CutOff()


async def flood(socket: WebSocket) -> None:
    """Send messages as fast as they are taken."""
    await socket.accept()
    try:
        for number in count(1):
            await socket.send_text(f"message {number}")
            if number % _FLOOD_BURST == 0:
                await asyncio.sleep(_PAUSE_S)
    except WebSocketDisconnect:
        pass
