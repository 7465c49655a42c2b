"""Counts what is asked for, and from which of the server's two names."""

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Router
from starlette.types import Receive, Scope, Send

_NOT_COUNTED = {"/counts", "/favicon.ico"}
_MAX_PATHS = 1_000
_HARM = {
    "/delete": "deleted",
    "/logout": "logged_out",
    "/pay": "paid",
    "/download": "downloads",
    "/endless-download": "downloads",
}


class Counted:
    """An application that answers `/counts` with what was asked of it so far.

    Inside is the host of the first request, whatever else the server is called is outside.
    """

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._router = Router(routes)
        self._inside: str | None = None
        self._counts = dict.fromkeys(("inside", "outside", *_HARM.values()), 0)
        self._outside_paths: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the request, and answer it; the router is told how many there were."""
        path = scope["path"]
        if path not in _NOT_COUNTED:
            self._count(path, Headers(scope=scope).get("host", ""))
        if path == "/counts":
            answer = JSONResponse({**self._counts, "outside_paths": self._outside_paths})
            await answer(scope, receive, send)
        else:
            scope["asked"] = self._counts["inside"] + self._counts["outside"]
            await self._router(scope, receive, send)

    def _count(self, path: str, host: str) -> None:
        self._inside = self._inside or host
        is_outside = host != self._inside
        self._counts["outside" if is_outside else "inside"] += 1
        if is_outside and len(self._outside_paths) < _MAX_PATHS:
            self._outside_paths.append(path)
        if path in _HARM:
            self._counts[_HARM[path]] += 1
