"""Picks the parts of a crawl on many machines over HTTP."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from starlette.types import ASGIApp

from statecrawl import __version__
from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.fleet import new_crawler, told_to_crawlers
from statecrawl.coordination.wire import SCHEMA
from statecrawl.core.ports import Store
from statecrawl.errors import InputError
from statecrawl.runtimes.http.link import Link
from statecrawl.runtimes.http.server import coordinator_app
from statecrawl.runtimes.hub import Hub
from statecrawl.runtimes.node import crawl_for

VERSION = f"{__version__}/{SCHEMA}"
"""What a node and its coordinator must have in common: the program, and its messages."""
PATIENCE_SECONDS = 120.0
"""How long a node tries to reach a coordinator that does not answer."""


def hub_app(hub: Hub, store: Store, token: str, hosts: tuple[str, ...]) -> ASGIApp:
    """Return the coordinator's application."""
    return coordinator_app(hub, partial(told_to_crawlers, store), VERSION, token, hosts)


async def crawl_as_node(
    url: str, token: str, launch: LaunchOptions, say: Callable[[str], None]
) -> None:
    """Take part in the crawl of a coordinator until it is over."""
    link = Link(url, VERSION, token, PATIENCE_SECONDS, say)
    try:
        await crawl_for(link, partial(new_crawler, launch=launch), say)
    finally:
        await link.close()


def read_token(file: Path | None) -> str:
    """Return the token in a file; nothing when there is none."""
    if file is None:
        return ""
    try:
        with file.open(encoding="ascii") as stream:
            token = stream.read(1_001).strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"can't read {str(file)[:200]!r}: {reason}") from None
    if not 16 <= len(token) <= 1_000 or not token.isprintable() or " " in token:
        raise InputError(
            f"the token in {str(file)[:200]!r} is no good: give 16 to 1,000 characters in one line"
        )
    return token
