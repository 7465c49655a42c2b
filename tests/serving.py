"""Servers in a thread of their own: the test, or the command that it runs, has the main one."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager

from statecrawl.sites.server import serve


@contextmanager
def aside(server: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Run a server aside; the URL that it is at, for as long as this lasts."""
    loop = asyncio.new_event_loop()
    urls: list[str] = []
    ready, over = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with server as url:
            urls.append(url)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    assert ready.wait(30)
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


def site(spec: str, port: int = 0) -> AbstractContextManager[str]:
    """Serve a built-in application aside."""
    return aside(serve(spec, port))
