"""The agent inside the page: what it offers, how it fires, when it believes a page has settled."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.page import Page
from tests.browser.helpers import evaluate, fire, identities, opened

Check = Callable[[Page], Awaitable[None]]


def check(html: str, then: Check, settings: AgentSettings | None = None) -> None:
    async def run() -> None:
        async with opened(html, settings) as page:
            await then(page)

    asyncio.run(run())


def test_an_event_stays_the_same_when_things_around_it_change() -> None:
    html = """<main><button onclick="count()">Inbox (3)</button><table><tbody id=rows>
    <tr><td>Alice</td><td><button onclick="drop(this)">Drop</button></td></tr>
    <tr><td>Bob</td><td><button onclick="drop(this)">Drop</button></td></tr>
    </tbody></table><button onclick="add()">Add</button></main><script>
    const count = () => document.querySelector('button').textContent = 'Inbox (2)';
    const drop = (button) => button.closest('tr').remove();
    const add = () => rows.insertAdjacentHTML('afterbegin',
      '<tr><td>Zoe</td><td><button onclick="drop(this)">Drop</button></td></tr>');
    </script>"""

    async def then(page: Page) -> None:
        inbox, alice, bob, _ = before = await identities(page)
        await fire(page, inbox)
        assert await identities(page) == before
        await fire(page, 'click button "Add"')
        after = await identities(page)
        assert (after[0], after[2], after[3]) == (inbox, alice, bob)
        await fire(page, after[1])
        assert await identities(page) == before
        await fire(page, alice)
        assert (await identities(page))[1] == bob

    check(html, then)


def test_items_of_one_list_are_one_group() -> None:
    html = """<nav><button>Home</button></nav><ul><li><a href=#a>A</a><li><a href=#b>B</a></ul>"""

    async def then(page: Page) -> None:
        home, one, two = (event[2] for event in (await page.call("content()"))["events"])
        assert one == two != home

    check(html, then)


def test_a_group_is_told_by_the_named_part_it_stands_in_and_by_what_it_is_written_to_do() -> None:
    html = """<div id=facets><a onclick="pick('year', 2014)">A</a><a onclick="pick('all')">B</a>
    </div><div id=clips><p><a onclick="show('Owl')">C</a><a onclick="show(&quot;It's&quot;)">D</a>
    <a onclick="next()">E</a></p></div><div id=tab><a onclick="pick('year', 1)">F</a></div>
    <ul id=rows><li id=owl><a onclick="go(1)">G</a><li id=lark><a onclick="go(2)">H</a></ul>"""

    async def then(page: Page) -> None:
        year, every, owl, its, following, tab, one, two = (
            event[2] for event in (await page.call("content()"))["events"]
        )
        assert owl == its
        assert one == two
        assert len({year, every, owl, following, tab, one}) == 6

    check(html, then)


def test_only_what_is_visible_enabled_and_listens_is_offered() -> None:
    html = """<button hidden>hidden</button><button disabled>disabled</button>
    <div style="display:none"><a href="#x">inside</a></div><p>text</p>
    <a href="http://elsewhere.invalid/">out of scope</a><a href="mailto:a@b.c">mail</a>
    <fieldset disabled><button>in a disabled set</button></fieldset>
    <span id=s>listens</span><b id=p>property</b><i onclick="1">attribute</i>
    <script>s.addEventListener('click', () => 1); p.onclick = () => 1</script>"""

    async def then(page: Page) -> None:
        assert [each.split('"')[1] for each in await identities(page)] == [
            "listens", "property", "attribute",
        ]  # fmt: skip
        await evaluate(page, "p.onclick = null; s.remove()")
        await page.call("configure({masks: null})")
        assert len(await identities(page)) == 1

    check(html, then)


def test_a_listener_around_others_is_not_an_event_of_its_own() -> None:
    html = """<div id=root><h2>Menu</h2><span data-go=1>one</span><span data-go=2>two</span></div>
    <p id=out></p><script>root.addEventListener('click', (event) => {
      if (event.target.dataset.go) out.textContent = event.target.dataset.go; });</script>"""

    async def then(page: Page) -> None:
        assert len(await identities(page)) == 2
        await fire(page, 'click span "two"')
        assert await evaluate(page, "out.textContent") == "2"
        await evaluate(page, "root.querySelectorAll('span').forEach((each) => each.remove())")
        await page.call("configure({masks: null})")
        assert await identities(page) == []

    check(html, then)


