"""The annotation page's server: a pair of pages, what is said about it, and taking it back."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from statecrawl.errors import StatecrawlError
from statecrawl.web.desk import encoded
from statecrawl.web.guard import Guard
from statecrawl.web.server import bundle_routes, json_response, picture_response
from statecrawl.web.shell import LABEL, shell

MAX_BODY = 10_000
MAX_PASSED = 200
Thing = TypeVar("Thing")
Pair = tuple[str, str]


class Annotator(Protocol):
    """Whoever knows the pages and the answers."""

    def document(self, pair: Pair | None = None, passed: frozenset[Pair] = frozenset()) -> Any:
        """Return what the page shows."""
        ...

    def answer(self, one: str, other: str, answer: str, by: str) -> None:
        """Note what somebody says about a pair."""
        ...

    def rest(self, by: str) -> None:
        """Note that all that is left is distinct."""
        ...

    def undo(self, by: str) -> Pair | None:
        """Take back the last answer; return its pair."""
        ...

    def picture(self, state: str) -> bytes:
        """Return the picture of a page; nothing when there is none."""
        ...


def label_app(annotator: Annotator, token: str = "") -> ASGIApp:
    """Return the application that serves the annotation page."""
    app = Starlette(routes=_Routes(annotator).all(), exception_handlers={StatecrawlError: _refuse})
    return Guard(app, token)


class _Routes:
    """What there is to ask for; one thread answers, so that answers come one after the other."""

    def __init__(self, annotator: Annotator) -> None:
        self._annotator = annotator
        self._thread = ThreadPoolExecutor(1, "statecrawl-label")

    def all(self) -> list[BaseRoute]:
        return [
            Route("/", self._page),
            *bundle_routes(),
            Route("/api/pair", self._pair),
            Route("/api/answer", self._answer, methods=["POST"]),
            Route("/api/rest", self._rest, methods=["POST"]),
            Route("/api/undo", self._undo, methods=["POST"]),
            Route("/api/pictures/{state}", self._picture),
        ]

    async def _page(self, request: Request) -> Response:
        del request
        return HTMLResponse(shell(kind=LABEL), headers={"Cache-Control": "no-cache"})

    async def _pair(self, request: Request) -> Response:
        asked = request.query_params
        one, other = asked.get("one"), asked.get("other")
        pair = None if one is None or other is None else (one, other)
        left = [each.split("~", 1) for each in asked.getlist("passed")[:MAX_PASSED]]
        passed = frozenset((each[0], each[1]) for each in left if len(each) == 2)
        return await self._told(lambda: self._annotator.document(pair, passed))

    async def _answer(self, request: Request) -> Response:
        said = await _body(request)
        one, other, answer = (_text(said, name) for name in ("one", "other", "answer"))
        by = _text(said, "by")
        await self._do(lambda: self._annotator.answer(one, other, answer, by))
        return await self._told(self._annotator.document)

    async def _rest(self, request: Request) -> Response:
        by = _text(await _body(request), "by")
        await self._do(lambda: self._annotator.rest(by))
        return await self._told(self._annotator.document)

    async def _undo(self, request: Request) -> Response:
        by = _text(await _body(request), "by")
        pair = await self._do(lambda: self._annotator.undo(by))
        return await self._told(lambda: self._annotator.document(pair))

    async def _picture(self, request: Request) -> Response:
        state = request.path_params["state"]
        return picture_response(await self._do(lambda: self._annotator.picture(state)) or None)

    async def _told(self, document: Callable[[], Any]) -> Response:
        return json_response(encoded(await self._do(document)))

    async def _do(self, work: Callable[[], Thing]) -> Thing:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


async def _body(request: Request) -> dict[str, Any]:
    """Return the small JSON object that was sent."""
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MAX_BODY:
            raise HTTPException(413, "That is too much")
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise HTTPException(400, "Send a JSON object")
    return said


def _text(said: dict[str, Any], name: str) -> str:
    value = said.get(name, "")
    if not isinstance(value, str):
        raise HTTPException(400, f"{name} has to be a text")
    return value


async def _refuse(request: Request, error: Exception) -> Response:
    """Tell in one line why an answer can't be taken."""
    del request
    return PlainTextResponse(str(error), 409)
