"""A thin client of the DevTools protocol, over a pipe to our own browser or a WebSocket."""

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import orjson
from websockets.exceptions import ConnectionClosed

from statecrawl.errors import BrowserError

Params = dict[str, Any]
Handler = Callable[[str, Params], None]
"""Told the name and the parameters of an event."""

COMMAND_SECONDS = 30.0


class Transport(Protocol):
    """Carries messages; `connect` is told whom to hand them to."""

    def connect(self, receive: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        """Begin to hand over messages."""
        ...

    def send(self, message: bytes) -> None:
        """Send one message."""
        ...

    async def close(self) -> None:
        """End the connection."""
        ...


def parsed(raw: bytes) -> Any:
    """Return what a message says; halves of characters, which pages may have, are replaced."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
        return orjson.loads(text.encode("utf-8", "replace"))


class Connection:
    """One connection to a browser; sessions (one a page) are multiplexed over it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Params]] = {}
        self._handlers: dict[str, Handler] = {}
        self.is_lost = False
        transport.connect(self._receive, self._lose)

    def subscribe(self, session: str, handler: Handler) -> None:
        """Have the events of a session ("" is the browser) handed to this handler."""
        self._handlers[session] = handler

    def unsubscribe(self, session: str) -> None:
        """Hear no more of a session."""
        self._handlers.pop(session, None)

    def post(
        self, method: str, params: Params | None = None, session: str = ""
    ) -> asyncio.Future[Params]:
        """Send a command, and return where its result will be."""
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        if self.is_lost:
            future.set_exception(BrowserError("the browser is gone"))
            future.exception()  # whoever does not look at it need not hear of it
            return future
        self._last_id += 1
        message: Params = {"id": self._last_id, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._waiting[self._last_id] = future
        self._transport.send(orjson.dumps(message))
        return future

    async def send(self, method: str, params: Params | None = None, session: str = "") -> Params:
        """Send a command and return its result; TimeoutError when there is none in time."""
        async with asyncio.timeout(COMMAND_SECONDS):
            return await self.post(method, params, session)

    async def close(self) -> None:
        """End the connection."""
        await self._transport.close()
        self._lose()

    def _receive(self, raw: bytes) -> None:
        message = parsed(raw)
        number = message.get("id")
        if number is None:
            handler = self._handlers.get(message.get("sessionId", ""))
            if handler is not None:
                handler(message["method"], message.get("params", {}))
            return
        future = self._waiting.pop(number, None)
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(BrowserError(f"the browser says: {message['error']['message']}"))
            future.exception()  # likewise
        else:
            future.set_result(message.get("result", {}))

    def _lose(self) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(BrowserError("the browser is gone"))
                future.exception()  # likewise
        for handler in list(self._handlers.values()):
            handler("Inspector.detached", {})


class PipeTransport(asyncio.Protocol):
    """Messages with a zero byte after each, over two pipes that nobody else can open."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads = reads
        self._writes = writes
        self._buffer = bytearray()
        self._ready = asyncio.Event()

    async def open(self) -> None:
        """Attach the pipes to the running loop."""
        loop = asyncio.get_running_loop()
        self._reader, _ = await loop.connect_read_pipe(
            lambda: self, os.fdopen(self._reads, "rb", buffering=0)
        )
        self._writer, _ = await loop.connect_write_pipe(
            asyncio.BaseProtocol, os.fdopen(self._writes, "wb", buffering=0)
        )

    def connect(self, receive: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        """Begin to hand over messages."""
        self._receive = receive
        self._lost = lost

    def data_received(self, data: bytes) -> None:
        """Take in some bytes and hand over the messages they complete."""
        self._buffer += data
        if b"\0" not in data:
            return
        *messages, rest = self._buffer.split(b"\0")
        self._buffer = rest
        for message in messages:
            self._receive(bytes(message))

    def connection_lost(self, error: Exception | None) -> None:
        """Tell that the other end is gone."""
        del error
        self._lost()

    def send(self, message: bytes) -> None:
        """Send one message."""
        self._writer.write(message + b"\0")

    async def close(self) -> None:
        """End the connection."""
        self._reader.close()
        self._writer.close()


class SocketTransport:
    """Messages over a WebSocket, to a browser that runs elsewhere."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._tasks: list[asyncio.Task[None]] = []
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()

    def connect(self, receive: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        """Begin to hand over messages."""
        self._tasks = [
            asyncio.create_task(self._read(receive, lost)),
            asyncio.create_task(self._write()),
        ]

    async def _read(self, receive: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        try:
            async for message in self._socket:
                receive(message.encode() if isinstance(message, str) else message)
        except ConnectionClosed:
            pass  # the other end died without a word
        finally:
            lost()

    async def _write(self) -> None:
        with suppress(ConnectionClosed):  # the reader tells
            while True:
                await self._socket.send((await self._outbox.get()).decode())

    def send(self, message: bytes) -> None:
        """Send one message."""
        self._outbox.put_nowait(message)

    async def close(self) -> None:
        """End the connection."""
        for task in self._tasks:
            task.cancel()
        await self._socket.close()
