"""Pages that break, hang or never end are left for a named reason, and nothing is left of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from time import monotonic

import psutil
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.losses import PageLostError
from statecrawl.core.crawled import Crawled
from statecrawl.core.problems import FindingKind
from statecrawl.core.stopping import StopReason
from statecrawl.sites.apps.hostile.streams import endless_document, never
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import crawl, identities, served

ERRORS = {
    "/": '<h1>All</h1><a href="/gone">gone</a><a href="/broken">broken</a>'
    '<a href="/private">private</a><a href="/canvas">canvas</a><a href="/half">half</a>',
    "/gone": "<p>nothing here</p>",
    "/broken": "<p>our fault</p>",
    "/private": "<p>who are you?</p>",
    "/canvas": "<canvas width=90 height=90></canvas><script>"
    "const canvas = document.querySelector('canvas'), pen = canvas.getContext('2d');"
    "pen.fillText('press', 9, 9); canvas.onclick = () => pen.fillText('pressed', 9, 50)</script>",
}
STATUS = {"/gone": 404, "/broken": 500, "/private": 401}
RATE = 20.0


class CutWhenSeen:
    """An answer that ends in the middle once the browser has read what there is of it.

    Ended at once, a browser may or may not show it: it may hear of the end first.
    """

    def __init__(self) -> None:
        self.seen = asyncio.Event()
        self._times = count()

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/html"), (b"content-length", b"100000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        half = f'<p>Half of<script>fetch("/seen?{next(self._times)}")</script>'  # not from a cache
        await send({"type": "http.response.body", "body": half.encode(), "more_body": True})
        async with asyncio.timeout(20):
            await self.seen.wait()
        self.seen.clear()


@asynccontextmanager
async def failing(asked: list[float]) -> AsyncIterator[str]:
    """Serve pages with error answers, and note when each was asked for."""
    half = CutWhenSeen()

    async def respond(request: Request) -> Response:
        path = request.url.path
        if path == "/seen":
            half.seen.set()
            return Response(media_type="text/javascript")
        if path not in ERRORS:
            return Response(status_code=404)
        asked.append(monotonic())
        headers = {"www-authenticate": 'Basic realm="x"'} if path == "/private" else {}
        return HTMLResponse(ERRORS[path], STATUS.get(path, 200), headers)

    routes = [Route("/half", half), Route("/{path:path}", respond)]
    async with serve_asgi(Router(routes)) as url:
        yield url


def test_error_answers_and_pages_without_controls_are_states(tmp_path: Path) -> None:
    asked: list[float] = []

    async def run() -> tuple[str, Crawled]:
        async with failing(asked) as url:
            return url, await crawl(url, tmp_path / "crawl", rate=RATE)

    url, found = asyncio.run(run())
    assert found.counts.stop_reason == StopReason.COMPLETE
    shown = {state.url.removeprefix(url) for state in found.states.values()}
    assert shown == {"", "gone", "broken", "private", "canvas", "half"}
    assert len(found.states) == len(shown)
    problems = [seen.problem for seen in found.sightings]
    bad = " ".join(each.text for each in problems if each.kind is FindingKind.HTTP)
    assert all(str(status) in bad for status in (404, 500, 401))
    assert found.counts.failures["basic_auth"]
    assert any("canvas" in transition.event for transition in found.explored)
    # Each waits for its turn before it is sent; how long it takes to arrive varies.
    assert asked[-1] - asked[0] >= (len(asked) - 1) / RATE / 2


BREAKING = {
    "dialogs": "for (;;) alert('still there?')",
    "questions": "while (confirm('once more?')); this.title = 'at last'",
    "memory": "let all = []; for (;;) all = [all, new Array(1e7)]",
    "crash": "this.title = 'never seen'",
    "sabotage": "window.Promise = Array.prototype.map = () => { throw 1 }",
    "nothing": "document.documentElement.remove()",
    "half": "this.title = '\\ud800'; document.title = '\\udfff'",
    "fine": "this.title = 'fine'",
}


async def _buttons(_: Request) -> Response:
    buttons = [f'<button onclick="{code}">{name}</button>' for name, code in BREAKING.items()]
    return HTMLResponse("".join(buttons))


async def _next(_: Request) -> Response:
    return HTMLResponse("<script>location.replace('/next?' + Math.random())</script>")


async def why_lost(chromium: Chromium, url: str, name: str) -> str:
    """Why a page is lost when a button is pressed; "" when it is not."""
    page, _ = await chromium.load(url)
    (event,) = [each for each in await identities(page) if f'"{name}"' in each]
    if name == "crash":
        page._post("Page.crash")
    try:
        await page.run([(event, None)])
        await page.call("content()")
    except PageLostError as error:
        return error.kind
    else:
        return ""
    finally:
        await chromium.discard(page)


@pytest.mark.own_browser
def test_what_breaks_a_page_is_named_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("statecrawl.browser.loading.DOCUMENT_SECONDS", 3.0)
    routes = [Route("/endless", endless_document), Route("/next", _next), Route("/", _buttons)]

    async def run() -> tuple[dict[str, str], list[psutil.Process], Path]:
        async with (
            serve_asgi(Router(routes)) as url,
            Chromium(LaunchOptions(), AgentSettings()) as chromium,
        ):
            reasons = {name: await why_lost(chromium, url, name) for name in BREAKING}
            with pytest.raises(PageLostError, match="without end"):
                await chromium.load(f"{url}next")
            page, loaded = await chromium.load(f"{url}endless")
            assert loaded.url == f"{url}endless"
            assert chromium.meter.failures["cut_off"] == 1
            assert page.browser.pid is not None
            main = psutil.Process(page.browser.pid)
            (folder,) = [word for word in main.cmdline() if word.startswith("--user-data-dir=")]
            processes = [main, *main.children(recursive=True)]
            return reasons, processes, Path(folder.partition("=")[2])

    reasons, processes, folder = asyncio.run(run())
    assert reasons.pop("memory") in {"crash", "hang"}  # whichever is noticed first
    assert reasons == {
        "dialogs": "endless_dialogs",
        "questions": "",
        "crash": "crash",
        "sabotage": "sabotage",
        "nothing": "",
        "half": "",
        "fine": "",
    }
    assert len(processes) > 2
    _, alive = psutil.wait_procs(processes, timeout=10)
    assert alive == []
    assert not folder.exists()


async def _slowly(_: Request) -> Response:
    """Answer with a document that arrives in parts, a picture that never does and a late script."""

    async def parts() -> AsyncIterator[str]:
        yield "<p>first</p>"
        await asyncio.sleep(SLOW)
        yield '<p>second</p><img src="/never"><script async src="/late.js"></script>'

    return StreamingResponse(parts(), media_type="text/html")


async def _late(_: Request) -> Response:
    await asyncio.sleep(SLOW)
    return Response("document.body.append('third')", media_type="text/javascript")


SLOW = 0.7


def test_a_slow_document_is_waited_for_and_only_what_never_ends_is_cut_off() -> None:
    routes = [Route("/late.js", _late), Route("/never", never), Route("/", _slowly)]
    # More than any of its parts takes, and less than all of them.
    settings = AgentSettings(load_ms=1_000, settle_ms=1_000)

    async def run() -> tuple[str, bool, dict[str, int]]:
        async with (
            serve_asgi(Router(routes)) as url,
            Chromium(LaunchOptions(), settings) as chromium,
        ):
            page, loaded = await chromium.load(url)
            told = await page.call("content()")
            return told["dom"], loaded.is_unsettled, dict(chromium.meter.failures)

    dom, is_unsettled, failures = asyncio.run(run())
    assert all(part in dom for part in ("first", "second", "third"))
    assert not is_unsettled
    assert not failures


async def _held(request: Request) -> Response:
    """Answer nothing until the page goes."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.05)
    return Response()


