"""What a crawl recorded is crawled again without the network, and gives the same states."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route, Router, WebSocketRoute
from starlette.websockets import WebSocket

from statecrawl.browser.archive import NEVER_AGAIN, Archive
from statecrawl.browser.meter import Meter
from statecrawl.config import RunOptions
from statecrawl.core.exchange import Asked, Exchange, NoContents
from statecrawl.exporters.warc import export_warc
from statecrawl.sites.server import serve_asgi
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl
from tests.command import statecrawl
from tests.serving import site

SMALL = "company:products=1,services=1,articles=1"


def test_an_archive_is_crawled_as_the_application_was(tmp_path: Path) -> None:
    with site(SMALL) as url:
        options = ["--record", "--no-screenshots", "--json"]
        done = statecrawl("crawl", url, "--out", "live", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    live = json.loads(done.stdout)
    export = ["export", "live", "--format", "warc", "--output", "site.warc.gz"]
    assert statecrawl(*export, cwd=tmp_path).returncode == 0
    # The server is gone by now.
    options = ["--out", "again", "--no-screenshots", "--json"]
    done = statecrawl("crawl", "--from-warc", "site.warc.gz", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again = json.loads(done.stdout)
    for field in ("url", "states", "transitions", "stop_reason", "failures"):
        assert again[field] == live[field]
    compared = statecrawl("diff", "live", "again", "--fail-on", "any", cwd=tmp_path)
    assert compared.returncode == 0, compared.stdout
    last = json.loads(statecrawl("show", "again", "--json", cwd=tmp_path).stdout)["list"][-1]
    replayed = statecrawl("replay", "again", last["state"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stderr


PAGE = """<!DOCTYPE html><html lang="en"><title>Home</title><link rel="icon" href="data:,">
<button id="post">Post</button><button id="get">Get</button><button id="talk">Talk</button>
<p></p><script>
  const say = (text) => { document.querySelector("p").textContent = text; };
  const ask = async (options) => {
    const answer = await fetch("/echo", options);
    say(`${answer.status} ${await answer.text()}`);
  };
  post.onclick = () => ask({ method: "POST", body: "a=1" });
  get.onclick = () => ask({});
  talk.onclick = () => {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onopen = socket.onerror = ({ type }) => say(type);
  };
</script></html>"""


class Some(NoContents):
    """What is left of an archive."""

    def __init__(self, left: list[Exchange]) -> None:
        self._left = left

    def exchanges(self) -> Iterator[Exchange]:
        return iter(self._left)


def test_nothing_but_the_archive_is_asked(tmp_path: Path) -> None:
    asked: list[str] = []

    async def respond(request: Request) -> Response:
        asked.append(f"{request.method} {request.url.path}")
        if request.url.path == "/":
            return RedirectResponse("/home")
        if request.url.path == "/echo":
            return PlainTextResponse(f"echo {(await request.body()).decode()}")
        return HTMLResponse(PAGE)

    async def talk(socket: WebSocket) -> None:
        asked.append("socket")
        await socket.accept()

    async def run() -> None:
        everything = Route("/{path:path}", respond, methods=["GET", "POST"])
        live, again = tmp_path / "live", tmp_path / "again"
        async with serve_asgi(Router([WebSocketRoute("/socket", talk), everything])) as url:
            recording = RunOptions(out=live, screenshots=False, record=True)
            found = await crawl(url, live, recording)
            assert len(found.states) == 4
            assert found.counts.failures.keys() == {"socket_not_recorded"}
            with SqliteStore.open(live, read_only=True) as store:
                exchanges = list(store.exchanges())
            assert {(each.asked.method, each.status) for each in exchanges} == {
                ("GET", 307), ("GET", 200), ("POST", 200),
            }  # fmt: skip
            file = tmp_path / "site.warc.gz"
            with file.open("wb") as stream:
                left = [each for each in exchanges if each.asked.method == "GET"]
                export_warc(found.with_contents(Some(left)), stream)
            asked.clear()
            offline = await crawl(url, again, from_warc=str(file))
        # The start and what GET gives; an archive holds no sockets, and this one no POST.
        assert len(offline.states.keys() & found.states.keys()) == 2
        assert len(offline.states) == 4
        assert offline.counts.failures["not_in_archive"] > 0

    asyncio.run(run())
    assert asked == []


STREAMING = """<!DOCTYPE html><html lang="en"><title>News</title><link rel="icon" href="data:,">
<button id="events">Events</button><button id="stream">Stream</button>
<button id="bits">Bits</button><p>Nothing yet.</p><script>
  const say = (text) => { document.querySelector("p").textContent = text; };
  let stop = () => {};
  events.onclick = () => {
    stop();
    const source = new EventSource("/events");
    source.onmessage = ({ data }) => say(data);
    source.onerror = () => say("The connection is lost.");
    stop = () => source.close();
  };
  stream.onclick = async () => {
    stop();
    const control = new AbortController();
    stop = () => control.abort();
    const reader = (await fetch("/stream", { signal: control.signal })).body.getReader();
    const { value } = await reader.read();
    say(new TextDecoder().decode(value));
  };
  bits.onclick = async () => say(await (await fetch("/bits")).text());
