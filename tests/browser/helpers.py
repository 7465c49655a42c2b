"""What tests in a real browser share."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.page import Page
from statecrawl.compose.crawl import crawl_application
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.sites.server import serve_asgi
from statecrawl.storage import SqliteStore


@asynccontextmanager
async def served(documents: Mapping[str, str]) -> AsyncIterator[str]:
    """Serve documents by their path, at the URL given."""

    async def respond(request: Request) -> Response:
        if request.url.path not in documents:
            return Response(status_code=404)
        return HTMLResponse(documents[request.url.path])

    methods = ["GET", "POST"]
    async with serve_asgi(Router([Route("/{path:path}", respond, methods=methods)])) as url:
        yield url


@asynccontextmanager
async def opened(html: str, settings: AgentSettings | None = None) -> AsyncIterator[Page]:
    """Load one document with the agent in it."""
    chosen = settings or AgentSettings()
    async with served({"/": html}) as url, Chromium(LaunchOptions(), chosen) as chromium:
        page, _ = await chromium.load(url)
        yield page
        await chromium.discard(page)


async def evaluate(page: Page, expression: str) -> Any:
    """The value of an expression in the page, outside of the agent."""
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    result = await page.send("Runtime.evaluate", params)
    assert "exceptionDetails" not in result, result
    return result["result"].get("value")


async def identities(page: Page) -> list[str]:
    """The events that the page offers now."""
    return [event[0] for event in (await page.call("content()"))["events"]]


async def fire(page: Page, *events: str) -> list[str]:
    """Fire events that begin like this, one after the other; the names of the pages seen."""
    names = []
    for beginning in events:
        found = [each for each in await identities(page) if each.startswith(beginning)]
        assert len(found) == 1, (beginning, found, await identities(page))
        message = await page.run([(found[0], None)])
        names.append(message["seen"][0][0])
    return names


async def crawl(url: str, folder: Path, run: RunOptions | None = None, **options: Any) -> Crawled:
    """Crawl an application into a folder, without pictures."""
    running = run or RunOptions(out=folder, screenshots=False)
    chosen = CrawlOptions(url, **options).checked()
    await crawl_application(chosen, running)
    with SqliteStore.open(folder, read_only=True) as store:
        return store.crawled()
