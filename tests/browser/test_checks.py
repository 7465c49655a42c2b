"""Checks and invariants of each state, in real pages."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.browser import sight as sights
from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.config import RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.findings import Finding
from statecrawl.core.identity import StateIdentity
from statecrawl.core.plan import Plan
from statecrawl.core.problems import FindingKind
from statecrawl.core.sight import Cookie, ScriptError
from statecrawl.core.snapshot import Snapshot
from statecrawl.equivalences import EQUIVALENCES
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import crawl, served

BAD = """<title>t</title><script>window.axe = 'mine'; const secret = 7;</script>
<p id=at>0</p><p id=twice></p><p id=twice></p><a href=#x><button onclick="more()">More</button></a>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="><form><input type=password></form>
<a target=_blank href="https://example.invalid/">away</a><label for=nobody>L</label>
<script>const more = () => at.textContent = (Number(at.textContent) + 1) % 3;</script>"""


@asynccontextmanager
async def bad() -> AsyncIterator[str]:
    """Serve a page with something wrong in every way, and a cookie."""

    async def respond(_: Request) -> Response:
        response = HTMLResponse(BAD)
        response.headers["set-cookie"] = "crumb=value"
        return response

    async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
        yield url


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """A crawl with all checks and a few invariants."""
    folder = tmp_path_factory.mktemp("crawl") / "out"

    def never_two(snapshot: Snapshot) -> bool | str:
        return "more than one" if ">2<" in snapshot.dom else True

    async def run() -> Crawled:
        async with bad() as url:
            options = {
                "checks": ("html", "accessibility", "security"),
                "invariants": (
                    "small: Number(at.textContent) < 1",
                    "Promise.resolve(secret)",
                    "here: nowhere.x",
                ),
                "events": ("click",),
            }
            once = RunOptions(out=folder, screenshots=False, invariants=(never_two,))
            return await crawl(url, folder, once, **options)

    return asyncio.run(run())


def of_kind(crawled: Crawled, kind: FindingKind) -> list[Finding]:
    return [finding for finding in crawled.findings if finding.kind is kind]


def test_an_invariant_is_told_for_each_state_where_it_does_not_hold(checked: Crawled) -> None:
    found = Counter(finding.text for finding in of_kind(checked, FindingKind.INVARIANT))
    states = len(checked.states)
    assert found == {
        "small: does not hold": states - states // 3,
        "here: ReferenceError: nowhere is not defined": states,
        "never_two: more than one": states // 3,
    }


def test_a_finding_of_a_state_has_the_way_to_that_state(checked: Crawled) -> None:
    for finding in of_kind(checked, FindingKind.INVARIANT):
        way = checked.path(finding.state)
        assert way is not None
        assert len(finding.path) == 1 + len(way.steps)


def test_html_is_checked_as_served_and_as_shown_once(checked: Crawled) -> None:
    texts = [finding.text for finding in of_kind(checked, FindingKind.HTML)]
    for text in (
        "Unexpected start tag (title). Expected DOCTYPE.",
        "several elements have the id 'twice'",
        "button stands inside a",
        "a label is for 'nobody', and nothing has this id",
    ):
        assert texts.count(text) == 1, texts


def test_accessibility_is_checked_though_the_page_has_an_axe_of_its_own(checked: Crawled) -> None:
    found = {
        finding.text.partition(" ")[0]: finding.where
        for finding in of_kind(checked, FindingKind.ACCESSIBILITY)
    }
    assert found["image-alt"] == "img"
    assert "html-has-lang" in found


def test_security_is_checked_without_trying_anything(checked: Crawled) -> None:
    texts = [finding.text for finding in of_kind(checked, FindingKind.SECURITY)]
    for begin in (
        "no Content-Security-Policy",
        "no X-Content-Type-Options",
        "anybody may put the page into a frame",
        "cookie 'crumb' can be read by scripts",
        "cookie 'crumb' goes along from other sites",
        "a form with a password is sent by GET",
        "the link to https://example.invalid/ opens a window",
    ):
        assert [text for text in texts if text.startswith(begin)] != [], begin
    assert "value" not in " ".join(texts)
    assert len(set(texts)) == len(texts)


def test_checks_change_nothing_that_a_crawl_finds(checked: Crawled, tmp_path: Path) -> None:
    async def run() -> Crawled:
        async with bad() as url:
            return await crawl(url, tmp_path / "out", events=("click",))

    plain = asyncio.run(run())
    assert list(plain.states) == list(checked.states)
    assert [key for key in plain.transitions if key[0]] == [k for k in checked.transitions if k[0]]
    assert checked.counts.failures == {}


def test_a_page_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sights, "SCRIPT_SECONDS", 0.5)

    async def run() -> None:
        html = "<p id=at></p><script>document.cookie = 'a=b; SameSite=Lax'; var mine = 1</script>"
        settings = AgentSettings()
        async with (
            served({"/": html}) as url,
            Chromium(LaunchOptions(), settings, watches_documents=True) as chromium,
        ):
            tab = BrowserWorkshop(chromium, StateIdentity(EQUIVALENCES["exact"])).tab()
            await tab.execute(Plan(url, None, ()))
            sight = tab.sight()
            document = await sight.document()
            assert document is not None
            assert (document.url, document.body) == (url, html)
            assert document.headers["content-type"] == "text/html; charset=utf-8"
            assert await sight.cookies() == [Cookie("a", False, False, True)]
            assert await sight.evaluate("Promise.resolve(mine)") == 1
            assert await sight.evaluate_apart("typeof mine") == "undefined"
            await sight.evaluate_apart("globalThis.kept = at.localName")
            assert await sight.evaluate_apart("kept") == "p"
            for endless in ("for (;;);", "new Promise(() => 0)"):
                with pytest.raises(ScriptError, match="does not end within"):
                    await sight.evaluate(endless)
            assert "<p id=" in (await sight.snapshot()).dom
            with pytest.raises(ScriptError, match=r"SyntaxError"):
                await sight.evaluate("1 +")

    asyncio.run(run())


def test_what_browsers_do_besides_events_is_no_work_of_the_coordinator(checked: Crawled) -> None:
    summary = checked.summary()
    time = summary["time"]
    assert min(time["execution"], time["coordinator"], time["probes"], time["checks"]) > 0
    assert sum(time.values()) <= summary["seconds"]  # of one tab: nothing counts twice
