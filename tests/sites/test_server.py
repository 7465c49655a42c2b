"""The server of the built-in applications, as a client on this machine sees it."""

import asyncio
import json
import signal
from time import monotonic
from urllib.parse import urlsplit

import pytest

from statecrawl.errors import InputError
from statecrawl.sites.apps import APPS, build_app
from statecrawl.sites.models import MODELS
from statecrawl.sites.server import serve


async def get(url: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an answer."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    path = f"{parts.path}?{parts.query}".removesuffix("?")
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return int(status.split()[1]), headers, body


def test_every_model_is_served() -> None:
    assert list(APPS) == list(MODELS)


@pytest.mark.parametrize("name", [name for name in APPS if name != "videos"])
def test_a_page_at_the_root(name: str) -> None:
    async def check() -> None:
        async with serve(name) as url:
            assert url.startswith("http://127.0.0.1:")
            status, headers, body = await get(url)
            assert status == 200
            assert headers["content-type"] == "text/html; charset=utf-8"
            assert b"{{" not in body
            assert not headers.keys() & {"cache-control", "etag", "expires", "last-modified"}

    asyncio.run(check())


def test_scripts_and_data() -> None:
    async def check() -> None:
        async with serve("filetree:folders=3,top=2,branching=5") as url:
            status, headers, body = await get(url + "app.js")
            assert (status, headers["content-type"]) == (200, "text/javascript; charset=utf-8")
            status, headers, body = await get(url + "folder?path=/")
            assert (status, headers["content-type"]) == (200, "application/json")
            assert json.loads(body)["folders"] == ["/src", "/home"]

    asyncio.run(check())


def test_every_video_is_a_document() -> None:
    async def check() -> None:
        async with serve("videos:videos=3") as url:
            status, headers, _ = await get(url)
            assert (status, headers["location"]) == (307, "/watch?v=1")
            assert b"Video 3 by" in (await get(url + "watch?v=3"))[2]
            assert b"comments:next" in (await get(url + "comments?v=1&p=1"))[2]

    asyncio.run(check())


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("hypercube", "nothing"),
        ("hypercube", "app.js"),
        ("hypercube", "__init__.py"),
        ("filetree", "folder"),
        ("filetree", "folder?path=/no/such"),
        ("filetree", "file?path=/no/such"),
        ("filetree", "../server.py"),
        ("filetree", "%2e%2e/server.py"),
        ("bibliography", "list?of=nobody"),
        ("files", "preview?path="),
        ("clips", "list?kind=tag"),
        ("bank", "account?name=checking-99"),
        ("videos", "watch"),
        ("videos", "watch?v=101"),
        ("videos", "watch?v=%FF"),
        ("videos", "comments?v=1&p=11"),
        ("videos", "comments?v=1&p=one"),
    ],
)
def test_what_there_is_not(name: str, path: str) -> None:
    async def status() -> int:
        async with serve(name) as url:
            return (await get(url + path))[0]

    assert asyncio.run(status()) == 404


def test_data_is_late() -> None:
    async def elapsed_s() -> float:
        async with serve("filetree", latency_ms=200) as url:
            before = monotonic()
            await get(url + "folder?path=/")
            return monotonic() - before

    assert asyncio.run(elapsed_s()) >= 0.2


def test_documents_and_scripts_are_not() -> None:
    async def check() -> None:
        async with asyncio.timeout(30), serve("filetree", latency_ms=60_000) as url:
            await get(url)
            await get(url + "app.js")

    asyncio.run(check())


def test_a_port_of_choice_and_a_taken_one() -> None:
    async def check() -> None:
        async with serve("bank") as url:
            port = urlsplit(url).port or 0
            with pytest.raises(InputError, match=f"can't listen on port {port}") as caught:
                async with serve("bank", port):
                    pass
            assert len(str(caught.value).splitlines()) == 1
        async with serve("bank", port) as url:
            assert url == f"http://127.0.0.1:{port}/"

    asyncio.run(check())


@pytest.mark.parametrize("port", [-1, 70_000])
def test_an_impossible_port(port: int) -> None:
    async def check() -> None:
        async with serve("bank", port):
            pass

    with pytest.raises(InputError, match="can't listen on port"):
        asyncio.run(check())


def test_a_wrong_spec() -> None:
    with pytest.raises(InputError, match=r"there is no site 'no-such-site': .* hostile"):
        build_app("no-such-site")


def test_shuts_down_under_open_connections() -> None:
    """Neither a connection that is kept alive nor an answer that is awaited keeps it up."""

    async def check() -> None:
        async with asyncio.timeout(30), serve("filetree", latency_ms=60_000) as url:
            parts = urlsplit(url)
            idle, idle_writer = await asyncio.open_connection(parts.hostname, parts.port)
            idle_writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await idle.readuntil(b"</html>")
            waiting, waiting_writer = await asyncio.open_connection(parts.hostname, parts.port)
            waiting_writer.write(b"GET /folder?path=/ HTTP/1.1\r\nHost: x\r\n\r\n")
            await get(url)  # by now the other request has come in as well
        await asyncio.gather(idle.read(), waiting.read())
        for writer in (idle_writer, waiting_writer):
            writer.close()
            await writer.wait_closed()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(parts.hostname, parts.port)

    asyncio.run(check())


def test_leaves_signals_alone() -> None:
    def handlers() -> list[object]:
        return [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    async def check() -> None:
        before = handlers()
        async with serve("bank"):
            assert handlers() == before

    asyncio.run(check())
