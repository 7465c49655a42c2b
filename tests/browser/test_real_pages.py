"""What real applications do that a crawler stumbles over, each on a page of its own."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.routing import Route, Router, WebSocketRoute
from starlette.websockets import WebSocket

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.replay import replay_state
from statecrawl.core.crawled import Crawled
from statecrawl.sites.server import serve_asgi
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, evaluate, fire, identities, opened, served


def offered(html: str) -> list[str]:
    """What a page offers when it is loaded."""

    async def run() -> list[str]:
        async with opened(html) as page:
            return await identities(page)

    return asyncio.run(run())


def shown(html: str, *events: str) -> str:
    """What a page shows in its output after some events."""

    async def run() -> str:
        async with opened(html) as page:
            await fire(page, *events)
            return str(await evaluate(page, "out.textContent"))

    return asyncio.run(run())


def crawled(html: str, folder: Path) -> Crawled:
    """What a crawl of a page finds."""

    async def run() -> Crawled:
        async with served({"/": html}) as url:
            return await crawl(url, folder)

    return asyncio.run(run())


def test_what_a_worker_is_given_to_do_is_waited_for() -> None:
    html = """<button onclick="worker.postMessage(7)">Count</button><output id=out></output><script>
    const code = 'onmessage = ({ data }) => setTimeout(() => postMessage(data * 6), 50)';
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onmessage = ({ data }) => { out.textContent = data; };</script>"""
    assert shown(html, "click button") == "42"


def test_the_first_notice_of_what_is_seen_belongs_to_the_page() -> None:
    html = """<button onclick="look()">Look</button><output id=out></output><script>
    const look = () => {
      new IntersectionObserver(() => {}).observe(document.createElement('i'));
      new IntersectionObserver(([{ isIntersecting }]) => { out.textContent = isIntersecting; })
        .observe(document.body); };</script>"""
    assert shown(html, "click button") == "true"


def test_a_slow_connection_is_listened_to_longer() -> None:
    page = """<button onclick="new EventSource('/slow').onmessage = (message) => {
      out.textContent += message.data }">Listen</button><output id=out></output>"""

    async def slowly() -> AsyncIterator[str]:
        yield "data: one\n\n"
        await asyncio.sleep(0.3)  # more than a connection may be quiet that was quick
        yield "data: two\n\n"

    async def respond(_: object) -> StreamingResponse:
        await asyncio.sleep(0.3)
        return StreamingResponse(slowly(), media_type="text/event-stream")

    async def run() -> None:
        router = Router([Route("/", lambda _: HTMLResponse(page)), Route("/slow", respond)])
        async with (
            serve_asgi(router) as url,
            Chromium(LaunchOptions(), AgentSettings()) as chromium,
        ):
            loaded, _ = await chromium.load(url)
            await fire(loaded, "click button")
            assert await evaluate(loaded, "out.textContent") == "onetwo"

    asyncio.run(run())


def test_an_answer_is_waited_for_as_long_as_one_may_take() -> None:
    page = """<button>Ask</button><output id=out></output><script>
    document.querySelector('button').onclick = () => {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      socket.onopen = () => socket.send('why');
      socket.onmessage = ({ data }) => { out.textContent = data; }; };</script>"""

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        asked = await socket.receive_text()
        await asyncio.sleep(0.5)  # more than a connection may be quiet that was quick
        await socket.send_text(f"{asked} not")
        await socket.receive()

    async def run() -> None:
        home = Route("/", lambda _: HTMLResponse(page))
        async with (
            serve_asgi(Router([home, WebSocketRoute("/socket", talk)])) as url,
            Chromium(LaunchOptions(), AgentSettings()) as chromium,
        ):
            loaded, _ = await chromium.load(url)
            await fire(loaded, "click button")
            assert await evaluate(loaded, "out.textContent") == "why not"

    asyncio.run(run())


