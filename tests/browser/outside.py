"""Counts what a browser asks of any host but this machine: such a request comes to us instead.

The browser is told that every name is at a port of ours, so that nothing but the crawler's own
bounds keeps a request from being made.
"""

import asyncio
import shlex
import tempfile
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from statecrawl.browser.launch import LaunchOptions, browser, find_browser

PATIENCE_SECONDS = 30


class Outside:
    """Everything that is not this machine, and a browser that can reach it."""

    def __init__(self, path: Path) -> None:
        self.launch = LaunchOptions(path=str(path))
        self.requests = 0
        self._asked = asyncio.Event()

    async def answer(self, _: StreamReader, writer: StreamWriter) -> None:
        """Count who comes, and say nothing."""
        self.requests += 1
        self._asked.set()
        writer.close()

    async def try_out(self) -> None:
        """Make sure that a request is counted if nobody keeps it from being made."""
        async with asyncio.timeout(PATIENCE_SECONDS), browser(self.launch) as started:
            elsewhere = {"url": "http://elsewhere.test/"}
            await started.connection.send("Target.createTarget", elsewhere)
            await self._asked.wait()
        self.requests = 0


@asynccontextmanager
async def outside() -> AsyncIterator[Outside]:
    """Count as long as this lasts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "browser"
        found = Outside(path)
        async with await asyncio.start_server(found.answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            rules = f"--host-resolver-rules=MAP * 127.0.0.1:{port}, EXCLUDE 127.0.0.1"
            path.write_text(f'#!/bin/sh\nexec {shlex.quote(find_browser())} "$@" "{rules}"\n')
            path.chmod(0o700)
            await found.try_out()
            yield found