def test_shadow_roots_and_frames_are_part_of_the_page() -> None:
    html = """<x-box></x-box><iframe srcdoc="<button onclick='this.textContent=1'>framed</button>">
    </iframe><script>customElements.define('x-box', class extends HTMLElement {
      constructor() { super(); const root = this.attachShadow({ mode: 'open' });
        root.innerHTML = '<button>shadowed</button>';
        root.firstChild.addEventListener('click', (e) => { e.target.textContent = 'done'; }); }
    });</script>"""

    async def then(page: Page) -> None:
        assert [each.split('"')[1] for each in await identities(page)] == ["shadowed", "framed"]
        names = await fire(page, 'click button "shadowed"', 'click button "framed"')
        assert names[0] != names[1]
        dom = (await page.call("content()"))["dom"]
        assert '<template shadowrootmode="open"><button>done</button></template>' in dom
        assert '<button onclick="this.textContent=1">1</button>' in dom

    check(html, then)


def test_a_click_is_the_whole_sequence() -> None:
    html = """<button id=b>b</button><script>window.seen = [];
    for (const type of ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'focus',
      'pointerup', 'mouseup', 'click']) b.addEventListener(type, (e) => seen.push(e.type));
    b.addEventListener('click', (e) => {
      const box = b.getBoundingClientRect();
      window.hit = e.clientX > box.left && e.clientX < box.right && e.clientY > box.top;
    });</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "seen") == [
            "pointerover", "mouseover", "pointerdown", "mousedown", "focus",
            "pointerup", "mouseup", "click",
        ]  # fmt: skip
        assert await evaluate(page, "hit") is True

    check(html, then)


def test_typing_choosing_and_keys() -> None:
    html = """<input id=t><select id=s><option>one<option>two</select><input id=k>
    <p id=out></p><script>const say = (what) => { out.textContent += what + ' '; };
    t.addEventListener('input', () => say(t.value));
    s.addEventListener('change', () => say(s.value));
    k.addEventListener('keydown', (e) => { if (e.key === 'Escape') say('escaped'); });
    </script>"""

    async def then(page: Page) -> None:
        await fire(page, 'input "test" input text #t', 'change "two"', 'key "Escape"')
        assert await evaluate(page, "out.textContent") == "test two escaped "

    check(html, then)


def test_a_chain_of_requests_and_timers_is_waited_for() -> None:
    html = """<button onclick="go()">go</button><p id=out>idle</p><script>
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    async function go() {
      out.textContent = 'loading';
      await (await fetch('/?1')).text();
      await pause(3000);
      await (await fetch('/?2')).text();
      requestAnimationFrame(() => requestIdleCallback(() => { out.textContent = 'done'; }));
    }</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "out.textContent") == "done"

    check(html, then)