@pytest.mark.parametrize("source", ["srcdoc='<p>inner</p>'", "src=/?inner"])
def test_a_frame_that_is_put_in_is_waited_for(source: str) -> None:
    html = f"""<button>Open</button><div id=place></div><script>
    if (location.search) document.body.innerHTML = '<p>inner</p>';
    document.querySelector('button')?.addEventListener('click', () => {{
      place.innerHTML = "<iframe {source}></iframe>"; }});</script>"""

    async def run() -> None:
        async with opened(html) as page:
            await fire(page, "click button")
            assert "<p>inner</p>" in (await page.call("content()"))["dom"]

    asyncio.run(run())


def test_a_control_that_the_pointer_makes_appear_is_offered() -> None:
    html = """<style>button, ul ul { display: none } li:hover > button { display: inline }
    .own:hover { display: block } i:hover b { visibility: visible } b { visibility: hidden }
    nav:hover ul ul { display: block }</style>
    <ul><li>milk <button>Drop</button></li></ul><p><button>never</button></p>
    <p><button class=own>not by itself</button></p><i><b onclick="go()">seen</b></i>
    <nav><ul><li>File<ul><li><a href="#new">New</a></li></ul></li></ul></nav>
    <div hidden><ul><li><button>in what is hidden</button></li></ul></div>"""
    assert offered(html) == [
        'click button "Drop" of "milk"', 'click b "seen" go()', 'click a "New" #new in nav',
    ]  # fmt: skip


OLD_FRAMEWORKS = """<div id=one></div><div id=two></div><script>
function mount(root, mark, wrap) {
  const hear = (type, prop) => document.addEventListener(type, (event) => {
    for (let each = event.target; each; each = each.parentElement) {
      unwrap(each[mark])?.[prop]?.(event); } });
  const unwrap = (kept) => kept?._currentElement?.props ?? kept;
  hear('click', 'onClick');
  hear('dblclick', 'onDoubleClick');
  for (const name of ['deaf', 'heard']) {
    const made = document.createElement('p');
    made.textContent = `${name} ${root.id}`;
    made.tabIndex = 0;
    made[mark] = wrap(name === 'heard' ? { onClick() { made.textContent = 'done'; } } : {});
    root.append(made);
  }
}
mount(one, '__reactEventHandlers$a1', (props) => props);
%s
</script>"""


@pytest.mark.parametrize(
    ("second", "more"),
    [
        ("", []),
        ("mount(two, '__reactProps$b2', (props) => props); two['__reactContainer$b2'] = {};"
         "two.addEventListener('click', () => {});", ['click p "heard two"']),
    ],
)  # fmt: skip
def test_old_frameworks_and_several_tell_what_their_elements_listen_for(
    second: str, more: list[str]
) -> None:
    assert offered(OLD_FRAMEWORKS % second) == ['click p "heard one"', *more]


def test_a_framework_older_still_keeps_properties_with_an_instance() -> None:
    first = "mount(one, '__reactEventHandlers$a1', (props) => props);"
    older = "mount(one, '__reactInternalInstance$c3', (props) => ({ _currentElement: { props } }));"
    assert offered(OLD_FRAMEWORKS.replace(first, older) % "") == ['click p "heard one"']


def test_enter_in_a_field_when_the_document_hears_any_key() -> None:
    html = """<input id=word><input type=checkbox id=box><script>
    document.addEventListener('keydown', (event) => {LISTENER});</script>"""
    enter = 'key "Enter" input text #word'
    assert enter in offered(html.replace("LISTENER", "dispatch(event)"))
    assert enter not in offered(html.replace("LISTENER", "if (event.key === 'Escape') close()"))


def test_keys_by_their_numbers_and_constants() -> None:
    html = """<input id=word><script>const ESCAPE_KEY = 27;
    word.onkeydown = (e) => 13 === e.which || e.keyCode === ESCAPE_KEY || e.keyCode == 8;
    </script>"""
    keys = [each for each in offered(html) if each.startswith("key")]
    assert keys == [f'key "{key}" input text #word' for key in ("Enter", "Backspace", "Escape")]