async def _news(request: Request) -> Response:
    del request
    return Response("nothing new", headers={"cache-control": "no-store"})


ASKING = {
    "fetch": "fetch('/held').then(again, again)",
    "fetch_to_write": "fetch('/held', { method: 'POST' }).then(again, again)",
    "xhr": """const asked = new XMLHttpRequest(); asked.onloadend = again;
        asked.open('GET', '/held'); asked.send()""",
    "fetch_without_end": "fetch('/news').then(again, again)",
    "xhr_without_end": """const asked = new XMLHttpRequest(); asked.onloadend = again;
        asked.open('GET', '/news?' + Math.random()); asked.send()""",
}


@pytest.mark.parametrize("how", ASKING)
def test_news_that_a_page_asks_for_again_and_again_are_not_waited_for(how: str) -> None:
    html = f"""<button onclick="out.textContent = 'done'">Go</button><p id=out></p>
    <script>function again() {{ {ASKING[how]}; }} again();</script>"""

    async def asking(request: Request) -> Response:
        del request
        return HTMLResponse(html)

    routes = [Route("/", asking), Route("/news", _news)]
    routes.append(Route("/held", _held, methods=["GET", "POST"]))

    async def run() -> list[bool]:
        async with (
            serve_asgi(Router(routes)) as url,
            Chromium(LaunchOptions(), AgentSettings(settle_ms=5_500)) as chromium,
        ):
            page, loaded = await chromium.load(url)
            (go,) = await identities(page)
            message = await page.run([(go, None)])
            assert "done" in (await page.call("content()"))["dom"]
            unsettled = [loaded.is_unsettled, *(each[-1] for each in message["seen"])]
            await chromium.discard(page)
            _, again = await chromium.load(url)
            return [*unsettled, again.is_unsettled]

    is_held = "held" in ASKING[how]
    assert asyncio.run(run()) == [is_held, False, False]


def test_a_page_that_never_came_takes_no_other_with_it() -> None:
    async def run() -> str:
        async with (
            serve_asgi(Router([Route("/", _buttons)])) as url,
            Chromium(LaunchOptions(), AgentSettings()) as chromium,
        ):
            await chromium.discard(await chromium._page())  # closed before it was opened
            _, loaded = await chromium.load(url)
            return loaded.url.removeprefix(url)

    assert asyncio.run(run()) == ""


SPOILING = ("Array.prototype.map = () => [[1], [2]]", "Array.prototype.toJSON = () => 'x'")


def test_what_the_agent_would_never_tell_costs_a_page_and_not_the_crawl(tmp_path: Path) -> None:
    buttons = [f'<button onclick="{code}">{n}</button>' for n, code in enumerate(SPOILING)]
    fine = "<button onclick=\"this.textContent = 'done'\">fine</button>"

    async def run() -> Crawled:
        async with served({"/": "".join([*buttons, fine])}) as url:
            return await crawl(url, tmp_path / "crawl")

    found = asyncio.run(run())
    assert len(found.states) == 2
    assert found.counts.failures["sabotage"] >= len(SPOILING)
    assert set(found.refused.values()) == {"sabotage"}
