"""What commands share that leave a window to a person, until that is enough."""

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from statecrawl.browser.launch import has_screen
from statecrawl.errors import BrowserError


def need_screen(otherwise: str) -> None:
    """Refuse to open a window where nobody would see it, and say what to do instead."""
    if not has_screen():
        raise BrowserError(f"there is no screen to show a browser on: {otherwise}")


@contextmanager
def until_enough() -> Iterator[asyncio.Event]:
    """Give what is set when Enter or Ctrl-C is pressed in the terminal."""
    loop = asyncio.get_running_loop()
    enough = asyncio.Event()
    loop.add_signal_handler(signal.SIGINT, enough.set)
    if sys.stdin.isatty():
        loop.add_reader(sys.stdin, enough.set)
    try:
        yield enough
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        if sys.stdin.isatty():
            loop.remove_reader(sys.stdin)
