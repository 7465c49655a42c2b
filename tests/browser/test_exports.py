"""A crawl of an application that attacks: each export opens in its tool, and nothing of it runs."""

import ast
import asyncio
import csv
import io
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx
import pydot
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router
from warcio.archiveiterator import ArchiveIterator

from statecrawl.compose.reading import opened_crawl
from statecrawl.config import RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.inputs import Inputs
from statecrawl.exporters import EXPORTERS
from statecrawl.sites.server import serve_asgi
from tests.attacks import ATTACKS, LABELS, attacking
from tests.browser.helpers import crawl

pytestmark = pytest.mark.long
CONFTEST = """
import pytest
from statecrawl.browser.launch import find_browser

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": find_browser(), "args": ["--no-sandbox"]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl with its responses."""
    found = tmp_path_factory.mktemp("attacks") / "crawl"

    async def run() -> Crawled:
        async with attacking() as url:
            return await crawl(url, found, RunOptions(out=found, screenshots=False, record=True))

    crawled = asyncio.run(run())
    assert crawled.counts.stop_reason == "complete"
    assert len(crawled.states) == 2 + len(LABELS)
    assert len(crawled.masks.masks) == 1
    return found


@pytest.fixture
def crawled(folder: Path) -> Iterator[Crawled]:
    with opened_crawl(folder) as found:
        yield found


def exported(name: str, crawl: Crawled) -> bytes:
    stream = io.BytesIO()
    EXPORTERS[name](crawl, stream)
    return stream.getvalue()


def edges(crawl: Crawled) -> list[tuple[str, str]]:
    return [(found.source, target) for found in crawl.explored for target in found.targets]


def test_graphml_opens_in_networkx(crawled: Crawled) -> None:
    graph = networkx.read_graphml(io.BytesIO(exported("graphml", crawled)), force_multigraph=True)
    assert list(graph.nodes) == list(crawled.states)
    assert sorted((source, target) for source, target in graph.edges()) == sorted(edges(crawled))
    labels = {data["label"] for _, _, data in graph.edges(data=True)}
    assert ATTACKS[0] in labels
    assert any(ATTACKS[2] in label for label in labels)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the parser that pydot uses
def test_dot_opens_in_graphviz(crawled: Crawled) -> None:
    text = exported("dot", crawled).decode()
    graph, *_ = pydot.graph_from_dot_data(text) or [pydot.Dot()]
    named = [node.get_name().strip('"') for node in graph.get_nodes()]
    assert [name for name in named if name != "node"] == list(crawled.states)
    assert len(graph.get_edges()) == len(edges(crawled))
    assert not any("URL" in edge.get_attributes() for edge in graph.get_edges())


def test_csv_opens_without_a_formula(crawled: Crawled) -> None:
    rows = list(csv.DictReader(io.StringIO(exported("csv", crawled).decode(), newline="")))
    assert len(rows) == sum(len(found.targets) for found in crawled.transitions.values())
    assert {row["target"] for row in rows} == set(crawled.states)
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r")]
    assert any(cell == f"'{ATTACKS[0]}" for cell in cells)


def test_the_sitemap_is_one(crawled: Crawled) -> None:
    document = ET.fromstring(exported("sitemap", crawled))  # noqa: S314 - we wrote it
    name = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [location.text for location in document.iter(f"{name}loc")]
    addresses = {state.url.partition("#")[0] for state in crawled.states.values()}
    assert document.tag == f"{name}urlset"
    assert len(found) == len(addresses) == 2
    assert not [
        url for url in found if not re.fullmatch(r"[!-~]+", url or "") or "<" in (url or "")
    ]


def test_the_archive_opens_in_warcio(crawled: Crawled) -> None:
    stream = io.BytesIO(exported("warc", crawled))
    seen = []
    for record in ArchiveIterator(stream, check_digests="raise"):
        body = record.content_stream().read()
        if record.rec_type == "response":
            seen.append((record.http_headers.get_statuscode(), b"const [attacks" in body))
            assert record.http_headers.get_header("content-length") == str(len(body))
    assert seen == [("200", True)] * 2


