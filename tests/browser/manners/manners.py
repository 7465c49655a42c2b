"""Six small applications, each with the manners of a kind of web pages, and its true model.

Every control has the name of its event as title, and nothing else can be clicked.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count, product
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, Router

from statecrawl.sites.server import serve_asgi

States = dict[str, dict[str, str]]
"""For each state, where each event leads. The first state is the initial one."""


class Manner(NamedTuple):
    """An application: its document, its true model, and answers to its requests by URL.

    Elements that `noise` selects, and ids if there is noise, differ from one visit of a state
    to another.
    """

    html: str
    states: States
    answers: Mapping[str, object]
    noise: str = ""

    @property
    def initial(self) -> str:
        return next(iter(self.states))


@asynccontextmanager
async def serve_manner(name: str) -> AsyncIterator[str]:
    """Serve one of the applications; every URL that is no request for data is its document."""
    manner = MANNERS[name]
    visits = count(1)

    async def respond(request: Request) -> Response:
        if request.url.path.startswith("/api/"):
            url = f"{request.url.path}?{request.url.query}".removesuffix("?")
            if url not in manner.answers:
                return Response(status_code=404)
            return JSONResponse(manner.answers[url])
        return HTMLResponse(manner.html.replace("{{visits}}", str(next(visits))))

    async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
        yield url


def _lift() -> States:
    states = {}
    for floor in range(5):
        closed, opened = f"floor {floor}, closed", f"floor {floor}, open"
        states[closed] = {"open": opened}
        if floor < 4:
            states[closed]["up"] = f"floor {floor + 1}, closed"
        if floor > 0:
            states[closed]["down"] = f"floor {floor - 1}, closed"
        states[opened] = {"close": closed}
    return states


def _pizza() -> States:
    sizes, toppings = ("small", "medium", "large"), ("cheese", "olives", "mushrooms")
    states: States = {"size": {f"size:{size}": size for size in sizes}}
    for size in sizes:
        states[size] = {f"topping:{topping}": f"{size}, {topping}" for topping in toppings}
        states[size]["back"] = "size"
    for size, topping in product(sizes, toppings):
        states[f"{size}, {topping}"] = {"order": "oven", "back": size}
    states["oven"] = {"again": "size"}
    return states


def _handbook() -> States:
    sections = ("rules", "forms", "people")
    tabs = ("travel", "money", "health")
    return {
        f"{tab} {opened}".strip(): {
            **{f"tab:{other}": other for other in tabs},
            **{f"section:{name}": tab if name == opened else f"{tab} {name}" for name in sections},
        }
        for tab, opened in product(tabs, ("", *sections))
    }


def _gazette() -> States:
    menu = {"home": "/", "articles": "/articles", "about": "/about"}
    states: States = {"/": {**menu}, "/about": {**menu}, "/articles": {**menu}}
    for n in range(1, 5):
        page = f"/articles/{n}"
        states["/articles"][f"article {n}"] = page
        states[page] = {**menu, "comments": f"{page}/comments"}
        if n < 4:
            states[page]["next"] = f"/articles/{n + 1}"
        states[f"{page}/comments"] = {**menu, "back": page}
    return states


_CITIES = ("Oslo", "Lima", "Cairo", "Delhi")


def _weather() -> States:
    cities = {f"city:{name}": name for name in _CITIES}
    states: States = {"start": {**cities, "help": "help"}, "help": {**cities}}
    for name in _CITIES:
        states[name] = {**cities, "tips": f"tips {name}", "story": f"story {name}"}
        states[f"tips {name}"] = {"close": name}
        states[f"story {name}"] = {"close": name}
    return states


def _weather_answers() -> dict[str, object]:
    return {
        "/api/cities": _CITIES,
        **{f"/api/station?city={name}": {"station": i} for i, name in enumerate(_CITIES)},
        **{f"/api/weather?station={i}": {"text": f"{20 + i} degrees"} for i in range(len(_CITIES))},
    }


def _album() -> States:
    states: States = {}
    for place, (view, flip) in product(range(8), (("whole", "zoom"), ("zoomed", "shrink"))):
        events = {flip: f"photo {place}, {'zoomed' if view == 'whole' else 'whole'}"}
        if place > 0:
            events["previous"] = f"photo {place - 1}, {view}"
        if place < 7:
            events["next"] = f"photo {place + 1}, {view}"
        states[f"photo {place}, {view}"] = events
    return states


def _read(name: str) -> str:
    return Path(__file__).with_name(f"{name}.html").read_text("utf-8")


MANNERS = {
    "inline": Manner(_read("inline"), _lift(), {}),
    "listeners": Manner(_read("listeners"), _pizza(), {}),
    "delegated": Manner(_read("delegated"), _handbook(), {}),
    "routes": Manner(_read("routes"), _gazette(), {}),
    "late": Manner(_read("late"), _weather(), _weather_answers()),
    "restless": Manner(_read("restless"), _album(), {}, noise=".clock, .visits"),
}
"""Inline handlers, a listener on each element, one listener for all, history.pushState,
content that comes late, and pages that are never the same."""
