"""Pages that are not the same twice, each for a reason of its own that the crawl finds out."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

from statecrawl.compose.crawl import crawl_application
from statecrawl.compose.reading import read_crawl
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.guess import MOVED, Cause
from statecrawl.core.hooks import Hooks
from statecrawl.core.limits import Limits
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import served

ENDS = """<button onclick="document.body.innerHTML = 'one end'">one</button>
<button onclick="document.body.innerHTML = 'other end'">other</button>"""


def guesses(
    site: AbstractAsyncContextManager[str], folder: Path, **options: Any
) -> tuple[Crawled, list[str]]:
    """Crawl a few states; what was found, and what was said in the meantime."""
    said: list[str] = []

    class Listening(Hooks):
        def warned(self, warning: str) -> None:
            said.append(warning)

    async def run() -> None:
        async with site as url:
            running = RunOptions(
                out=folder, screenshots=False, limits=Limits(max_states=8, max_events=60)
            )
            chosen = CrawlOptions(url, **options).checked()
            await crawl_application(chosen, running, Listening())

    asyncio.run(run())
    return read_crawl(folder), said


def loads(found: Crawled) -> Cause:
    """Why the start page is not the same each time."""
    (guess,) = (guess for (source, _), guess in found.guesses.items() if not source)
    return guess.why


def test_a_page_by_the_clock(tmp_path: Path) -> None:
    html = f"<p id=clock></p>{ENDS}<script>clock.textContent = new Date().toISOString()</script>"
    found, said = guesses(served({"/": html}), tmp_path / "crawl", real_time=True, keep=("#clock",))
    assert loads(found) is Cause.TIME
    assert said == []


def test_a_page_by_chance(tmp_path: Path) -> None:
    html = f"<p id=lot></p>{ENDS}<script>lot.textContent = Math.random()</script>"
    found, said = guesses(served({"/": html}), tmp_path / "crawl", real_chance=True, keep=("#lot",))
    assert loads(found) is Cause.RANDOMNESS
    assert said == []


def keeping_data() -> AbstractAsyncContextManager[str]:
    """A site that keeps what is posted to it."""
    items = ["first", "second"]

    async def home(_: Request) -> Response:
        rows = "".join(f"<li>{item}</li>" for item in items)
        return HTMLResponse(
            f"<ul>{rows}</ul><button onclick=\"fetch('/add', {{method: 'POST'}})"
            '.then(() => { document.body.innerHTML = `added`; })">add</button>' + ENDS
        )

    async def add(_: Request) -> Response:
        items.append(f"item {len(items)}")
        return PlainTextResponse("")

    return serve_asgi(Router([Route("/", home), Route("/add", add, methods=["POST"])]))


def test_data_on_the_server_that_move_are_said_at_once_and_at_the_end(tmp_path: Path) -> None:
    found, said = guesses(keeping_data(), tmp_path / "crawl")
    assert loads(found) is Cause.SERVER_STATE
    assert said == [MOVED]
    assert found.summary()["warnings"] == [MOVED]


def racing() -> AbstractAsyncContextManager[str]:
    """A site that answers two requests in one order, then in the other, and so on."""
    asked = {"a": 0, "b": 0}
    turns: dict[int, asyncio.Event] = {}

    async def home(_: Request) -> Response:
        return HTMLResponse(f"""<button onclick="
        for (const name of 'ab') fetch(name).then((r) => r.text()).then((text) => {{
          out.innerHTML = text; }})">go</button><div id=out></div>{ENDS}""")

    async def answer(request: Request) -> Response:
        name = request.url.path[1:]
        turn = asked[name]
        asked[name] += 1
        is_first = turns.setdefault(turn, asyncio.Event())
        html = {"a": "<p>one</p>", "b": "<ul><li>two</li></ul>"}[name]
        if name == "ab"[turn % 2]:
            return PlainTextResponse(html, background=BackgroundTask(is_first.set))
        await asyncio.wait_for(is_first.wait(), 10)
        return PlainTextResponse(html)

    handler: Callable[[Request], Awaitable[Response]] = answer
    return serve_asgi(Router([Route("/", home), Route("/a", handler), Route("/b", handler)]))


def test_requests_that_overtake_each_other(tmp_path: Path) -> None:
    found, _ = guesses(racing(), tmp_path / "crawl", cache="off")
    races = [
        (state, event, guess.why)
        for (state, event), guess in found.guesses.items()
        if event.startswith('click button "go"')
    ]
    assert races
    assert {why for *_, why in races} == {Cause.RACE}


def test_what_a_page_hides(tmp_path: Path) -> None:
    """The first click and the second do not do the same, and nothing shows that."""
    html = f"""<p>hello</p><button onclick="
    const [once] = [window.hidden]; window.hidden = true;
    document.body.insertAdjacentHTML('beforeend', once ? '<p>again</p>' : '');">try</button>
    <button onclick="document.querySelectorAll('p ~ p').forEach((p) => p.remove())">clear</button>
    {ENDS}"""
    found, said = guesses(served({"/": html}), tmp_path / "crawl", strategy="breadth_first")
    assert {guess.why for guess in found.guesses.values()} == {Cause.UNKNOWN}
    assert said == []
