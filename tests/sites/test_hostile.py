"""The hostile site: every page is there, and the server counts what is asked of it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect

from statecrawl.errors import InputError
from statecrawl.sites.apps import WILD, build_wild
from statecrawl.sites.apps.hostile.pages import GROUPS, PAGES
from statecrawl.sites.models import MODELS, UNMODELLED, build_model
from statecrawl.sites.server import serve

BOUND_S = 30


class Client:
    """Asks the server, under either of its names, on one connection for each request."""

    def __init__(self, url: str) -> None:
        self.port = urlsplit(url).port or 0

    @asynccontextmanager
    async def opened(
        self, path: str, host: str = "127.0.0.1", method: str = "GET"
    ) -> AsyncIterator[asyncio.StreamReader]:
        """The answer as it comes in."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**24)
        head = f"{method} {path} HTTP/1.1\r\nHost: {host}:{self.port}\r\nContent-Length: 0\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        try:
            yield reader
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def get(
        self, path: str, host: str = "127.0.0.1", method: str = "GET"
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and body."""
        async with self.opened(path, host, method) as reader:
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        status, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        return int(status.split()[1]), headers, body.decode("utf-8", "replace")

    async def counts(self) -> dict[str, Any]:
        counts: dict[str, Any] = json.loads((await self.get("/counts"))[2])
        return counts


@asynccontextmanager
async def hostile() -> AsyncIterator[Client]:
    async with asyncio.timeout(BOUND_S), serve("hostile") as url:
        yield Client(url)


class Links(HTMLParser):
    """The targets of a document's links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.targets += [value or "" for name, value in attrs if tag == "a" and name == "href"]


def test_there_are_many_pages_each_of_its_own_name() -> None:
    assert len(PAGES) == sum(map(len, GROUPS.values())) >= 60
    assert len({page.what for page in PAGES.values()}) == len(PAGES)


def test_the_index_links_to_every_page_and_every_page_back() -> None:
    async def check() -> None:
        async with hostile() as client:
            _, _, index = await client.get("/")
            assert Links(index).targets == [f"/{name}" for name in PAGES]
            for name in PAGES:
                status, headers, html = await client.get(f"/{name}")
                assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8"), name
                assert f"<h1>{name}</h1>" in html
                assert Links(html).targets[0] == "/", name
                assert "/counts" not in html
                assert "{{" not in html.replace("{{braces}}", ""), name

    asyncio.run(check())


def test_nothing_of_its_own_that_a_page_links_to_is_missing() -> None:
    async def check() -> None:
        async with hostile() as client:
            unanswered = {"/never", "/endless", "/endless-download", "/cut-off"}
            for name in PAGES:
                for target in Links((await client.get(f"/{name}"))[2]).targets:
                    path = target.partition("?")[0]
                    if path.startswith("/") and path[1:2] != "/" and path not in unanswered:
                        status = (await client.get(target))[0]
                        assert status != 404 or path == "/status/404", f"{target} on {name}"

    asyncio.run(check())


@pytest.mark.parametrize(
    ("here", "other"), [("127.0.0.1", "localhost"), ("localhost", "127.0.0.1")]
)
def test_the_outside_is_the_other_name(here: str, other: str) -> None:
    async def check() -> None:
        async with hostile() as client:
            _, _, html = await client.get("/link-outside", here)
            assert f'href="http://{other}:{client.port}/outside/link"' in html
            assert (await client.get("/outside/link", other))[0] == 200
            await client.get("/outside/image.png", other)
            await client.get("/favicon.ico", other)
            counts = await client.counts()
            assert (counts["inside"], counts["outside"]) == (1, 2)
            assert counts["outside_paths"] == ["/outside/link", "/outside/image.png"]

    asyncio.run(check())


def test_harm_is_counted() -> None:
    async def check() -> None:
        async with hostile() as client:
            for path in ("/delete", "/logout", "/pay"):
                assert (await client.get(path, method="POST"))[0] == 200
            await client.get("/delete?id=1")
            await client.get("/download")
            assert await client.counts() == {
                "inside": 5, "outside": 0, "outside_paths": [],
                "deleted": 2, "logged_out": 1, "paid": 1, "downloads": 1,
            }  # fmt: skip

    asyncio.run(check())


def test_redirects() -> None:
    async def check() -> None:
        async with hostile() as client:
            outside = f"http://localhost:{client.port}/outside/redirect"
            for path, target in {
                "/redirect/3/terms": "/redirect/2/terms",
                "/redirect/1/terms": "/terms",
                "/redirect/2/outside": "/redirect/1/outside",
                "/redirect/1/outside": outside,
                "/redirect/outside": outside,
                "/redirect/loop": "/redirect/loop",
            }.items():
                status, headers, _ = await client.get(path)
                assert status in {302, 307}
                assert headers["location"] == target

    asyncio.run(check())


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/status/404", 404),
        ("/status/500", 500),
        ("/status/204", 204),
        ("/status/99", 404),
        ("/status/600", 404),
        ("/empty", 200),
        ("/private", 401),
        ("/document.pdf", 200),
        ("/document.exe", 404),
        ("/calendar?n=5", 200),
        ("/calendar?n=" + "9" * 5_000, 200),
        ("/growing-path/deeper/still", 200),
        ("/no-such-page", 404),
    ],
)
def test_answers(path: str, status: int) -> None:
    async def check() -> None:
        async with hostile() as client:
            assert (await client.get(path))[0] == status

    asyncio.run(check())


def test_numbers_lead_on_and_chance_never_repeats() -> None:
    async def check() -> None:
        async with hostile() as client:
            assert "/calendar?n=6" in (await client.get("/calendar?n=5"))[2]
            seen = [(await client.get("/random-links"))[2] for _ in range(2)]
            assert len({target for html in seen for target in Links(html).targets[1:]}) == 10

    asyncio.run(check())


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/endless", b"<p>Part 3</p>"),
        ("/endless.png", b"3"),
        ("/events", b"data: event 3"),
        ("/endless-download", b"3"),
        ("/cut-off", b"Half of"),
    ],
)
def test_answers_that_do_not_end_well(path: str, part: bytes) -> None:
    async def check() -> None:
        async with hostile() as client, client.opened(path) as reader:
            await reader.readuntil(part)

    asyncio.run(check())


def test_the_socket_floods_and_nothing_keeps_the_server_up() -> None:
    async def check() -> None:
        async with asyncio.timeout(BOUND_S):
            async with hostile() as client:
                never = client.opened("/never")
                answer = await never.__aenter__()
                socket = await connect(f"ws://127.0.0.1:{client.port}/socket", max_queue=None)
                assert [await socket.recv() for _ in range(2)] == ["message 1", "message 2"]
                await client.get("/")  # by now the other request has come in as well
            await answer.read()
            await never.__aexit__(None, None, None)
            await socket.close()

    asyncio.run(check())


def test_there_is_no_model_of_it() -> None:
    assert list(UNMODELLED) == list(WILD) == ["hostile"]
    assert "hostile" not in MODELS
    with pytest.raises(InputError, match=r"hostile has no true model: it can only be served"):
        build_model("hostile")
    with pytest.raises(InputError, match="hostile has no parameters"):
        build_wild("hostile:pages=3")
