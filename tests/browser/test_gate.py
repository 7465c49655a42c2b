"""Nothing out of scope is ever asked for, and what pages do beside their steps ends no crawl."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, Router

from statecrawl.core.crawled import Crawled
from statecrawl.core.stopping import StopReason
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import crawl

Documents = Mapping[str, str]


class Visited:
    """How often each path was asked for, inside and outside, and by whom."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()
        self.outside: Counter[str] = Counter()
        self.agents: set[str] = set()


@asynccontextmanager
async def counting(documents: Documents) -> AsyncIterator[tuple[str, Visited]]:
    """Serve documents; OUTSIDE in them is the same server under another name."""
    visited = Visited()

    async def respond(request: Request) -> Response:
        path = request.url.path
        is_inside = request.url.hostname == "127.0.0.1"
        if path == "/favicon.ico":
            return Response(status_code=404)
        (visited.inside if is_inside else visited.outside)[path] += 1
        visited.agents.add(request.headers["user-agent"])
        outside = f"http://localhost:{request.url.port}"
        if path == "/away":
            return RedirectResponse(f"{outside}/redirected")
        if path == "/nothing":
            return Response(status_code=204)
        if path == "/file":
            return Response("x", headers={"content-disposition": "attachment; filename=x.bin"})
        if path not in documents:
            return Response("nothing here", status_code=404, media_type="text/plain")
        inside = f"http://127.0.0.1:{request.url.port}"
        body = documents[path].replace("OUTSIDE", outside).replace("INSIDE", inside)
        kind = "text/plain" if path.endswith((".txt", ".xml")) else "text/html"
        return HTMLResponse(body, media_type=kind)

    async with serve_asgi(Router([Route("/{path:path}", respond, methods=["GET", "POST"])])) as url:
        yield url, visited


def crawled(documents: Documents, folder: Path, **options: Any) -> tuple[str, Crawled, Visited]:
    """Crawl documents: their URL, what was found, and what was asked for."""

    async def run() -> tuple[str, Crawled, Visited]:
        async with counting(documents) as (url, visited):
            return url, await crawl(url, folder / "crawl", **options), visited

    return asyncio.run(run())


def button(name: str, code: str) -> str:
    return f'<button onclick="{code}">{name}</button>'


LEAKS = "<p>leaks</p>" + "".join(
    [
        '<a href="OUTSIDE/link">out</a><a href="/away">redirect</a>',
        button("script", "location = 'OUTSIDE/script'"),
        button("popup", "window.open('OUTSIDE/popup')"),
        button("noopener", "window.open('OUTSIDE/noopener', '_blank', 'noopener')"),
        button("redirected popup", "window.open('/away')"),
        button(
            "later",
            "const a = document.createElement('a'); a.href = 'OUTSIDE/blank'; "
            "a.target = '_blank'; document.body.append(a); a.click(); a.remove()",
        ),
        '<form action="OUTSIDE/form" method="post"><button>send</button></form>',
        '<form action="OUTSIDE/form2" target="_blank"><button>send off</button></form>',
        '<link rel="prefetch" href="OUTSIDE/prefetch" as="document">',
        '<script type="speculationrules">'
        '{"prefetch": [{"urls": ["OUTSIDE/speculated"], "eagerness": "immediate"}]}</script>',
        '<iframe src="OUTSIDE/frame"></iframe>',
    ]
)


def test_nothing_out_of_scope_is_asked_for(tmp_path: Path) -> None:
    _, found, visited = crawled({"/": LEAKS}, tmp_path)
    assert not visited.outside
    assert found.counts.stop_reason == StopReason.COMPLETE
    assert len(found.states) == 1
    assert visited.inside["/away"] >= 1
    assert {"out_of_scope", "out_of_scope_frame", "popup"} <= set(found.counts.failures)
    assert len(found.transitions) == 1 + 8


def test_an_isolated_crawl_reaches_no_other_host_at_all(tmp_path: Path) -> None:
    page = (
        '<img src="OUTSIDE/picture"><script src="OUTSIDE/script"></script>'
        "<script>fetch('OUTSIDE/fetched').catch(() => {});"
        "navigator.sendBeacon('OUTSIDE/beacon')</script><p>page</p>"
    )
    _, found, visited = crawled({"/": page}, tmp_path, isolate=True)
    assert len(found.states) == 1
    assert visited.inside["/"] >= 1
    assert not visited.outside


def test_a_link_that_only_a_real_click_hits_is_not_waited_for(tmp_path: Path) -> None:
    page = """<div id=box style="width: 40px"><a href="OUTSIDE/link">about</a></div><script>
    box.addEventListener('click', (event) => event.stopPropagation());</script>"""
    _, found, visited = crawled({"/": page}, tmp_path)
    assert visited.outside == Counter()
    assert found.summary()["failures"] == {"out_of_scope": 1}  # and no document that never came
    _, found, _ = crawled({"/": page.replace("OUTSIDE/link", "mailto:us")}, tmp_path / "mail")
    assert found.summary()["failures"] == {}


NO_DOCUMENTS = ("mailto:us", "/nothing", "/file")


