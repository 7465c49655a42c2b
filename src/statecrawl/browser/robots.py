"""What a site tells robots: robots.txt and sitemaps, read once, with bounds on everything."""

import asyncio
import re
import zlib
from html import unescape
from http.client import HTTPException, HTTPMessage
from typing import IO, NamedTuple
from urllib.request import HTTPRedirectHandler, Request, build_opener

from protego import Protego

from statecrawl.core.scope import Scope, origin_of

SECONDS = 10.0
MAX_BYTES = 10_000_000
MAX_SITEMAPS = 50
MAX_URLS = 10_000

_GZIP = b"\x1f\x8b"
_LOCATION = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*([^<>\s\]]+)", re.IGNORECASE)


class Robots:
    """The rules of the sites that are crawled, by origin; where there are none all is allowed."""

    def __init__(self, user_agent: str) -> None:
        self._user_agent = user_agent
        self._rules: dict[str, asyncio.Task[Protego]] = {}

    async def allow(self, url: str) -> bool:
        """Tell whether a robot of our name may open a URL."""
        origin = origin_of(url)
        if origin not in self._rules:
            self._rules[origin] = asyncio.create_task(self._read(origin))
        return bool((await self._rules[origin]).can_fetch(url, self._user_agent))

    async def _read(self, origin: str) -> Protego:
        raw = await fetched(f"{origin}/robots.txt", Scope.of([origin]), self._user_agent)
        return Protego.parse(raw.body.decode("utf-8", "replace"))


async def sitemap(start: str, scope: Scope, user_agent: str) -> list[str]:
    """Return the URLs in scope that a site's sitemaps name: those robots.txt knows, or the usual.

    A sitemap that can't be read is passed over.
    """
    origin = origin_of(start)
    robots = await fetched(f"{origin}/robots.txt", scope, user_agent)
    rules = robots.body.decode("utf-8", "replace")
    waiting = list(Protego.parse(rules).sitemaps) or [f"{origin}/sitemap.xml"]
    seen: dict[str, None] = {}
    found: dict[str, None] = {}
    while waiting and len(seen) < MAX_SITEMAPS and len(found) < MAX_URLS:
        address = waiting.pop(0)
        if address in seen or address not in scope:
            continue
        seen[address] = None
        is_index, urls = _urls((await fetched(address, scope, user_agent)).body)
        if is_index:
            waiting += urls
        else:
            found.update(dict.fromkeys(url for url in urls if url in scope))
    return list(found)[:MAX_URLS]


def _urls(raw: bytes) -> tuple[bool, list[str]]:
    """Return whether a sitemap lists sitemaps, and the URLs in it."""
    try:
        if raw.startswith(_GZIP):
            raw = zlib.decompressobj(wbits=31).decompress(raw, MAX_BYTES)
    except zlib.error:
        return False, []
    text = raw.decode("utf-8", "replace")
    return "<sitemapindex" in text, [unescape(url) for url in _LOCATION.findall(text)]


class Fetched(NamedTuple):
    """What is at a URL, and which URL that led to; nothing when there is nothing."""

    url: str
    body: bytes = b""
    is_html: bool = False


async def fetched(url: str, scope: Scope, user_agent: str) -> Fetched:
    """Return what is at a URL; nothing when there is nothing, or when it leads out of scope."""
    try:
        async with asyncio.timeout(2 * SECONDS):
            return await asyncio.to_thread(_fetch, url, scope, user_agent)
    except (OSError, ValueError, TimeoutError, HTTPException):
        return Fetched(url)


def _fetch(url: str, scope: Scope, user_agent: str) -> Fetched:
    request = Request(url, headers={"User-Agent": user_agent})  # noqa: S310 - http, in scope
    with build_opener(_InScope(scope)).open(request, timeout=SECONDS) as answer:
        is_html = answer.headers.get_content_type() in ("text/html", "application/xhtml+xml")
        return Fetched(answer.geturl(), bytes(answer.read(MAX_BYTES)), is_html)


class _InScope(HTTPRedirectHandler):
    """Follows redirects that stay in scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if newurl not in self._scope:
            return None  # the redirect itself is the answer then, which is an error
        return super().redirect_request(req, fp, code, msg, headers, newurl)