def test_virtual_time_stands_still_while_a_request_is_outstanding() -> None:
    html = """<button onclick="go()">go</button><p id=out>idle</p><script>
    async function go() {
      const patience = setTimeout(() => { out.textContent = 'gave up'; }, 50);
      for (let i = 0; i < 20; i++) await (await fetch('/?' + i)).text();
      clearTimeout(patience);
      out.textContent = 'in time';
    }</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "out.textContent") == "in time"

    check(html, then)


def test_a_long_timer_is_an_event() -> None:
    html = """<p id=out>signed in</p><script>
    setTimeout(() => { out.textContent = 'signed out'; }, 600000);</script>"""

    async def then(page: Page) -> None:
        assert await evaluate(page, "out.textContent") == "signed in"
        await fire(page, "timeout 600000 ms")
        assert await evaluate(page, "out.textContent") == "signed out"
        assert await identities(page) == []

    check(html, then)


def test_what_repeats_for_ever_is_bounded_and_told() -> None:
    html = """<p id=clock></p><script>let n = 0;
    setInterval(() => { clock.textContent = n++; }, 1000);
    (function again() { setTimeout(again, 0); })();</script>"""

    async def then(page: Page) -> None:
        content = await page.call("content()")
        assert content["ticking"] == [["html/body[1]/p[1]", "text"]]

    check(html, then)


def test_what_stands_in_a_link_has_a_place_as_anything_else_has() -> None:
    html = """<a href="/mail"><b id=":r7:">Mail</b> <span id=clock></span></a><script>let n = 0;
    setInterval(() => { clock.textContent = n++; }, 1000);</script>"""

    async def then(page: Page) -> None:
        content = await page.call("content()")
        assert content["ticking"] == [["html/body[1]/a[1]/span[1]", "text"]]
        assert content["madeUp"] == [["html/body[1]/a[1]/b[1]", "id", ":r7:"]]

    check(html, then)


NEVER_COMES = {
    "script": "make(document, 'script', { src: '/gone' }).remove()",
    "stylesheet": "make(document, 'link', { rel: 'stylesheet', href: '/gone' }).remove()",
    "frame": "const it = make(document, 'iframe', { src: '/gone' }); setTimeout(() => it.remove())",
    "nothing": "make(document, 'iframe', { src: 'some-program://open' })",
    "in_frame": """const it = make(document, 'iframe', {});
        make(it.contentDocument, 'img', { src: '/gone' }); setTimeout(() => it.remove())""",
    "rewritten": """const inner = make(document, 'iframe', {}).contentDocument;
        make(inner, 'link', { rel: 'stylesheet', href: '/gone' });
        setTimeout(() => { inner.open(); inner.write('<p>new'); inner.close(); })""",
}


@pytest.mark.parametrize("what", NEVER_COMES)
def test_nothing_is_waited_for_that_never_comes(what: str) -> None:
    html = f"""<button>Go</button><p id=out></p><script>
    const make = (inner, name, attributes) =>
      inner.body.appendChild(Object.assign(inner.createElement(name), attributes));
    document.querySelector('button').onclick = () => {{
      out.textContent = 'went';
      {NEVER_COMES[what]};
    }};</script>"""

    async def then(page: Page) -> None:
        (go,) = await identities(page)
        message = await page.run([(go, None)])
        assert [is_unsettled for *_, is_unsettled in message["seen"]] == [False]
        assert await evaluate(page, "out.textContent") == "went"

    check(html, then, AgentSettings(load_ms=600_000, settle_ms=5_000))


def test_a_script_that_was_taken_out_again_is_waited_for_as_it_will_run() -> None:
    script = "data:text/javascript,out.textContent+=' and ran'"
    html = f"""<button>Go</button><p id=out>went</p><script>
    document.querySelector('button').onclick = () => {{
      const script = document.createElement('script');
      script.src = "{script}";
      document.head.appendChild(script).remove();
    }};</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "out.textContent") == "went and ran"

    check(html, then)


