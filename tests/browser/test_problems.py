"""What the agent tells of things that go wrong, each with the step that it belongs to."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from statecrawl.browser import conversation
from statecrawl.browser import page as pages
from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.page import Page
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.core.findings import Finding
from statecrawl.core.identity import StateIdentity
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.problems import MAX_PROBLEMS, MAX_TEXT, FindingKind
from statecrawl.equivalences import EQUIVALENCES
from tests.browser.helpers import crawl, evaluate, identities, served

NOWHERE = "http://127.0.0.1:1/x"

TROUBLE = {
    "throw": ("throw new TypeError('oh')", "exception", "Uncaught TypeError: oh"),
    "throw text": ("throw 'oh'", "exception", "Uncaught oh"),
    "later": ("setTimeout(() => { throw new Error('late') }, 50)", "exception", "late"),
    "later text": ("setTimeout(() => { throw 'later' }, 50)", "exception", "later"),
    "reject": ("Promise.reject(new RangeError('far'))", "rejection", "RangeError: far"),
    "reject text": ("Promise.reject('why')", "rejection", "why"),
    "async": ("(async () => { await 0; null.x })()", "rejection", "TypeError: Cannot read"),
    "complain": ("console.error('%s is %d', 'a', 1, new Error('b'), {})", "console",
                 "a is 1 Error: b [object Object]"),
    "fetch": (f"fetch('{NOWHERE}').catch(() => 0)", "request", f"GET {NOWHERE} fails"),
    "xhr": (f"const x = new XMLHttpRequest(); x.open('POST', '{NOWHERE}'); x.send('')", "request",
            f"POST {NOWHERE} fails"),
    "fetch none": ("fetch('/none')", "http", "/none answers 404"),
    "xhr none": ("const x = new XMLHttpRequest(); x.open('GET', '/no'); x.send()", "http",
                "/no answers 404"),
    "xhr wait": ("const x = new XMLHttpRequest(); x.open('GET', '/s', false); x.send()", "http",
                 "/s answers 404"),
    "picture": ("out.innerHTML = '<img src=/a.png>'", "image", "/a.png can't be loaded"),
    "other picture": ("picture.src = '/b.png'", "image", "/b.png can't be loaded"),
    "gone": ("const i = new Image(); i.src = '/d.png'; out.append(i); i.remove()", "image",
             "/d.png can't be loaded"),
    "script": ("out.append(Object.assign(document.createElement('script'), {src: '/c.js'}))",
               "request", "/c.js can't be loaded"),
    "frame": ("frame.contentWindow.eval('setTimeout(() => { throw new Error(1) })')", "exception",
              "Uncaught Error: 1"),
    "link": ("location.href = '/away'", "http", "/away answers 404"),
}  # fmt: skip
"""What is done, which kind of problem that is, and how its text ends or goes on."""

HARMLESS = {
    "caught": "try { null.x } catch {}",
    "handled": "Promise.reject(1).catch(() => 0)",
    "warn": "console.warn('careful')",
    "fine": "fetch('/').then((answer) => answer.text())",
    "abort": "const a = new AbortController(); fetch('/', a).catch(() => 0); a.abort()",
    "abort xhr": "const x = new XMLHttpRequest(); x.open('POST', '/'); x.send(''); x.abort()",
}


HOSTILE = {
    "getter": "console.error({get message() { throw 1 }})",
    "others": "console.error(Object.create(null), Symbol('s'), null, undefined)",
    "proxy": "console.error(new Proxy({}, {get() { throw 1 }, has() { throw 1 }}))",
    "silent": "console.error()",
    "stack": "Promise.reject({get stack() { throw 1 }})",
}
MANY = """for (let i = 0; i < 99; i++) {
  console.error('same'); console.error(i + 'x'.repeat(999)); }"""
SCRIPTS = {
    **HOSTILE, **HARMLESS, "many": MANY, **{name: script for name, (script, *_) in TROUBLE.items()}
}  # fmt: skip
LOADING = """<!doctype html><img src=/a.png><script src=/b.js></script><link rel=stylesheet
href=/c.css><script>fetch('/d'); console.error(1); Promise.reject(2); null.x</script>"""


def document(scripts: Mapping[str, str]) -> str:
    buttons = [f'<button onclick="{script}">{name}</button>' for name, script in scripts.items()]
    return (
        "<!doctype html><title>t</title><p id=out></p><img id=picture alt=''>"
        f"<iframe id=frame srcdoc='<p>in</p>'></iframe>{''.join(buttons)}"
    )


async def told(page: Page, name: str) -> list[list[str]]:
    """Press one button; the problems of that step."""
    event = next(each for each in await identities(page) if f'button "{name}"' in each)
    message = await page.run([(event, None)])
    if "leaving" in message:
        loaded = await page.arrival()
        assert loaded is not None
        return [*message["leaving"][2], *loaded.facts[2]]
    problems: list[list[str]] = message["seen"][0][3]
    return problems


Told = dict[str, list[list[str]]]


@pytest.fixture(scope="module")
def found() -> Told:
    """What each of the buttons gives, one after the other in one page; and the load of another."""

    async def run() -> Told:
        documents = {"/": document(SCRIPTS), "/load": LOADING}
        async with (
            served(documents) as url,
            Chromium(LaunchOptions(), AgentSettings()) as chromium,
        ):
            page, loaded = await chromium.load(f"{url}load")
            told_of = {"load": loaded.facts[2]}
            page, loaded = await chromium.load(url)
            looks = "[String(console.error), console.error.name, console.error.length]"
            assert await evaluate(page, looks) == ["function error() { [native code] }", "error", 0]
            told_of["nothing"] = loaded.facts[2]
            return told_of | {name: await told(page, name) for name in SCRIPTS}

    return asyncio.run(run())


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_told_with_its_step_and_only_there(name: str, found: Told) -> None:
    _, kind, text = TROUBLE[name]
    [(told_kind, told_text, _)] = found[name]
    assert told_kind == kind
    assert text in told_text


@pytest.mark.parametrize("name", ["throw", "later", "reject", "complain"])
def test_it_is_told_where_in_the_code_that_was(name: str, found: Told) -> None:
    assert found[name][0][2] == "/:2"  # the buttons after MANY are on the second line


@pytest.mark.parametrize("name", ["nothing", *HARMLESS])
def test_what_is_handled_is_no_trouble(name: str, found: Told) -> None:
    assert found[name] == []


def test_trouble_while_loading_is_told_with_the_load(found: Told) -> None:
    assert sorted(kind for kind, _, _ in found["load"]) == [
        "console", "exception", "http", "image", "rejection", "request", "request",
    ]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_can_not_be_put_into_words_does_no_harm(name: str, found: Told) -> None:
    kind = "console" if "console" in HOSTILE[name] else "rejection"
    assert [each[0] for each in found[name]] == [kind]


def test_told_is_what_fits_and_each_thing_once(found: Told) -> None:
    assert len(found["many"]) == MAX_PROBLEMS
    assert [text for _, text, _ in found["many"]].count("same") == 1
    assert max(len(text) for _, text, _ in found["many"]) == MAX_TEXT


def test_a_page_that_hangs_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "GRACE_SECONDS", 0.5)
    monkeypatch.setattr(conversation, "HANG_SECONDS", 2.0)

    async def run() -> Execution:
        settings = AgentSettings(settle_ms=500)
        identity = StateIdentity(EQUIVALENCES["exact"])
        html = document({"loop": "for (;;);"})
        async with served({"/": html}) as url, Chromium(LaunchOptions(), settings) as chromium:
            tab = BrowserWorkshop(chromium, identity).tab()
            loaded = await tab.execute(Plan(url, None, ()))
            [event] = loaded.snapshots[0].events
            return await tab.execute(Plan(None, None, (Step(event.identity, None),)))

    execution = asyncio.run(run())
    assert execution.halt is Halt.LOST
    assert execution.lost_to is not None
    assert execution.lost_to.kind is FindingKind.HANG


def test_a_crawl_finds_what_is_wrong_and_the_shortest_way_there(tmp_path: Path) -> None:
    html = """<!doctype html><title>t</title><main id=at>0</main>
    <button onclick="go(1)">on</button><button onclick="go(2)">two</button><script>
    const go = (by) => {
      at.textContent = Math.min(3, Number(at.textContent) + by);
      if (at.textContent === '3') { at.nextElementSibling?.remove(); null.x; }
    };</script>"""

    async def run() -> tuple[Finding, ...]:
        async with served({"/": html}) as url:
            return (await crawl(url, tmp_path / "out")).findings

    found = asyncio.run(run())
    exceptions = [finding for finding in found if finding.kind is FindingKind.EXCEPTION]
    assert {finding.event.split('"')[1] for finding in exceptions} == {"on", "two"}
    assert all(finding.state != finding.source for finding in exceptions)
    assert {len(finding.path) for finding in exceptions} == {3}
    assert all(finding.path[0].startswith("load http://") for finding in found)
