"""The coordinator's address: what nodes may ask for, as FastAPI serves it."""

import hmac
from collections.abc import Sequence
from time import perf_counter
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from statecrawl.coordination.star_messages import ToStarCoordinator, ToStarNode
from statecrawl.coordination.wire import MessageError, codec
from statecrawl.core.counts import Counts
from statecrawl.runtimes.http.bodies import (
    VERSION_HEADER,
    Delivery,
    Letter,
    Membership,
    Parcel,
    Problem,
    Receipt,
)
from statecrawl.runtimes.hub import Hub

MAX_BODY_BYTES = 64_000_000
TOO_LARGE = f"the body has more than {MAX_BODY_BYTES:,} bytes"
MAX_WAIT_SECONDS = 30.0
TO_COORDINATOR, TO_NODE, COUNTS = codec(ToStarCoordinator), codec(ToStarNode), codec(Counts)
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": why}
    for code, why in {
        400: "The body can't be read.",
        401: "The token is wrong or missing.",
        404: "There is no such node.",
        413: "The body is too large.",
        422: "The body is no message of ours.",
        426: "The node has another version.",
    }.items()
}

Name = Annotated[str, Path(description="The name that a node was given.", max_length=64)]
Wait = Annotated[
    float, Query(ge=0, le=MAX_WAIT_SECONDS, description="How long to wait for letters, at most.")
]


def coordinator_app(
    hub: Hub,
    crawl: dict[str, Any],
    version: str,
    token: str = "",
    hosts: Sequence[str] = (),
) -> ASGIApp:
    """Return the application that serves a hub; `crawl` is what every node has to know.

    If hosts are named, only by these names it may be asked: no page of another site reaches us
    under a name of its own.
    """
    app = FastAPI(
        title="statecrawl coordinator",
        version=version,
        dependencies=[Depends(_Door(version, token))],
        responses=REFUSALS,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(_routes(hub, crawl))
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(RequestValidationError, _doubt)
    if hosts:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return _Bounded(app)


class _Door:
    """Lets in who has the token and the same version."""

    def __init__(self, version: str, token: str) -> None:
        self._version = version
        self._token = token

    async def __call__(
        self,
        version: Annotated[str, Header(alias=VERSION_HEADER, max_length=64)] = "",
        authorization: Annotated[str, Header(max_length=1_100)] = "",
    ) -> None:
        """Refuse others."""
        given = authorization.removeprefix("Bearer ").encode()
        if self._token and not hmac.compare_digest(given, self._token.encode()):
            raise HTTPException(401, "wrong token: give the coordinator's with --token-file")
        if version != self._version:
            raise HTTPException(
                426,
                f"the coordinator is statecrawl {self._version}, the node {version or 'unknown'}: "
                "install the same version on both",
            )


def _routes(hub: Hub, crawl: dict[str, Any]) -> APIRouter:
    """Return what there is to ask for."""
    routes = APIRouter()

    def known(name: Name) -> str:
        if not hub.knows(name):
            raise HTTPException(404, "there is no such node in this crawl: join again")
        return name

    @routes.post("/nodes", status_code=201)
    async def join() -> Membership:
        """Take part in the crawl."""
        name = hub.join()
        if name is None:
            raise HTTPException(422, "there are too many nodes in this crawl")
        return Membership(name=name, crawl=crawl)

    @routes.post("/nodes/{name}/letters")
    async def send(name: Annotated[str, Depends(known)], parcel: Parcel) -> Receipt:
        """Send letters to the coordinator; those that come twice count once."""
        started = perf_counter()
        try:
            envelopes = [letter.envelope(TO_COORDINATOR) for letter in parcel.letters]
            counts = COUNTS.read(parcel.counts)
        except MessageError as error:
            raise HTTPException(422, f"no message of ours: {error}") from None
        hub.hear(name, envelopes, counts)
        return Receipt(seconds=perf_counter() - started)

    @routes.get("/nodes/{name}/letters")
    async def receive(name: Annotated[str, Depends(known)], wait: Wait = 0.0) -> Delivery:
        """Wait for letters from the coordinator."""
        mail = await hub.letters(name, wait)
        letters = [Letter.of(each, TO_NODE) for each in mail.envelopes]
        return Delivery(letters=letters, is_over=mail.is_over, is_paused=mail.is_paused)

    return routes


async def _refuse(request: Request, error: Exception) -> Response:
    del request
    code = error.status_code if isinstance(error, HTTPException) else 500
    return _problem(code, str(getattr(error, "detail", error)))


async def _doubt(request: Request, error: Exception) -> Response:
    del request
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    where = ".".join(map(str, first.get("loc", ())))
    return _problem(422, f"no message of ours: {where[:80]}: {str(first.get('msg'))[:120]}")


def _problem(code: int, why: str) -> Response:
    return JSONResponse({"error": " ".join(why.split())}, code)


class _Bounded:
    """Reads no more than a body may have."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and end it when it is too large."""
        length = Headers(scope=scope).get("content-length", "") if scope["type"] == "http" else ""
        read = 0

        async def bounded() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MAX_BODY_BYTES:
                raise HTTPException(413, TOO_LARGE)
            return message

        if length.isdecimal() and int(length) > MAX_BODY_BYTES:
            await _problem(413, TOO_LARGE)(scope, receive, send)
        else:
            await self._app(scope, bounded, send)
