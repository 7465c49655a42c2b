"""A site whose pages vary only deep inside, where no first look comes to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.core.ports import Store
from statecrawl.sites.server import serve_asgi

CHAIN, DEEP, DETAILS = 20, 17, 4
"""So many pages lead one to the next and back, and from the deep ones on each to so many details,
which count the visits of all details."""
LAST = "/last"
"""A page that counts, too, looks like no other, and can be gone to by one link only."""


def truth() -> dict[str, list[str]]:
    """Every page, and where it leads; the first detail of each page leads nowhere."""
    pages: dict[str, list[str]] = {}
    for number in range(CHAIN):
        details = [f"/{number}/{name}" for name in range(DETAILS)] if number >= DEEP else []
        beside = [f"/{n}" for n in (number - 1, number + 1) if 0 <= n < CHAIN]
        pages[f"/{number}"] = sorted([*beside, *details])
        pages |= {detail: [f"/{number}"] if name else [] for name, detail in enumerate(details)}
    pages[f"/{CHAIN - 1}"].append(LAST)
    pages[LAST] = ["/0", f"/{CHAIN - 2}"]
    return pages


def found(store: Store) -> dict[str, list[str]]:
    """What a crawl found, in the same terms; no state may be there twice."""
    crawled = store.crawled()
    pages = {state: urlsplit(found.url).path for state, found in crawled.states.items()}
    assert len(set(pages.values())) == len(pages), sorted(pages.values())
    led: dict[str, list[str]] = {page: [] for page in pages.values()}
    for (source, _), transition in crawled.transitions.items():
        if source:
            led[pages[source]].append(pages[transition.target])
    return {page: sorted(targets) for page, targets in led.items()}


@asynccontextmanager
async def late_site() -> AsyncIterator[str]:
    """Serve it, and give the URL of its first page."""
    visits = count(1)
    pages = truth()

    async def respond(request: Request) -> Response:
        path = request.url.path
        if path not in pages:
            return Response(status_code=404)
        counter = f"<p>visit {next(visits)}</p>" if path.count("/") == 2 else ""
        if path == LAST:
            counter = f"<div><em>visit {next(visits)}</em></div>"
        links = "".join(f"<a href={target!r}>{target}</a>" for target in pages[path])
        return HTMLResponse(f"<h1>Page {path}</h1>{counter}{links}")

    async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
        yield f"{url}0"
