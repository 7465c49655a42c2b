"""Serves a built-in application to browsers on this machine."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from importlib.resources import files
from urllib.parse import parse_qsl

import uvicorn
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from statecrawl.errors import InputError
from statecrawl.sites.apps import build_app, build_wild
from statecrawl.sites.apps.app import Answer, App, Blanks, Query

_HOST = "127.0.0.1"
_CACHED_RESPONSES = 4_096  # of each path
_BLANK = re.compile(r"\{\{(\w+)\}\}")


@asynccontextmanager
async def serve(spec: str, port: int = 0, latency_ms: int = 0) -> AsyncIterator[str]:
    """Serve the application that `NAME[:key=value,...]` asks for, and yield its URL.

    Port 0 stands for any free port. Every AJAX answer is late by `latency_ms`; documents and
    scripts are not.
    """
    app = build_wild(spec) or _site(spec, latency_ms / 1_000)
    async with serve_asgi(app, port) as url:
        yield url


@asynccontextmanager
async def serve_asgi(app: ASGIApp, port: int = 0) -> AsyncIterator[str]:
    """Serve any application in this event loop, on the loopback only, and yield its URL."""
    with _listen(port) as listener:
        config = uvicorn.Config(
            app,
            access_log=False,
            lifespan="off",
            log_config=None,
            log_level="critical",
            timeout_graceful_shutdown=0,
            timeout_keep_alive=75,
            ws="websockets-sansio",
        )
        # The parts of Server.serve(), which would take hold of this process's signals.
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        ticking = asyncio.create_task(server.main_loop())
        try:
            yield f"http://{_HOST}:{listener.getsockname()[1]}/"
        finally:
            ticking.cancel()
            await asyncio.wait([ticking])
            await server.shutdown(sockets=[listener])


def _listen(port: int) -> socket.socket:
    # asyncio switches Nagle's delays off only where the protocol is named.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen(1_024)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"can't listen on port {port}: {reason}; give another port") from None
    return listener


def _site(spec: str, latency_s: float) -> ASGIApp:
    name, app = build_app(spec)
    router = Router(_routes(name, app, latency_s))
    return router if app.guard is None else app.guard(router)


def _routes(name: str, app: App, latency_s: float) -> list[BaseRoute]:
    folder = files("statecrawl.sites.apps") / name
    template, script = (folder / "index.html").read_text("utf-8"), folder / "app.js"
    endpoints: dict[str, ASGIApp] = {
        **{path: RedirectResponse(target) for path, target in app.redirects.items()},
        **{
            path: _Responses(partial(_document, template, blanks))
            for path, blanks in app.documents.items()
        },
        **{
            path: _Responses(partial(_answer, answer), latency_s)
            for path, answer in app.answers.items()
        },
    }
    if script.is_file():
        endpoints["/app.js"] = Response(script.read_bytes(), media_type="text/javascript")
    return [*app.routes, *(Route(path, endpoint) for path, endpoint in endpoints.items())]


def _document(template: str, blanks: Blanks, query: Query) -> Response:
    filled = blanks(query)
    return HTMLResponse(_BLANK.sub(lambda blank: filled[blank[1]], template))


def _answer(answer: Answer, query: Query) -> Response:
    given = answer(query)
    if isinstance(given, str):
        return HTMLResponse(given)
    return Response(json.dumps(given), media_type="application/json")


class _Responses:
    """Responds to one path; a response is made once, since it depends on the query only."""

    def __init__(self, respond: Callable[[Query], Response], latency_s: float = 0) -> None:
        self._respond = respond
        self._latency_s = latency_s
        self._response = lru_cache(_CACHED_RESPONSES)(self._make)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        await self._response(scope["query_string"])(scope, receive, send)

    def _make(self, query: bytes) -> Response:
        try:
            return self._respond(dict(parse_qsl(query.decode("latin-1"))))
        except LookupError:
            return PlainTextResponse("Not Found", 404)
