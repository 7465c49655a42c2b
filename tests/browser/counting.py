"""A site whose pages are never twice the same."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.sites.server import serve_asgi

TEXTS = {"/": "garden", "/news": "harbour", "/about": "mountain"}


@asynccontextmanager
async def counting_site(show: Callable[[int], str]) -> AsyncIterator[str]:
    """Three pages that link to each other; each shows which visit of the site this is."""
    visits = count(1)

    async def respond(request: Request) -> Response:
        word = TEXTS.get(request.url.path)
        if word is None:
            return Response(status_code=404)
        links = "".join(f"<a href={path!r}>{path}</a>" for path in TEXTS)
        text = " ".join(f"{word}{number}" for number in range(60))
        return HTMLResponse(f"<p>{text}</p><p>{show(next(visits))}</p>{links}")

    async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
        yield url
