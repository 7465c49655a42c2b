"""Stops a crawl before it takes more memory than it may."""

import asyncio
from collections.abc import Callable

import psutil

LOOK_EVERY_SECONDS = 1.0
MEGABYTE = 1_000_000


async def stop_above(megabytes: float, stop: Callable[[], None]) -> None:
    """Say stop once this process takes so much: what it knows grows with every state.

    Browsers are processes of their own, and are renewed before they swell.
    """
    process = psutil.Process()
    while process.memory_info().rss <= megabytes * MEGABYTE:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
    stop()
