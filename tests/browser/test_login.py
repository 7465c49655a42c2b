"""Applications behind a login: all of them is found, and no secret is kept anywhere."""

import asyncio
import contextlib
import io
from base64 import b64encode
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp

from statecrawl.browser.launch import LaunchOptions, browser
from statecrawl.browser.recorder import Recording, record_login, recorded_login
from statecrawl.compose.crawl import crawl_application
from statecrawl.compose.replay import replay_state
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.hooks import Hooks
from statecrawl.core.login import format_login
from statecrawl.core.session import Crawl
from statecrawl.errors import ApplicationError, InputError
from statecrawl.exporters import EXPORTERS
from statecrawl.sites.apps.wall import PASSWORD, USER, Wall
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve, serve_asgi
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl
from tests.browser.truth import differences

LOGIN = """
open /login
fill "User name" with $BANK_USER
fill "Password" with $BANK_PASSWORD
click "Sign in"
"""


@pytest.fixture(autouse=True)
def variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK_USER", USER)
    monkeypatch.setenv("BANK_PASSWORD", PASSWORD)


def traces(folder: Path, secret: str) -> Iterator[str]:
    """Where a secret is to be found in a crawl or in what is exported of it."""
    for file in folder.rglob("*"):
        if file.is_file() and secret.encode() in file.read_bytes():
            yield file.name
    with SqliteStore.open(folder, read_only=True) as store:
        for state, snapshot in store.doms():
            if secret in repr(snapshot):
                yield f"the page of {state}"
        for exchange in store.exchanges():
            if secret in repr(exchange) or "cookie" in repr(exchange).lower():
                yield f"the response of {exchange.asked.url}"
        if secret in repr(store.about):
            yield "the settings"
        for name, export in EXPORTERS.items():
            stream = io.BytesIO()
            with contextlib.suppress(InputError):  # nothing was recorded
                export(store.crawled().with_contents(store), stream)
            if secret.encode() in stream.getvalue():
                yield f"the export as {name}"


def on_the_process_list(secret: str) -> bool:
    lines = [" ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"])]
    assert any("--remote-debugging-pipe" in line for line in lines)  # the browser is there
    return any(secret in line for line in lines)


@pytest.mark.parametrize(
    ("tabs", "session", "signed_out"), [(2, 0, False), (2, 60, True)], ids=["kept", "ended"]
)
def test_the_bank_behind_its_login_is_crawled_exactly(
    tabs: int, session: int, signed_out: bool, tmp_path: Path
) -> None:
    spec = f"bank:accounts=1,login=1,session={session}"
    folder = tmp_path / "crawl"
    seen_in_processes: dict[int, bool] = {}

    class Looking(Hooks):
        def progressed(self, crawl: Crawl, counts: Counts) -> None:
            del counts
            number = crawl.model.state_count // 15  # now and then: it takes a while
            if number not in seen_in_processes:
                seen_in_processes[number] = on_the_process_list(PASSWORD)

    async def run() -> None:
        async with serve(spec) as url:
            options = CrawlOptions(url, strategy="greedy", login=LOGIN).checked()
            running = RunOptions(out=folder, screenshots=False, browsers=tabs, record=True)
            await crawl_application(options, running, Looking())

    asyncio.run(run())
    truth = build_model(spec)
    with SqliteStore.open(folder, read_only=True) as store:
        assert differences(store, truth.initial, truth.states) == []
        counts = store.crawled().counts
        assert len(list(store.exchanges())) > 1
    assert counts.stop_reason == "complete"
    assert set(counts.failures) == ({"signed_out"} if signed_out else set())
    assert len(seen_in_processes) > 1
    assert not any(seen_in_processes.values())
    assert list(traces(folder, PASSWORD)) == []


CLUB = """<h1>Club</h1><p>Hello {user}</p>
<button onclick="show('bar')">Bar</button> <button onclick="show('pool')">Pool</button>
<a href="/logout">Log out</a><div id=room></div>
<script>async function show(name) {{
  const answer = await fetch('/room?name=' + name);
  if (answer.status === 401) location.assign('/login'); else room.textContent = await answer.text();
}}</script>"""


