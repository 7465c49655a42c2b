"""What the shop serves besides its documents and data: streams, a file, a frame, a refresh."""

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

_KEPT_S = 600
"""How long a stream stays open after its only message."""


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    try:
        question = await socket.receive_text()
        await socket.send_text(f"The socket has heard of {question[:40]}.")
        await socket.receive_text()  # nothing more is asked: it stays open until it is closed
    except WebSocketDisconnect:
        pass


async def _events(_: Request) -> Response:
    async def messages() -> AsyncIterator[str]:
        yield "data: The stream has news.\n\n"
        await asyncio.sleep(_KEPT_S)

    return StreamingResponse(messages(), media_type="text/event-stream")


_FILE = Response("a file to keep\n", headers={"content-disposition": "attachment"})
_FRAME = HTMLResponse(
    '<!DOCTYPE html><html lang="en"><title>Frame</title><link rel="icon" href="data:,">'
    '<button title="parts:frame" onclick="parent.postMessage(\'frame\', location.origin)">'
    "Switch in the frame</button></html>"
)
_REFRESHED = HTMLResponse(
    '<!DOCTYPE html><html lang="en"><title>Refreshed</title><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0; url=/guide"><p>The guide is elsewhere now.</p></html>'
)

STREAMS: tuple[BaseRoute, ...] = (
    WebSocketRoute("/socket", _socket),
    Route("/events", _events),
    Route("/price-list.csv", _FILE),
    Route("/frame", _FRAME),
    Route("/refreshed", _REFRESHED),
)
