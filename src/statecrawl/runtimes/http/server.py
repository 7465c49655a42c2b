"""The coordinator's address: what nodes may ask for, as FastAPI serves it."""

import hmac
from collections.abc import Callable, Sequence
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
from statecrawl.runtimes.http.bodies import (
    COUNTS,
    VERSION_HEADER,
    Delivery,
    Letter,
    Membership,
    Parcel,
    Problem,
    Receipt,
    Verdict,
    Visits,
)
from statecrawl.runtimes.hub import Hub
from statecrawl.runtimes.line import ForgottenError

MAX_BODY_BYTES = 64_000_000
TOO_LARGE = f"the body has more than {MAX_BODY_BYTES:,} bytes"
MAX_WAIT_SECONDS = 30.0
TO_COORDINATOR, TO_NODE = codec(ToStarCoordinator), codec(ToStarNode)
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
    describe: Callable[[], dict[str, Any]],
    version: str,
    token: str = "",
    hosts: Sequence[str] = (),
) -> ASGIApp:
    """Return the application that serves a hub; `describe` says what every node has to know.

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
    app.include_router(_routes(hub, describe))
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(RequestValidationError, _doubt)
    app.add_exception_handler(MessageError, _misread)
    app.add_exception_handler(ForgottenError, _forgotten)
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


def _routes(hub: Hub, describe: Callable[[], dict[str, Any]]) -> APIRouter:
    """Return what there is to ask for."""
    routes = APIRouter()

    @routes.post("/nodes", status_code=201)
    async def join() -> Membership:
        """Take part in the crawl."""
        name = hub.join()
        if name is None:
            raise HTTPException(422, "there are too many nodes in this crawl")
        return Membership(name=name, crawl=describe())

    @routes.post("/nodes/{name}/letters")
    async def send(name: Name, parcel: Parcel) -> Receipt:
        """Send letters to the coordinator; those that come twice count once."""
        started = perf_counter()
        envelopes = [letter.envelope(TO_COORDINATOR) for letter in parcel.letters]
        hub.hear(name, envelopes, COUNTS.read(parcel.counts))
        return Receipt(seconds=perf_counter() - started)

    @routes.get("/nodes/{name}/letters")
    async def receive(name: Name, wait: Wait = 0.0) -> Delivery:
        """Wait for letters from the coordinator."""
        mail = await hub.letters(name, wait)
        return Delivery(
            letters=[Letter.of(each, TO_NODE) for each in mail.envelopes],
            doubts=list(mail.doubts),
            is_over=mail.is_over,
            is_paused=mail.is_paused,
        )

    @routes.post("/nodes/{name}/visits")
    async def show(name: Name, visits: Visits) -> Verdict:
        """Show a doubtful page at two more visits; what nobody asked for is passed over."""
        pages, counts = visits.pages, COUNTS.read(visits.counts)
        return Verdict(is_forgotten=hub.show(name, visits.state, pages, counts))

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


async def _misread(request: Request, error: Exception) -> Response:
    del request
    return _problem(422, f"no message of ours: {error}")


async def _forgotten(request: Request, error: Exception) -> Response:
    del request, error
    return _problem(404, "there is no such node in this crawl: join again")


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
