"""What options of `statecrawl crawl` change, and how it refuses what is no page."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from statecrawl.browser import loading, page
from tests.browser.helpers import served
from tests.command import statecrawl
from tests.serving import aside

pytestmark = pytest.mark.usefixtures("in_turns")

LAMP = """<p id=clock></p><u id=ticks></u><div id=lamp><b>off</b></div><button id=go>Go</button>
<i id=deaf>hovered</i><script>
let clicks = 0;
let ticks = 0;
const show = () => {
  clock.textContent = new Date(Date.now() + (clicks % 8) * 3600000).getHours() + " o'clock";
  lamp.firstChild.textContent = clicks & 1 ? 'on' : 'off';
  lamp.className = clicks & 2 ? 'red' : 'green';
};
go.onclick = () => { clicks += 1; show(); };
deaf.onmouseenter = () => { deaf.textContent = 'hovered'; };
setInterval(() => { document.getElementById('ticks').textContent = ticks++; }, 1000);
show();</script>"""
"""Eight hours, two texts and two colours, all of them turned by one button."""


def crawled(html: str, folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    """Crawl a page; what `show` says of it, for programs and for people."""
    with aside(served({"/": html})) as url:
        arguments = ["crawl", url, "--out", "out", "--no-screenshots", *options]
        done = statecrawl(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    shown = statecrawl("show", "out", "--json", cwd=folder)
    return json.loads(shown.stdout), statecrawl("show", "out", cwd=folder).stdout


@pytest.mark.parametrize(
    ("options", "states"),
    [
        ([], 4),
        (["--keep", "#clock"], 8),
        (["--ignore", "#lamp"], 1),
        (["--ignore", "#nothing", "--ignore", "#lamp", "--keep", "#clock"], 8),
        (["--equivalence", "content"], 2),
        (["--equivalence", "structure"], 1),
        (["--skip", "#go"], 1),
        (["--events", "hover"], 1),
        (["--events", "hover, click"], 4),
    ],
)
def test_what_counts_is_for_the_user_to_say(
    options: list[str], states: int, tmp_path: Path
) -> None:
    shown, _ = crawled(LAMP, tmp_path, *options)
    assert (shown["states"], shown["stop_reason"]) == (states, "complete")
    assert shown["nondeterministic"] == []


def test_masks_are_shown_with_their_reasons(tmp_path: Path) -> None:
    clock, ticks = "html/body[1]/p[1]", "html/body[1]/u[1]"
    shown, text = crawled(LAMP, tmp_path)
    assert {(each["path"], each["part"], each["reason"]) for each in shown["masks"]} == {
        (clock, "text", "differs between loads of the same state"),
        (ticks, "text", "changed by a repeating timer"),
    }
    for mask in shown["masks"]:
        assert f"left out of identity: text of {mask['path']} ({mask['reason']})\n" in text


def test_what_is_kept_is_not_masked(tmp_path: Path) -> None:
    shown, text = crawled(LAMP, tmp_path, "--keep", "#clock", "--max-states", "2")
    assert [each["path"] for each in shown["masks"]] == ["html/body[1]/u[1]"]
    assert "p[1]" not in text


@asynccontextmanager
async def answering(answer: bytes | None) -> AsyncIterator[str]:
    """Answer every request with these bytes; None: never."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            if answer is None:
                await reader.read()  # until the other side has had enough
            else:
                writer.write(answer)
        except asyncio.IncompleteReadError:
            pass  # a connection that a browser made in advance
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(respond, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


def refused(answer: bytes | None, folder: Path) -> str:
    """Crawl where this is answered; why that can't be done, in one line."""
    with aside(answering(answer)) as url:
        done = statecrawl("crawl", url, cwd=folder)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    *progress, error = done.stderr.splitlines()
    assert all(line.endswith("working on it") for line in progress)
    assert list(folder.iterdir()) == []
    return error


def http(head: str, body: bytes = b"") -> bytes:
    lines = [f"HTTP/1.1 {head}", f"Content-Length: {len(body)}", "Connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (http("404 Not Found\r\nContent-Type: text/html", b"<p>none</p>"), "answers 404"),
        (http("500 Oops\r\nContent-Type: text/html", b"<button>Again</button>"), "answers 500"),
        (http("200 OK\r\nContent-Type: application/pdf", b"%PDF-1.4\n%%EOF\n"), "page"),
        (http("200 OK\r\nContent-Type: application/json", b"{}"), "not a page"),
        (http("204 No Content"), "no page"),
        (b"", "the answer is empty"),
    ],
)  # fmt: skip
def test_what_is_no_page_is_refused(answer: bytes, reason: str, tmp_path: Path) -> None:
    assert reason in refused(answer, tmp_path)


def test_a_server_that_never_answers_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (loading, page):
        monkeypatch.setattr(module, "DOCUMENT_SECONDS", 2.0)
    assert "does not answer within 2 s" in refused(None, tmp_path)