async def verdict_of(file: Path, *options: str) -> tuple[int, str]:
    """Run a file of tests, as somebody would who only has the file."""
    (file.parent / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", "."]
    process = await asyncio.create_subprocess_exec(
        *(*command, "-p", "no:cacheprovider", *options, file.name),
        cwd=file.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


def test_the_tests_are_green_until_the_page_changes(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "test_walk.py"
    file.write_bytes(exported("playwright", crawled))
    tree = ast.parse(file.read_text("ascii"))
    (shown,) = [
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "SHOWN"
    ]
    assert shown is not None
    assert list(ast.literal_eval(shown)) == list(crawled.states)

    async def run(verb: str, *options: str) -> tuple[int, str]:
        async with attacking(verb) as url:
            return await verdict_of(file, "--base-url", url, *options)

    code, output = asyncio.run(run("chose"))
    assert (code, f"{len(crawled.states)} passed" in output) == (0, True), output
    file.write_text(file.read_text().replace("SECONDS = 10.0", "SECONDS = 1.0"))
    code, output = asyncio.run(run("picked", "-x"))
    assert (code, "1 failed, " in output) == (1, True), output
    assert "is not in state" in output
    assert {path.name for path in tmp_path.iterdir()} <= {
        "conftest.py", "test_walk.py", "test-results", "__pycache__",
    }  # fmt: skip


SHOP = """<!DOCTYPE html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<form id="order"><label>Name <input name="who"></label><input type="email" name="mail">
<input type="password" name="password"><textarea name="note"></textarea>
<select name="size"><option value="">choose<option>small<option>large</select>
<label><input type="checkbox" name="terms" required>Terms</label>
<label><input type="radio" name="way" value="air">Air</label>
<label><input type="radio" name="way" value="sea">Sea</label>
<button disabled>Order</button></form><p id="out">Nothing ordered.</p><script>
  const send = order.querySelector("button");
  order.addEventListener("focusin", () => setTimeout(() => { send.disabled = false; }, 50));
  order.onsubmit = (event) => {
    event.preventDefault();
    const given = new FormData(order);
    given.set("password", `${given.get("password").length} letters`);
    out.textContent = new URLSearchParams(given);
    const thanks = document.createElement("button");
    thanks.textContent = "Thanks";
    thanks.onclick = () => { out.textContent = "You are welcome."; };
    order.replaceWith(thanks);
  };
</script></html>"""
SECRET = "tr0ub4dor"  # noqa: S105 - a test makes it up


def test_filled_forms_and_basic_authentication(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)
    file = tmp_path / "test_walk.py"
    inputs = Inputs(name={"who": ("Ann", "Bob"), "password": ("one-1", "two-22")})

    async def respond(request: Request) -> Response:
        basic = f"Basic {b64encode(f'ann:{SECRET}'.encode()).decode()}"
        if request.headers.get("authorization") != basic:
            return Response(status_code=401, headers={"www-authenticate": "Basic"})
        return HTMLResponse(SHOP)

    async def run() -> None:
        async with serve_asgi(Router([Route("/", respond)])) as url:
            login = 'basic "ann" $SHOP_PASSWORD'
            found = await crawl(url, tmp_path / "crawl", login=login, inputs=inputs)
            assert found.counts.stop_reason == "complete"
            assert len(found.states) == 4
            with opened_crawl(tmp_path / "crawl") as stored:
                file.write_bytes(exported("playwright", stored))
            for secret in (SECRET, "one-1", "two-22"):
                assert secret not in file.read_text("ascii")
            code, output = await verdict_of(file, "-x")
            assert (code, "set STATECRAWL_PASSWORD in the environment" in output) == (1, True)
            monkeypatch.setenv("STATECRAWL_PASSWORD", "one-1")
            monkeypatch.setenv("STATECRAWL_PASSWORD_2", "two-22")
            code, output = await verdict_of(file)
            assert (code, "4 passed" in output) == (0, True), output

    asyncio.run(run())