@pytest.mark.parametrize("url", NO_DOCUMENTS)
def test_a_page_that_leads_to_no_document_as_it_loads_stays_what_it_is(
    url: str, tmp_path: Path
) -> None:
    page = f"""<p id=out>here</p>{button("Go", "out.textContent = 'gone'")}<script>
    addEventListener('load', () => {{ location = '{url}'; }});</script>"""
    _, found, _ = crawled({"/": page}, tmp_path)
    assert (len(found.states), len(found.transitions)) == (2, 3)
    assert set(found.summary()["failures"]) <= {"download"}
    at_once = f"<p>here</p><script>location = '{url}';</script>"
    _, found, _ = crawled({"/": at_once}, tmp_path / "at once")
    assert len(found.states) == 1
    assert set(found.summary()["failures"]) <= {"download"}


def test_what_waits_for_a_person_is_answered(tmp_path: Path) -> None:
    page = "".join(
        [
            button("alert", "alert(1); document.title = this.title = 'alerted'"),
            button("confirm", "if (confirm('?')) this.title = 'sure'"),
            button("prompt", "this.title = prompt('?', 'me')"),
            button("print", "window.print()"),
            button("close", "window.close()"),
            button("where", "navigator.geolocation.getCurrentPosition(() => {})"),
            button("file", "document.querySelector('input').click()"),
            '<input type="file" hidden><a href="/file">download</a><a href="/nothing">none</a>',
            button("stay?", "onbeforeunload = (event) => event.preventDefault()"),
            '<a href="/other">other</a>',
        ]
    )
    url, found, _ = crawled({"/": page, "/other": "<p>other</p>"}, tmp_path)
    kinds = set(found.counts.failures)
    assert {"dialog", "print", "close", "permission", "file_chooser", "download"} <= kinds
    texts = {state.title for state in found.states.values()}
    assert "alerted" in texts
    assert {state.url for state in found.states.values()} == {url, f"{url}other"}


def test_popups_in_scope_become_entries(tmp_path: Path) -> None:
    page = button("terms", "window.open('/terms')")
    url, found, _ = crawled({"/": page, "/terms": "<p>terms</p>"}, tmp_path)
    assert set(found.entries) == {url, f"{url}terms"}
    assert len(found.states) == 2


LINKED = {
    f"/{name}": f"<h1>{name}</h1>"
    + "".join(f'<a href="/{other}">{other}</a>' for other in ("", "b", "c", "d"))
    for name in ("", "b", "c", "d")
}


def test_documents_that_link_to_each_other_are_opened_once(tmp_path: Path) -> None:
    url, found, visited = crawled(LINKED, tmp_path)
    assert len(found.states) == 4
    assert len(found.transitions) == 4 + 16
    assert found.summary()["assumed"] >= 8
    assert set(found.entries) == {url, *(f"{url}{name}" for name in "bcd")}
    assert not visited.outside
    assert all("statecrawl/" in agent for agent in visited.agents)


def test_each_link_is_followed_when_that_is_wanted(tmp_path: Path) -> None:
    _, found, _ = crawled(LINKED, tmp_path, links="each")
    assert found.summary()["assumed"] == 0
    assert len(list(found.explored)) == 16


def test_patterns_robots_and_sitemaps_say_where_to_go(tmp_path: Path) -> None:
    more = {
        **LINKED,
        "/robots.txt": "User-agent: *\nDisallow: /c\n",
        "/sitemap.xml": "<urlset><url><loc>INSIDE/hidden</loc></url></urlset>",
        "/hidden": "<p>hidden</p>",
    }
    url, found, visited = crawled(
        more, tmp_path, exclude=("/d",), respect_robots=True, sitemap=True
    )
    assert {state.url for state in found.states.values()} == {url, f"{url}b", f"{url}hidden"}
    assert not visited.inside["/c"]
    assert not visited.inside["/d"]


BAD = {
    "/": '<a href="/busy">busy</a><a href="/gone">gone</a><a href="/good">good</a>'
    '<a href="/text.txt">text</a><a href="/soon">soon</a>'
    + button("loop", "for (;;);")
    + button("blank", "location = 'about:blank'")
    + button("fine", "this.textContent = 'done'"),
    "/busy": "<script>for (;;);</script>",
    "/good": "<p>good</p>",
    "/soon": '<meta http-equiv="refresh" content="2; url=/good">',
}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.browser.conversation.HANG_SECONDS", 2.0)
    monkeypatch.setattr("statecrawl.browser.conversation.PING_SECONDS", 0.3)


@pytest.mark.usefixtures("impatient")
def test_bad_pages_are_left_behind_and_the_rest_is_crawled(tmp_path: Path) -> None:
    url, found, _ = crawled(BAD, tmp_path)
    assert found.counts.stop_reason == StopReason.COMPLETE
    assert shown(found, url) >= {"", "good"}
    named = {pair: why for pair, why in found.refused.items() if '"' in pair[1]}
    reasons = {event.split('"')[1]: why for (_, event), why in named.items()}
    assert reasons["loop"] == "hang"
    assert reasons["busy"] == "hang"
    assert reasons["text"] == "not_a_page"
    assert reasons["blank"] == "not_a_page"
    soon = next(t for t in found.explored if '"soon"' in t.event)
    assert found.states[soon.target].url == f"{url}good"


def shown(found: Crawled, url: str) -> set[str]:
    return {state.url.removeprefix(url) for state in found.states.values()}