def test_a_form_whose_fields_are_hidden_is_not_submitted() -> None:
    html = """<form id=seen><input></form><form id=not><input style="display: none"></form><script>
    for (const form of document.forms) form.addEventListener('submit', () => {});</script>"""
    assert offered(html) == ["submit form #seen", 'submit "filled" form #seen']


def test_a_double_click_that_a_list_hears_is_one_on_the_texts_of_its_rows() -> None:
    html = """<output id=out></output><ul id=list><li><label>milk</label></li><li>tea</li></ul>
    <p>no row</p><script>list.addEventListener('dblclick', ({ target }) => {
      out.textContent = target.localName + ' ' + target.textContent; });</script>"""
    assert offered(html) == ['dblclick label "milk"', 'dblclick li "tea"']
    assert shown(html, "dblclick label") == "label milk"


def test_what_only_wraps_a_control_is_none() -> None:
    html = """<style>h4, li { cursor: pointer }</style><h4><b><button>Schemas</button></b></h4>
    <ul><li><i>tea</i> <button>Drop</button></li></ul>
    <script>document.addEventListener('click', ({ target }) => target.closest('h4'));</script>"""
    assert [each.split(" of ")[0] for each in offered(html)] == [
        'click button "Schemas"', 'click li "tea Drop"', 'click button "Drop"',
    ]  # fmt: skip


def test_the_servers_clock_is_the_pages() -> None:
    html = """<button onclick="go()">Go</button><output id=out></output><script>
    async function go() {
      const fetched = (await fetch('/?1')).headers.get('date');
      const xhr = new XMLHttpRequest();
      xhr.open('GET', '/?2');
      xhr.onload = () => {
        const all = /date: (.*)/i.exec(xhr.getAllResponseHeaders())[1];
        out.textContent = [fetched, xhr.getResponseHeader('Date'), all].join('|'); };
      xhr.send();
    }</script>"""
    clock = AgentSettings().clock
    assert clock is not None
    date = format_datetime(datetime.fromtimestamp(clock / 1000, UTC), usegmt=True)
    assert shown(html, "click button") == "|".join([date] * 3)
    assert shown(html, "click button", "click button") == "|".join([date] * 3)  # kept answers


def test_scrolling_that_changes_nothing_leads_nowhere(tmp_path: Path) -> None:
    html = """<p style="height: 3000px">long</p><script>
    window.addEventListener('scroll', () => {});</script>"""
    found = crawled(html, tmp_path / "crawl")
    ((state, event),) = (pair for pair in found.transitions if pair[0])
    assert event == "scroll body"
    assert found.transitions[state, event].target == state
    assert found.counts.stop_reason == "complete"


@pytest.mark.parametrize("start", ["", "shrink.animate([], 1)"], ids=["as it is", "drawn already"])
def test_a_page_hears_of_scrolling_until_it_scrolls_no_more(start: str) -> None:
    html = f"""<button id=shrink onclick="{start}">Start</button>
    <div id=box style="height: 3000px"></div><output id=out></output><script>
    addEventListener('scroll', ({{ isTrusted }}) => {{
      box.style.height = Math.max(0, box.offsetHeight - 500) + 'px';
      out.textContent += isTrusted ? '*' : '?'; }});</script>"""
    assert shown(html, "click button", "scroll body") == "*" * 6


def test_the_order_of_classes_says_nothing(tmp_path: Path) -> None:
    html = """<button id=b class="b  a c" onclick="b.className = 'c a b a'">Turn</button>"""
    assert len(crawled(html, tmp_path / "crawl").states) == 1


