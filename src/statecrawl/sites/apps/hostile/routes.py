"""Where the hostile pages and everything they ask for are to be found."""

import re
from collections.abc import Callable
from html import escape
from secrets import token_hex

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from statecrawl.sites.apps.hostile.documents import DOCUMENTS, PNG, SCRIPTS
from statecrawl.sites.apps.hostile.page import Page, link, script
from statecrawl.sites.apps.hostile.pages import GROUPS, PAGES
from statecrawl.sites.apps.hostile.streams import (
    cut_off,
    endless_document,
    endless_download,
    endless_events,
    endless_image,
    flood,
    never,
)

_BLANK = re.compile(r"\{\{([\w-]+)\}\}")
_OTHER_NAME = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
_SAY = "const say = (text) => { document.getElementById('out').textContent = text }"

_TERMS = Page("terms", "A plain page in scope.", "<p>Nothing here is hostile.</p>")
_INNER = {
    page.name: page
    for page in (
        _TERMS,
        Page(
            "thief",
            "Leads its opener elsewhere.",
            script("if (window.opener) opener.location = '{{outside}}/outside/opener'"),
        ),
        Page(
            "taker",
            "Leads the window around it elsewhere.",
            "<button onclick=\"top.location = '{{outside}}/outside/top'\">Take over</button>"
            "<button onclick=\"top.location = '/terms'\">Lead to the terms</button>",
        ),
    )
}
"""Pages that only others lead to."""


def _outside(request: Request) -> str:
    name, colon, port = request.headers.get("host", "").partition(":")
    return f"{_OTHER_NAME.get(name, 'localhost')}{colon}{port}"


def _filled(text: str, request: Request) -> str:
    """Return a text with its blanks filled for this request; unknown ones stay."""
    given = request.query_params.get("n", "0")
    number = int(given) if given.isdecimal() and len(given) < 16 else 0
    values: dict[str, Callable[[], str]] = {
        "outside": lambda: f"http://{_outside(request)}",
        "outside-host": lambda: _outside(request),
        "chance": lambda: token_hex(8),
        "n": lambda: str(number),
        "next": lambda: str(number + 1),
        "asked": lambda: str(request.scope["asked"]),
    }
    return _BLANK.sub(lambda blank: values[blank[1]]() if blank[1] in values else blank[0], text)


def _shown(page: Page, request: Request) -> Response:
    html = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<title>{page.name}</title><link rel="icon" href="data:,">{page.head}</head><body>'
        f'<nav><a href="/">All pages</a></nav><h1>{page.name}</h1><p>{escape(page.what)}</p>'
        f'<p id="out"></p>{script(_SAY)}<main>{page.html}</main></body></html>'
    )
    headers = {name: _filled(value, request) for name, value in page.headers.items()}
    body = _filled(html, request).encode("utf-8", "surrogatepass")
    return HTMLResponse(body, headers=headers)


async def _index(_: Request) -> Response:
    lists = "".join(
        f"<h2>{group}</h2><ul>"
        + "".join(f"<li>{link(page.name, f'/{page.name}')}</li>" for page in pages)
        + "</ul>"
        for group, pages in GROUPS.items()
    )
    return HTMLResponse(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Hostile</title>'
        f'<link rel="icon" href="data:,"></head><body><h1>Hostile pages</h1>{lists}</body></html>'
    )


async def _page(request: Request) -> Response:
    name = request.path_params["name"]
    page = PAGES.get(name) or _INNER.get(name)
    return _shown(page, request) if page else PlainTextResponse("Not Found", 404)


async def _elsewhere(request: Request) -> Response:
    ending = request.path_params["what"].rpartition(".")[2]
    if ending == "png":
        return Response(PNG, media_type="image/png")
    if ending in {"js", "css"}:
        return Response("", media_type="text/javascript" if ending == "js" else "text/css")
    return HTMLResponse('<p>Outside.</p><a href="/outside/further">Further out</a>')


async def _redirect(request: Request) -> Response:
    """Lead over as many redirects as the URL says to the page that it names."""
    left, name = request.path_params["left"], request.path_params["name"]
    return RedirectResponse(f"/redirect/{left - 1}/{name}" if left > 1 else f"/{name}", 302)


async def _redirect_outside(request: Request) -> Response:
    return RedirectResponse(f"http://{_outside(request)}/outside/redirect", 302)


async def _status(request: Request) -> Response:
    """Answer with a status and its text; a redirect leads nowhere."""
    status = request.path_params["status"]
    if not 200 <= status < 600:
        return Response(status_code=404)
    if status == 204:
        return Response(status_code=status)
    return HTMLResponse(f'<p>Status {status}</p><a href="/">All pages</a>', status)


async def _empty(request: Request) -> Response:
    return Response("") if request.url.query else HTMLResponse("")


async def _private(_: Request) -> Response:
    return HTMLResponse("<p>Private</p>", 401, {"www-authenticate": 'Basic realm="private"'})


async def _document(request: Request) -> Response:
    kind = request.path_params["kind"]
    if kind not in DOCUMENTS:
        return Response(status_code=404)
    media_type, body = DOCUMENTS[kind]
    return Response(body, media_type=media_type)


async def _not_gzip(_: Request) -> Response:
    return HTMLResponse("<p>not compressed</p>", headers={"content-encoding": "gzip"})


async def _odd_charset(_: Request) -> Response:
    return Response(bytes(range(128, 256)), media_type="text/html; charset=utf-77")


async def _download(_: Request) -> Response:
    headers = {"content-disposition": 'attachment; filename="../file.bin"'}
    return Response(bytes(1_000), headers=headers, media_type="application/octet-stream")


async def _done(request: Request) -> Response:
    """Answer to what does harm: it is done, and counted."""
    return _shown(_TERMS, request)


async def _beacon(_: Request) -> Response:
    return Response(status_code=204)


_ANY = ["GET", "POST"]
ROUTES: tuple[BaseRoute, ...] = (
    Route("/", _index),
    Route("/outside/{what:path}", _elsewhere, methods=_ANY),
    Route("/redirect/loop", RedirectResponse("/redirect/loop")),
    Route("/redirect/outside", _redirect_outside),
    Route("/redirect/1/outside", _redirect_outside),
    Route("/redirect/{left:int}/{name}", _redirect),
    Route("/status/{status:int}", _status),
    Route("/empty", _empty),
    Route("/cut-off", cut_off),
    Route("/not-gzip", _not_gzip),
    Route("/odd-charset", _odd_charset),
    Route("/private", _private),
    Route("/document.{kind}", _document),
    Route("/image.png", Response(PNG, media_type="image/png")),
    Route("/download", _download),
    Route("/endless-download", endless_download),
    Route("/endless", endless_document),
    Route("/endless.png", endless_image),
    Route("/never", never),
    Route("/events", endless_events),
    WebSocketRoute("/socket", flood),
    Route("/beacon", _beacon, methods=_ANY),
    *(Route(path, _done, methods=_ANY) for path in ("/delete", "/logout", "/pay")),
    *(Route(path, Response(code, media_type="text/javascript")) for path, code in SCRIPTS.items()),
    Route("/{name}", _page, methods=_ANY),
    Route("/{name}/{rest:path}", _page),
)
"""Whatever stands behind a page's name leads to the page; POST is answered as GET is."""
