"""The pre-crawler: a site as links show it, read over plain HTTP, without a browser."""

import asyncio
from collections.abc import Callable, Iterator
from urllib.parse import urldefrag, urljoin

from statecrawl.browser.robots import Fetched, Robots, fetched, sitemap
from statecrawl.core.dom import Element
from statecrawl.core.html import read_html
from statecrawl.core.scope import Scope
from statecrawl.core.site import Site
from statecrawl.errors import ApplicationError

AT_ONCE = 8
MAX_LINKS = 2_000
"""Of one page; more are left out."""

Told = Callable[[int, int], None]
"""Told how many pages were read, and how many are known."""


class PreCrawl:
    """Reads pages, follows their links, and keeps to the scope and to robots.txt if asked to."""

    def __init__(
        self, scope: Scope, user_agent: str, robots: Robots | None, max_pages: int
    ) -> None:
        self._scope = scope
        self._user_agent = user_agent
        self._robots = robots
        self._max_pages = max_pages
        self._known: dict[str, None] = {}
        self._led: dict[str, str] = {}
        self._links: dict[str, list[str]] = {}

    async def run(self, start: str, *, with_sitemap: bool, told: Told) -> Site:
        """Return the site that begins at a URL."""
        named = await sitemap(start, self._scope, self._user_agent) if with_sitemap else []
        waiting = self._new([start, *named])
        while waiting:
            batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            for asked, page in zip(
                batch, await asyncio.gather(*map(self._read, batch)), strict=True
            ):
                if page is not None:
                    waiting += self._take(asked, page)
            told(len(self._links), len(self._known))
        if not self._links:
            raise ApplicationError(f"{start} gives no page: is it running, and is it HTML?")
        return Site(start, {page: self._followed(links) for page, links in self._links.items()})

    async def _read(self, url: str) -> Fetched | None:
        if self._robots is not None and not await self._robots.allow(url):
            return None
        page = await fetched(url, self._scope, self._user_agent)
        return page if page.is_html else None

    def _take(self, asked: str, page: Fetched) -> list[str]:
        """Take in a page under the URL that it came from; return those that are new."""
        here = _plain(page.url)
        self._led[asked] = here
        if here in self._links:
            return []
        self._known[here] = None
        root = read_html(page.body.decode("utf-8", "replace"))
        links = [url for url in _targets(root, page.url) if url in self._scope]
        self._links[here] = list(dict.fromkeys(links))[:MAX_LINKS]
        return self._new(self._links[here])

    def _new(self, urls: list[str]) -> list[str]:
        room = self._max_pages - len(self._known)
        fresh = [url for url in dict.fromkeys(urls) if url not in self._known][: max(room, 0)]
        self._known.update(dict.fromkeys(fresh))
        return fresh

    def _followed(self, links: list[str]) -> list[str]:
        """Return the pages that links led to, redirects followed."""
        led = (self._led.get(link, link) for link in links)
        return [page for page in dict.fromkeys(led) if page in self._links]


def _targets(root: Element, base: str) -> Iterator[str]:
    """Yield where the links of a page lead."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        waiting += reversed(list(element.elements))
        address = element.attributes.get("href", "").strip()
        if element.tag == "base" and address:
            base = urljoin(base, address)
        elif element.tag in ("a", "area") and address:
            try:
                target = urljoin(base, address)
            except ValueError:
                continue
            if target.startswith(("http://", "https://")):
                yield _plain(target)


def _plain(url: str) -> str:
    return urldefrag(url)[0]
