"""A login in front of an application: who has no session gets a form and nothing else."""

import secrets
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

USER = "ann"
PASSWORD = "altoro-4711"  # noqa: S105 - of a site that is there to be crawled
COOKIE = "session"
OPEN = ("/app.js",)
"""What everybody may see."""

_FORM = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Sign in</title><link rel="icon" href="data:,"></head>
<body>
<h1>Customers only</h1>
<form method="post" action="/login">
<p><label>User name <input name="user"></label></p>
<p><label>Password <input name="password" type="password"></label></p>
<p>{problem}</p>
<button>Sign in</button>
</form>
</body>
</html>
"""


class Wall:
    """Lets those pass who signed in; a session ends after so many requests, if it ever does."""

    def __init__(self, app: ASGIApp, session_requests: int = 0) -> None:
        self._app = app
        self._session_requests = session_requests
        self._sessions: dict[str, int] = {}  # requests so far

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have the application do so."""
        request = Request(scope, receive)
        if request.url.path == "/login":
            answer: ASGIApp = await self._sign_in(request)
        elif request.url.path in OPEN or self._holds(request.cookies.get(COOKIE, "")):
            answer = self._app
        elif request.headers.get("sec-fetch-dest") == "document":
            answer = RedirectResponse("/login", 303)
        else:
            answer = JSONResponse({"error": "signed out"}, 401)
        await answer(scope, receive, send)

    def _holds(self, session: str) -> bool:
        """Tell whether a session is there, and count the request."""
        if session not in self._sessions:
            return False
        self._sessions[session] += 1
        if self._sessions[session] == self._session_requests:
            del self._sessions[session]
        return True

    async def _sign_in(self, request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(_FORM.format(problem=""))
        given = parse_qs((await request.body()).decode("utf-8", "replace"))
        if (given.get("user"), given.get("password")) != ([USER], [PASSWORD]):
            return HTMLResponse(_FORM.format(problem="The user name or password is wrong."))
        session = secrets.token_urlsafe(16)
        self._sessions[session] = 0
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, session, httponly=True, samesite="lax")
        return answer