</script></html>"""


def test_streams_are_recorded_as_far_as_they_came(tmp_path: Path) -> None:
    def stream_of(kind: str, seconds: float, *parts: str) -> Response:
        async def bits() -> AsyncIterator[str]:
            for part in parts:
                yield part
            await asyncio.sleep(seconds)

        return StreamingResponse(bits(), media_type=kind)

    async def respond(request: Request) -> Response:
        match request.url.path:
            case "/events":
                return stream_of("text/event-stream", 60, "data: The news.\n\n")
            case "/stream":
                return stream_of("text/plain", 60, "It begins.")
            case "/bits":
                return stream_of("text/plain", 0, "One, ", "two, ", "three.")
        return HTMLResponse(STREAMING)

    async def run() -> None:
        async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
            live = tmp_path / "live"
            found = await crawl(url, live, RunOptions(out=live, screenshots=False, record=True))
            assert found.counts.failures == {}
        with SqliteStore.open(live, read_only=True) as store:
            cut = {each.asked.url.removeprefix(url): each.is_cut for each in store.exchanges()}
            assert cut == {"": False, "events": True, "stream": True, "bits": False}
            file = tmp_path / "site.warc.gz"
            with file.open("wb") as stream:
                export_warc(found.with_contents(store), stream)
        # The server is gone by now.
        offline = await crawl(url, tmp_path / "again", from_warc=str(file))
        assert offline.states.keys() == found.states.keys()
        assert offline.counts.failures == {}
        assert len(found.states) == 4

    asyncio.run(run())


URL = "http://h/news"


def answer(body: bytes, *, is_cut: bool = False, kind: str = "text/plain") -> Exchange:
    return Exchange(Asked("GET", URL), (), 200, "OK", (("content-type", kind),), body, 0.0, is_cut)


@pytest.mark.parametrize(
    ("exchanges", "given"),
    [
        ([answer(b"first"), answer(b"later")], b"first"),
        ([answer(b"", is_cut=True), answer(b"longer", is_cut=True)], b"longer"),
        ([answer(b"longer", is_cut=True), answer(b"", is_cut=True)], b"longer"),
        ([answer(b"much of it", is_cut=True), answer(b"all")], b"all"),
        ([answer(b"all"), answer(b"much of it", is_cut=True)], b"all"),
        ([answer(b"data: a\n\n", kind="text/event-stream")], NEVER_AGAIN + b"data: a\n\n"),
    ],
)
def test_the_best_answer_is_given(exchanges: list[Exchange], given: bytes) -> None:
    meter = Meter()
    asked = {"method": "GET", "url": URL}
    assert b64decode(Archive(exchanges).answer(asked, meter)["body"]) == given
    assert meter.failures == {}
