"""Who may talk to the page's server, and what browsers may do with its answers."""

import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from statecrawl.web.shell import FROM_SERVER

COOKIE = "statecrawl-token"
TOKEN = "token"  # noqa: S105 - the name of a parameter
_HEADERS = {
    "Content-Security-Policy": FROM_SERVER,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Lets in whoever is on this machine or has the token, from our own page only.

    Without a token the name that was asked for has to be one of the loopback: no page of another
    site can reach us under a name of its own.
    """

    def __init__(self, app: ASGIApp, token: str = "") -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if refusal is None:
            await self._app(scope, receive, send_with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if not self._token and not is_loopback(_name(host)):
            return PlainTextResponse("Open this page at http://127.0.0.1", 421)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return PlainTextResponse("Only our own page may ask for this", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not (
            scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        ):
            return PlainTextResponse("Only our own page may ask for this", 403)
        return None if not self._token else self._ask_for_token(scope, headers)

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Take the token from the address once, then from a cookie."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN, [""])[0]
        if scope["path"] == "/" and self._is_token(given):
            response = RedirectResponse("/", 303)
            response.set_cookie(COOKIE, given, httponly=True, samesite="strict")
            return response
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and self._is_token(cookie.value):
            return None
        return PlainTextResponse(
            "Open the address that statecrawl view printed, token and all", 401
        )

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def is_loopback(host: str) -> bool:
    """Tell whether a name or an address is this machine's own, for itself only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """Return the name or the address in a Host header."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