def club(session_requests: int = 0) -> ASGIApp:
    """Three states, and a link that ends the session."""

    async def room(request: Request) -> Response:
        return PlainTextResponse(f"the {request.query_params['name']}")

    async def leave(_: Request) -> Response:
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie("session")
        return answer

    async def hall(_: Request) -> Response:
        return HTMLResponse(CLUB.format(user=USER))

    rooms = Router([Route("/", hall), Route("/room", room), Route("/logout", leave)])
    return Wall(rooms, session_requests)


def crawled(app: ASGIApp, folder: Path, **options: Any) -> Crawled:
    async def run() -> Crawled:
        async with serve_asgi(app) as url:
            return await crawl(url, folder, **options)

    return asyncio.run(run())


def test_a_link_that_signs_out_is_found_out_and_not_followed_any_more(tmp_path: Path) -> None:
    login = LOGIN + 'expect "Hello ann"'
    found = crawled(club(), tmp_path / "crawl", login=login, fire_all=True)
    assert found.counts.stop_reason == "complete"
    assert len(found.states) == 3
    refused = {(event, reason) for (_, event), reason in found.refused.items()}
    assert [reason for _, reason in refused] == ["signed_out"]
    assert found.counts.failures["signed_out"] >= 3


def test_pages_loaded_in_a_session_that_has_ended_are_not_used(tmp_path: Path) -> None:
    rooms = [f"room {number}" for number in range(8)]
    asked: Counter[str] = Counter()
    sessions = 0

    async def room(request: Request) -> Response:
        nonlocal sessions
        name = request.query_params["name"]
        asked[name] += 1
        if name == rooms[5] and asked[name] == 1:
            sessions += 1
        is_known = request.cookies.get("door") == str(sessions)
        return PlainTextResponse(name, 200 if is_known else 401)

    async def hall(request: Request) -> Response:
        if request.cookies.get("door") != str(sessions):
            return RedirectResponse("/login", 303)
        buttons = "".join(f"<button onclick='show(this)'>{name}</button>" for name in rooms)
        return HTMLResponse(f"""<main>{buttons}</main><script>async function show(button) {{
          const answer = await fetch('/room?name=' + button.textContent);
          if (answer.status === 401) location.assign('/login');
          else document.body.textContent = await answer.text();  // there is no way back
        }}</script>""")

    async def door(request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(
                "<form method=post><input type=password name=word><button>In</button></form>"
            )
        answer = RedirectResponse("/", 303)
        answer.set_cookie("door", str(sessions))
        return answer

    doors = Route("/login", door, methods=["GET", "POST"])
    app = Router([Route("/", hall), Route("/room", room), doors])
    login = "open /login\nfill word with $BANK_PASSWORD\nclick In"
    found = crawled(app, tmp_path / "crawl", login=login, strategy="greedy")
    assert found.counts.stop_reason == "complete"
    assert len(found.states) == 1 + len(rooms)
    assert asked == Counter(rooms) + Counter({rooms[5]: 1})


def test_without_a_login_only_the_form_is_found(tmp_path: Path) -> None:
    found = crawled(club(), tmp_path / "crawl")
    assert found.states
    assert {state.title for state in found.states.values()} == {"Sign in"}
    assert found.counts.failures.get("signed_out", 0) == 0


def test_a_login_that_does_not_hold_ends_the_crawl(tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match="the login does not hold"):
        crawled(club(session_requests=1), tmp_path / "crawl", login=LOGIN)


@pytest.mark.parametrize(
    ("login", "problem"),
    [
        (LOGIN.replace("User name", "Customer"), "there is no field 'Customer' at http"),
        (LOGIN.replace("Sign in", "Enter"), "there is no control 'Enter' at http"),
        (LOGIN + 'expect "Good morning"', "does not show 'Good morning' after it"),
        (LOGIN.replace("with $BANK_USER", "with bob"), "its form is still there, at http"),
        ("open http://localhost:1/\n" + LOGIN, "can't be loaded"),
    ],
)
def test_a_login_that_fails_says_at_which_step(login: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match=problem) as caught:
        crawled(club(), tmp_path / "crawl", login=login)
    assert PASSWORD not in str(caught.value)
    assert not (tmp_path / "crawl").exists()


def test_a_password_that_is_written_out_is_refused(tmp_path: Path) -> None:
    login = LOGIN.replace('"Password" with $BANK_PASSWORD', "css=[type=password] with hunter2")
    with pytest.raises(InputError, match="comes from an environment variable") as caught:
        crawled(club(), tmp_path / "crawl", login=login)
    assert "hunter2" not in str(caught.value)


def spa(keep: str, recall: str) -> ASGIApp:
    """A page that asks for a password itself, and keeps what it knows in its own way."""

    async def page(_: Request) -> Response:
        return HTMLResponse(f"""<main></main><script>
        const main = document.querySelector('main');
        const show = (html) => {{ main.innerHTML = html; }};
        const inside = () => show('<h1>In</h1><button onclick="more()">More</button>');
        const more = () => show('<h1>More</h1>');
        const enter = (key) => {{ if (key === '{PASSWORD}') {{ {keep}; inside(); }} }};
        if ({recall}) inside();
        else show('<input type=password placeholder=Key>' +
          '<div onclick="enter(main.firstChild.value)">Go</div>');
        </script>""")

    return Router([Route("/", page)])


@pytest.mark.parametrize(
    ("keep", "recall"),
    [
        ("localStorage.known = 'k'", "localStorage.known"),
        ("sessionStorage.known = 'k'", "sessionStorage.known"),
        ("document.cookie = 'key=k'", "document.cookie"),
        ("window.name = 'k'", "window.name"),  # which can't be put back: signs in each time
    ],
    ids=["local", "session", "cookie", "other"],
)
def test_whatever_keeps_a_session_is_kept(keep: str, recall: str, tmp_path: Path) -> None:
    login = "fill Key with $BANK_PASSWORD\nclick Go\nexpect In"
    found = crawled(spa(keep, recall), tmp_path / "crawl", login=login)
    assert found.counts.stop_reason == "complete"
    assert len(found.states) == 2
    assert found.counts.failures == {}


def test_a_secret_that_a_page_shows_is_taken_out(tmp_path: Path) -> None:
    telling = PASSWORD.replace("-", "&")

    async def hall(_: Request) -> Response:
        shown = telling.replace("&", "&amp;")
        quoted = telling.replace("&", "%26")
        return HTMLResponse(
            f"<title>{shown}</title><h1>Hall</h1><p>Your password: {shown}</p>"
            f"<a href='/?again={quoted}'>{shown}</a><button onclick='ask()'>Ask</button>"
            "<p id=note></p>"
            f"<script>function ask() {{ fetch('/?p={quoted}'); note.textContent = 'asked'; }}"
            "</script>"
        )

    async def door(request: Request) -> Response:
        if request.method == "POST":
            return RedirectResponse("/", 303)
        return HTMLResponse(
            "<form method=post><input name=word type=password><button>In</button></form>"
        )

    app = Router([Route("/", hall), Route("/login", door, methods=["GET", "POST"])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEY", telling)
        run = RunOptions(out=tmp_path / "crawl")
        login = "open /login\nfill word with $KEY\nclick In"
        found = crawled(app, tmp_path / "crawl", run=run, login=login)
    assert len(found.states) == 2
    assert [urlsplit(call.url).query for call in found.calls.invocations] == ["p=***"]
    for secret in (telling, telling.replace("&", "&amp;"), telling.replace("&", "%26")):
        assert list(traces(tmp_path / "crawl", secret)) == []
    assert not list((tmp_path / "crawl").glob("screenshots/*"))


@asynccontextmanager
async def guarded(asked: Counter[str]) -> AsyncIterator[str]:
    """A server that asks who we are before it shows anything."""

    async def page(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        asked[f"{request.url.hostname} {given}"] += 1
        pair = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        if given != f"Basic {pair}":
            asks = {"www-authenticate": 'Basic realm="club"'}
            return HTMLResponse("Who are you?", 401, asks)
        elsewhere = f"http://localhost:{request.url.port}/elsewhere"
        return HTMLResponse(
            "<h1>In</h1><button onclick='go()'>Go</button><p id=note></p><script>function go() {"
            f"fetch('{elsewhere}', {{ credentials: 'include', mode: 'no-cors' }}).finally(() => "
            "note.textContent = 'gone'); }</script>"
        )

    async with serve_asgi(Router([Route("/{path:path}", page)])) as url:
        yield url


def test_a_server_that_asks_by_itself_is_answered_in_scope_only(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    async def run() -> Crawled:
        async with guarded(asked) as url:
            return await crawl(url, tmp_path / "crawl", login="basic $BANK_USER $BANK_PASSWORD")

    found = asyncio.run(run())
    assert len(found.states) == 2
    told = {key.split()[0] for key in asked if "Basic" in key}
    assert told == {"127.0.0.1"}
    assert asked["localhost "]  # it asked, too
    for secret in (PASSWORD, b64encode(f"{USER}:{PASSWORD}".encode()).decode()):
        assert list(traces(tmp_path / "crawl", secret)) == []


def test_wrong_credentials_are_given_once_for_each_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_PASSWORD", "wrong-4711")
    asked: Counter[str] = Counter()

    async def run() -> None:
        async with guarded(asked) as url:
            await crawl(url, tmp_path / "crawl", login="basic $BANK_USER $BANK_PASSWORD")

    with pytest.raises(ApplicationError, match="answers 401"):
        asyncio.run(run())
    assert sum(times for key, times in asked.items() if "Basic" in key) == 1


def test_a_state_behind_a_login_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with serve_asgi(club()) as url:
            found = await crawl(url, tmp_path / "crawl", login=LOGIN)
            for state in found.states:
                replayed = await replay_state(tmp_path / "crawl", state, LaunchOptions())
                assert replayed.reached
            monkeypatch.delenv("BANK_PASSWORD")
            with pytest.raises(InputError, match="the login needs BANK_PASSWORD"):
                await replay_state(tmp_path / "crawl", state, LaunchOptions())

    asyncio.run(run())


class Person:
    """Somebody at the window that the recorder opened; input is trusted, as by hand."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    async def send(self, method: str, **params: Any) -> Any:
        recording = self._recording
        return await recording.connection.send(method, params, recording.session)

    async def see(self, text: str) -> None:
        """Wait until the page shows a text; between two documents there is nothing to ask."""
        look = f"document.readyState === 'complete' && document.body.innerText.includes({text!r})"
        async with asyncio.timeout(20):
            while True:
                seen = await self.send("Runtime.evaluate", expression=look)
                if seen["result"].get("value") is True:
                    return

    async def type_into(self, selector: str, text: str) -> None:
        focus = f"document.querySelector('{selector}').select()"
        await self.send("Runtime.evaluate", expression=focus)
        await self.send("Input.insertText", text=text)

    async def press_enter(self) -> None:
        enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        await self.send("Input.dispatchKeyEvent", type="keyDown", text="\r", **enter)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **enter)

    async def close_the_window(self) -> None:
        recording = self._recording
        await recording.connection.send("Target.closeTarget", {"targetId": recording.target})


def test_what_a_person_does_to_sign_in_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> Crawled:
        async with serve_asgi(club()) as url:
            enough = asyncio.Event()
            async with browser(LaunchOptions()) as launched:
                recording = Recording(launched, enough)
                await recording.open(url)
                person = Person(recording)
                await person.see("Customers only")
                await person.type_into("[name=user]", "somebody")
                await person.type_into("[name=user]", USER)
                await person.type_into("[name=password]", "wrong-4711")
                await person.press_enter()
                await person.see("is wrong")
                await person.type_into("[name=user]", USER)
                await person.type_into("[name=password]", PASSWORD)
                await person.press_enter()
                await person.see(f"Hello {USER}")
                await person.close_the_window()
                async with asyncio.timeout(20):
                    await enough.wait()
                assert PASSWORD not in repr(recording.heard)
            login = recorded_login(url, recording.heard)
            assert format_login(login) == RECORDED
            return await crawl(url, tmp_path / "crawl", login=format_login(login))

    monkeypatch.setenv("STATECRAWL_USER", USER)
    monkeypatch.setenv("STATECRAWL_PASSWORD", PASSWORD)
    assert len(asyncio.run(run()).states) == 3


RECORDED = """open /
fill "User name" with $STATECRAWL_USER
fill "Password" with $STATECRAWL_PASSWORD
click "Sign in"
"""


def test_a_window_where_nobody_signs_in_records_nothing() -> None:
    async def run() -> None:
        async with serve_asgi(club()) as url:
            enough = asyncio.Event()
            enough.set()
            await record_login(url, LaunchOptions(), enough)

    with pytest.raises(ApplicationError, match="nobody signed in"):
        asyncio.run(run())
