"""Answers are kept and given again; who asked is part of the model."""

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

from statecrawl.config import RunOptions
from statecrawl.sites.server import serve, serve_asgi
from tests.browser.helpers import crawl


def test_videos_has_one_hot_node(tmp_path: Path) -> None:
    async def run() -> None:
        async with serve("videos:videos=3") as url:
            found = await crawl(url, tmp_path / "crawl")
            calls = found.calls
            assert len(calls.hot_nodes) == 1
            hot = next(iter(calls.hot_nodes))
            assert hot.startswith("getUrlXMLResponseAndFillDiv")
            through = {name.split()[0] for stack in _stacks(found) for name in stack}
            assert {"nextPage", "previousPage", "jumpTo", "init"} <= through
            urls = {request.url for request in calls.requests}
            # One entry for each distinct call, which is for the comments of one state.
            assert len(urls) == len(calls.requests) == len(found.states)
            for request in calls.requests:
                assert request.times - request.times_cached <= 1, request
            assert found.counts.requests_cached > 0

    asyncio.run(run())


def _stacks(found: Any) -> list[tuple[str, ...]]:
    return [invocation.stack for invocation in found.calls.invocations]


PAGE = """<button onclick="ask('GET')">read</button><button onclick="ask('POST')">write</button>
<p id=out>-</p><script>const ask = async (method) => {
  out.textContent = await (await fetch('/number', { method })).text(); };</script>"""


@pytest.mark.parametrize(("cache", "reads_again"), [("off", True), ("safe", True), ("all", False)])
def test_kept_answers_are_forgotten_when_the_application_writes(
    cache: str, reads_again: bool, tmp_path: Path
) -> None:
    reads, numbers = count(), {"value": 0}

    async def respond(request: Request) -> Response:
        if request.url.path == "/":
            return HTMLResponse(PAGE)
        if request.method == "POST":
            numbers["value"] = 1
        elif request.url.path == "/number":
            next(reads)
        return PlainTextResponse(str(numbers["value"]))

    async def run() -> None:
        methods = ["GET", "POST"]
        async with serve_asgi(Router([Route("/{path:path}", respond, methods=methods)])) as url:
            folder = tmp_path / "crawl"
            limited = RunOptions(out=folder, screenshots=False, max_seconds=60)
            found = await crawl(url, folder, limited, cache=cache, strategy="greedy")
            assert (found.counts.requests_cached == 0) == (cache == "off")
            assert len(found.states) >= 2
            assert (next(reads) > 1) == reads_again

    asyncio.run(run())
