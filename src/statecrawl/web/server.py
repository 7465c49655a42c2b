"""The page's server: what the page asks for, as HTTP."""

from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp

from statecrawl.core.wish import Wish
from statecrawl.errors import InputError, StatecrawlError
from statecrawl.web.desk import Desk, encoded
from statecrawl.web.finder import Finder
from statecrawl.web.guard import Guard
from statecrawl.web.pictures import media_type
from statecrawl.web.replay import Replay, Replays
from statecrawl.web.shell import BUNDLE, bundled, shell

_TYPES = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


def page_app(desk: Desk[Any], finder: Finder, replay: Replay, token: str = "") -> ASGIApp:
    """Return the application that serves the page over one crawl."""
    app = Starlette(
        routes=_Routes(desk, finder, Replays(replay)).all(),
        exception_handlers={StatecrawlError: _blame},
    )
    return Guard(app, token)


class _Routes:
    """What there is to ask for."""

    def __init__(self, desk: Desk[Any], finder: Finder, replays: Replays) -> None:
        self._desk = desk
        self._finder = finder
        self._replays = replays

    def all(self) -> list[BaseRoute]:
        return [
            Route("/", self._page),
            *bundle_routes(),
            Route("/api/crawl", self._crawl),
            Route("/api/progress", self._progress),
            Route("/api/states/{state}", self._state),
            Route("/api/merging", self._merging),
            Route("/api/search", self._search),
            *_pictures("/api", self._desk),
            *self._before(),
            Route("/api/wish/{wish}", self._ask, methods=["POST"]),
            WebSocketRoute("/api/replay/{state}", self._replays.serve),
        ]

    async def _page(self, request: Request) -> Response:
        del request
        return HTMLResponse(shell(), headers={"Cache-Control": "no-cache"})

    async def _crawl(self, request: Request) -> Response:
        known = request.query_params.get("known", "0")
        version, document = await self._desk.crawl(int(known) if known.isdecimal() else 0)
        if document is None:
            return Response(status_code=204)
        return json_response(document, {"X-Version": str(version)})

    async def _progress(self, request: Request) -> Response:
        del request
        return json_response(encoded(await self._desk.progress()))

    async def _state(self, request: Request) -> Response:
        document = await self._desk.state(request.path_params["state"])
        if document is None:
            raise HTTPException(404, "There is no such state in this crawl")
        return json_response(encoded(document))

    async def _merging(self, request: Request) -> Response:
        del request
        return json_response(await self._desk.merging())

    async def _search(self, request: Request) -> Response:
        """Search; a query that is only half typed is no bad request, but has a problem."""
        try:
            found = await self._finder.find(request.query_params.get("q", ""))
            return json_response(encoded(found))
        except InputError as error:
            return json_response(encoded({"problem": str(error)}))

    def _before(self) -> list[Route]:
        """Return what there is to ask for about the crawl to compare with."""
        before = self._desk.before
        if before is None:
            return []
        return [Route("/api/comparison", self._comparison), *_pictures("/api/before", before.desk)]

    async def _comparison(self, request: Request) -> Response:
        del request
        return json_response(encoded(await self._desk.comparison()))

    async def _ask(self, request: Request) -> Response:
        try:
            wish = Wish(request.path_params["wish"])
        except ValueError:
            raise HTTPException(404, "There is no such wish") from None
        await self._desk.ask(wish)
        return Response(status_code=204)


def _pictures(under: str, desk: Desk[Any]) -> list[Route]:
    """Return the routes to the pictures of a crawl."""

    async def picture(request: Request) -> Response:
        return picture_response(await desk.picture(request.path_params["state"]))

    async def small(request: Request) -> Response:
        return picture_response(await desk.small_picture(request.path_params["state"]))

    return [
        Route(f"{under}/pictures/{{state}}", picture),
        Route(f"{under}/thumbnails/{{state}}", small),
    ]


async def _blame(request: Request, error: Exception) -> Response:
    """Tell an error of ours in its one line."""
    del request
    return PlainTextResponse(str(error), 500)


def bundle_routes() -> list[Route]:
    """Return the routes to the files that every page of ours loads."""
    return [Route(f"/{name}", _file(name)) for name in BUNDLE]


def _file(name: str) -> Response:
    media = _TYPES[name.rpartition(".")[2]]
    return Response(bundled(name), media_type=media, headers={"Cache-Control": "no-cache"})


def json_response(document: bytes, headers: dict[str, str] | None = None) -> Response:
    """Return a document that nobody keeps."""
    more = {"Cache-Control": "no-store", **(headers or {})}
    return Response(document, media_type="application/json", headers=more)


def picture_response(picture: bytes | None) -> Response:
    """Return a picture, or that there is none."""
    if picture is None:
        raise HTTPException(404, "There is no picture of this state")
    headers = {"Cache-Control": "private, max-age=60"}
    return Response(picture, media_type=media_type(picture), headers=headers)