def test_the_order_of_custom_properties_says_nothing_but_what_they_are_does(tmp_path: Path) -> None:
    html = """<button onclick="paint(1)">Turn</button><button onclick="paint(2)">Other</button>
    <p id=p style="--c: 1; --b: ';'; top: 0px; --a: url(x;y)">painted</p><script>
    const paint = (c) => p.setAttribute('style', `--a: url(x;y); top: 0px; --b: ';'; --c: ${c}`);
    </script>"""
    found = crawled(html, tmp_path / "crawl")
    assert len(found.states) == 2
    assert sorted(Counter(each.target for each in found.transitions.values()).values()) == [2, 3]


def test_the_order_of_declarations_says_nothing_unless_one_undoes_another(tmp_path: Path) -> None:
    html = """<button onclick="p.style.cssText = 'top: 0px; width: 1px; color: red'">Turn</button>
    <button onclick="p.style.cssText = 'width: 1px; top: 0px; color: blue'">Other</button>
    <button onclick="q.setAttribute('style', 'margin: 0px; margin-left: 1px')">Undo</button>
    <p id=p style="width: 1px; color: red; top: 0px">painted</p>
    <p id=q style="margin-left: 1px; margin: 0px">moved</p>"""
    found = crawled(html, tmp_path / "crawl")
    assert len(found.states) == 4  # red or blue, moved or not


def test_numbers_that_a_framework_counts_up_say_nothing(tmp_path: Path) -> None:
    html = """<button id=b onclick="draw()">Draw</button><p id=p></p><script>let count = 0;
    const draw = () => { count += 1;
      p.innerHTML = `<button data-bindattr-${count}="${count}" data-ember-action="${count}"
        data-size="7" onclick="1">row</button>`; };
    draw();</script>"""
    found = crawled(html, tmp_path / "crawl")
    (state,) = found.states.values()
    assert [event.identity for event in state.events][1:] == ['click button "row" # data-size=#']


def test_the_browsers_own_pointer_is_not_heard(tmp_path: Path) -> None:
    html = """<button>nothing</button><output id=out></output><script>
    for (const type of ['mousemove', 'mouseover', 'pointerenter', 'mouseleave']) {
      document.addEventListener(type, ({ isTrusted }) => {
        if (isTrusted) out.textContent += type; }, true);
    }</script>"""
    found = crawled(html, tmp_path / "crawl")
    assert len(found.states) == 1
    assert "trusted" not in found.about


def test_what_did_something_once_is_not_tried_with_trusted_input(tmp_path: Path) -> None:
    html = """<button id=again>Again</button><output id=out>0</output><script>
    let count = 0;
    again.onclick = ({ isTrusted }) => {
      if (isTrusted) out.textContent = 'trusted'; else if (count < 2) out.textContent = ++count; };
    </script>"""
    found = crawled(html, tmp_path / "crawl")
    assert len(found.states) == 3
    assert "trusted" not in found.about


SECRETIVE = """<button id=b>Open</button><button id=fire>Fire</button><output id=out></output>
<script>
let armed = false;
const next = { Open: 'Arm', Arm: 'Close', Close: 'Open' };
b.onclick = () => { armed ||= b.textContent === 'Arm'; b.textContent = next[b.textContent];
  fire.hidden = b.textContent !== 'Open'; };
fire.onclick = () => { out.textContent = armed ? 'boom' : 'fizz'; b.remove(); fire.remove(); };
</script>"""


def test_a_state_that_depends_on_what_a_page_hides_is_found_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": SECRETIVE}) as url:
            found = await crawl(url, tmp_path / "crawl")
            boom = list(found.states)[-1]
            way = found.path(boom)
            assert way is not None
            assert [step.event for step in way.steps] == ['click button "Fire"']
            with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
                snapshot, trail = store.snapshot(boom), store.trail(boom)
            assert snapshot is not None
            assert "boom" in snapshot.dom
            assert trail is not None
            names = ("Open", "Arm", "Close", "Fire")
            assert [move.event for move in trail.moves] == [f'click button "{n}"' for n in names]
            assert (await replay_state(tmp_path / "crawl", boom, LaunchOptions())).reached

    asyncio.run(run())