def test_databases_are_waited_for() -> None:
    html = """<button>Save</button><p id=out></p><script>
    document.querySelector('button').onclick = () => {
      const opening = indexedDB.open('notes', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('all');
      opening.onsuccess = () => {
        const saving = opening.result.transaction('all', 'readwrite');
        saving.objectStore('all').put('text', 1);
        saving.oncomplete = () => {
          const all = opening.result.transaction('all').objectStore('all').getAll();
          all.onsuccess = () => { out.textContent = all.result.join(); };
        };
      };
    };</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "out.textContent") == "text"

    check(html, then)


def test_a_popover_that_is_shown_is_another_state() -> None:
    html = "<button popovertarget=more>More</button><div popover id=more>text</div>"

    async def then(page: Page) -> None:
        (more,) = await identities(page)
        shown, hidden, again = await fire(page, more, more, more)
        assert shown == again != hidden

    check(html, then)


def test_transitions_end_at_once() -> None:
    html = """<style>#box { opacity: 1; transition: opacity 4s } #box.gone { opacity: 0 }</style>
    <button onclick="box.classList.add('gone')">hide</button><div id=box>box</div><script>
    box.addEventListener('transitionend', () => { box.textContent = 'ended'; });</script>"""

    async def then(page: Page) -> None:
        await fire(page, "click button")
        assert await evaluate(page, "box.textContent") == "ended"

    check(html, then)


STYLE = "<style>p { opacity: 1; transition: opacity 4s } p.gone { opacity: 0 }</style>"
MOVING = f"{STYLE}<p>box</p>"
ENDS = """const ended = (p) =>
  p.addEventListener('transitionend', () => { out.textContent = 'ended'; });"""


@pytest.mark.parametrize(
    "html",
    [
        f"""<div id=host></div><script>const root = host.attachShadow({{ mode: 'closed' }});
        root.innerHTML = `{MOVING}`; const p = root.querySelector('p');</script>""",
        f"""<div id=host><template shadowrootmode=open>{MOVING}</template></div><script>
        const p = host.shadowRoot.querySelector('p');</script>""",
        f"""<iframe srcdoc="{MOVING}"></iframe><script>let p; onload = () => {{
        p = document.querySelector('iframe').contentDocument.querySelector('p'); }};</script>""",
    ],
    ids=["shadow", "declared shadow", "frame"],
)
def test_transitions_end_wherever_they_are(html: str) -> None:
    html = f"""{html}<output id=out></output><script>{ENDS}</script>
    <button onclick="ended(p); p.classList.add('gone')">hide</button>"""

    async def then(page: Page) -> None:
        await fire(page, 'click button "hide"')
        assert await evaluate(page, "out.textContent") == "ended"

    check(html, then)


def test_an_animation_in_a_component_ends_and_what_waits_for_it_is_done() -> None:
    html = """<x-box></x-box><output id=out></output><script>
    customElements.define('x-box', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      root.innerHTML = '<button>close</button>';
      root.firstChild.onclick = async ({ target }) => {
        await target.animate([{ opacity: 1 }, { opacity: 0 }], 5000).finished;
        out.textContent = 'closed'; }; } });</script>"""

    async def then(page: Page) -> None:
        await fire(page, 'click button "close"')
        assert await evaluate(page, "out.textContent") == "closed"

    check(html, then)


def test_what_scripts_leave_behind_in_attributes_does_not_count() -> None:
    html = """<h1>x</h1><button onclick="const h = document.querySelector('h1');
      h.className = 'ng-dirty ng-valid-parse'; h.style.color = 'red';
      h.style.color = ''">touch</button>"""

    async def then(page: Page) -> None:
        before = (await page.call("content()"))["dom"]
        await fire(page, 'click button "touch"')
        assert await evaluate(page, "document.querySelector('h1').outerHTML") != "<h1>x</h1>"
        assert (await page.call("content()"))["dom"] == before

    check(html, then)


def test_time_and_chance_are_repeatable_or_real() -> None:
    html = """<script>window.drawn = [Math.random(), crypto.randomUUID(), Date.now(),
    crypto.getRandomValues(new Uint8Array(4))[0]]</script>"""

    async def drawn(settings: AgentSettings) -> list[object]:
        async with opened(html, settings) as page:
            return list(await evaluate(page, "drawn"))

    fixed = AgentSettings(clock=1_600_000_000_000, seed=7)
    one, two = asyncio.run(drawn(fixed)), asyncio.run(drawn(fixed))
    assert one == two
    assert one[2] == 1_600_000_000_000
    other = asyncio.run(drawn(AgentSettings(clock=None, seed=None)))
    assert not set(map(str, other)) & set(map(str, one))


@pytest.mark.parametrize(
    "expression",
    [
        "String(setTimeout) === 'function setTimeout() { [native code] }'",
        "String(fetch) === 'function fetch() { [native code] }'",
        "String(Date) === 'function Date() { [native code] }'",
        "String(Function.prototype.toString) === 'function toString() { [native code] }'",
        "String(EventTarget.prototype.addEventListener).includes('[native code]')",
        "String(Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'onclick').set)"
        ".includes('[native code]')",
        "setTimeout.name === 'setTimeout' && setTimeout.length === 1",
        "!('prototype' in setTimeout)",
        "new Date() instanceof Date && Date.prototype.constructor === Date",
        "new Date(2020, 1, 2).getFullYear() === 2020 && typeof Date() === 'string'",
        "new (class extends Date {})() instanceof Date",
        "Object.keys(window).every((name) => !/statecrawl/i.test(name))",
        "!('__statecrawlReport' in window)",
        "new XMLHttpRequest() instanceof XMLHttpRequest && 'onload' in new XMLHttpRequest()",
        "document.visibilityState === 'visible' && document.hasFocus()",
    ],
)
def test_the_application_sees_nothing_of_it(expression: str) -> None:
    async def then(page: Page) -> None:
        assert await evaluate(page, expression) is True

    check("<p>hello</p>", then)
