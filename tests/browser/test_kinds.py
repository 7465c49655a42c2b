"""Every kind of event, through a whole crawl: offered where somebody listens, and it leads on."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions
from statecrawl.config import RunOptions
from statecrawl.core.dom import parse, places
from statecrawl.core.limits import Limits
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, identities, served

Model = dict[str, dict[str, str]]
"""What each state says in its `output`, and what the state says that each event leads to."""


def model(html: str, folder: Path, **options: Any) -> Model:
    """Crawl a page to its end. All its states must say something else."""

    async def run() -> None:
        async with served({"/": html}) as url:
            found = await crawl(url, folder, **options)
            assert found.counts.stop_reason == "complete"
            assert found.counts.failures == {}
            assert found.nondeterministic == ()

    asyncio.run(run())
    with SqliteStore.open(folder, read_only=True) as store:
        crawled = store.crawled()
        says = {}
        for state in crawled.states:
            snapshot = store.snapshot(state)
            assert snapshot is not None
            outputs = [e for _, e in places(parse(snapshot.dom)) if e.tag == "output"]
            says[state] = outputs[0].own_text
    assert max(Counter(says.values()).values()) == 1, says
    return {
        says[state.id]: {
            event.identity: says[crawled.transitions[state.id, event.identity].target]
            for event in state.events
        }
        for state in crawled.states.values()
    }


HOVER = """<ul><li id=file>File</li><li id=edit>Edit</li><li>Help</li></ul>
<output id=out>closed</output><script>
file.addEventListener('mouseenter', () => { out.textContent = 'file menu'; });
file.addEventListener('mouseleave', () => { out.textContent = 'closed'; });
edit.onmouseover = () => { out.textContent += ', edit menu'; };
edit.onmouseout = () => { out.textContent = 'closed'; };</script>"""


def test_the_pointer_comes_and_leaves(tmp_path: Path) -> None:
    menus = {'hover li "File"': "file menu", 'hover li "Edit"': "closed, edit menu"}
    assert model(HOVER, tmp_path / "crawl") == {
        "closed": menus, "file menu": menus, "closed, edit menu": menus,
    }  # fmt: skip


def test_the_other_button(tmp_path: Path) -> None:
    html = """<p id=row>row</p><p>deaf</p><output id=out>nothing</output><script>
    row.addEventListener('click', () => { out.textContent = 'the wrong button'; });
    row.addEventListener('contextmenu', (event) => {
      event.preventDefault(); out.textContent = 'menu by button ' + event.button; });</script>"""
    menu = {'contextmenu p "row"': "menu by button 2"}
    found = model(html, tmp_path / "crawl", events=("contextmenu",))
    assert found == {"nothing": menu, "menu by button 2": menu}


def test_a_double_click_is_two_clicks_and_more(tmp_path: Path) -> None:
    html = """<p id=cell>cell</p><p>deaf</p><output id=out>shown</output><script>let clicks = 0;
    cell.addEventListener('click', () => { clicks += 1; });
    cell.addEventListener('dblclick', () => {
      out.textContent = `edited after ${clicks} clicks`; clicks = 0; });</script>"""
    edit = {'dblclick p "cell"': "edited after 2 clicks"}
    found = model(html, tmp_path / "crawl", events=("dblclick",))
    assert found == {"shown": edit, "edited after 2 clicks": edit}


@pytest.mark.parametrize(
    ("scrolled", "target", "event"),
    [("list", "list", 'scroll div "item item"'), ("window", "items", "scroll body")],
)
def test_scrolled_to_its_end_there_is_more(
    scrolled: str, target: str, event: str, tmp_path: Path
) -> None:
    html = f"""<output id=out>page 1</output><div style="height: 30px; overflow: auto">
    <p style="height: 60px">deaf</p></div><div id={target}></div><script>let page = 1;
    const more = () => {target}.insertAdjacentHTML('beforeend',
      '<p style="height: 900px">item</p><p>item</p>');
    if ('{scrolled}' === 'list') list.style = 'height: 50px; overflow: auto';
    more();
    {scrolled}.addEventListener('scroll', () => {{
      page += 1; out.textContent = 'page ' + page; if (page < 4) more(); }});</script>"""
    found = model(html, tmp_path / "crawl")
    assert [list(events.values()) for events in found.values()] == [
        ["page 2"], ["page 3"], ["page 4"], [],
    ]  # fmt: skip
    assert list(found["page 1"]) == [event]


FORM = """<form id=ours><input name=word value=hello>{button}</form>
<form><input name=deaf></form><output id=out>nothing</output><script>
ours.addEventListener('submit', (event) => {{
  event.preventDefault(); out.textContent = 'sent ' + new FormData(ours).get('word'); }});
</script>"""


@pytest.mark.parametrize(
    ("button", "event"),
    [
        ("", "submit form #ours"),
        ("<button type=button hidden>no</button>", "submit form #ours"),
        ("<button>Send</button>", 'click button "Send" in form#ours'),
    ],
)
def test_a_form_is_submitted_once(button: str, event: str, tmp_path: Path) -> None:
    found = model(FORM.format(button=button), tmp_path / "crawl")
    assert found == {"nothing": {event: "sent hello"}, "sent hello": {event: "sent hello"}}


def test_a_form_that_is_not_kept_leads_to_its_document(tmp_path: Path) -> None:
    html = """<form id=ours action=/ ><input name=word value=hello></form><output id=out></output>
    <script>out.textContent = location.search || 'nothing';
    ours.onsubmit = () => { ours.word.value = 'good bye'; };</script>"""
    sent = {"submit form #ours": "?word=good+bye"}
    found = model(html, tmp_path / "crawl")
    assert found == {"nothing": sent, "?word=good+bye": sent}


def test_options_and_values_that_somebody_waits_for(tmp_path: Path) -> None:
    html = """<select id=size><option>small<option>large<option disabled>huge</select>
    <select><option>deaf<option>mute</select><input id=word placeholder=word><input>
    <output id=out>small</output><script>
    const say = () => { out.textContent = `${size.value} ${word.value}`; };
    size.onchange = say; word.addEventListener('change', say);</script>"""
    large, small = 'change "large" select #size', 'change "small" select #size'
    typed = 'change "test" input text "word"'
    assert model(html, tmp_path / "crawl") == {
        "small": {large: "large", typed: "small test"},
        "large": {small: "small", typed: "large test"},
        "small test": {large: "large test"},
        "large test": {small: "small test"},
    }


def test_the_keys_that_code_speaks_of(tmp_path: Path) -> None:
    html = """<div id=list tabindex=-1>list</div><input value=deaf><output id=out>1</output><script>
    list.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowDown') out.textContent = 2;
      if (key === "ArrowUp") out.textContent = 1; });
    document.onkeyup = (event) => { if (event.keyCode == 27) out.textContent = 'gone'; };
    </script>"""
    keys = {
        'key "Escape" body': "gone",
        'key "ArrowDown" div "list"': "2",
        'key "ArrowUp" div "list"': "1",
    }
    assert model(html, tmp_path / "crawl") == {"1": keys, "2": keys, "gone": keys}


def test_enter_in_a_field_whose_listener_names_no_key(tmp_path: Path) -> None:
    html = """<form id=ours><input id=word value=test></form><output id=out>nothing</output><script>
    word.addEventListener('keypress', () => { out.textContent = 'pressed'; });
    ours.addEventListener('submit', (event) => {
      event.preventDefault(); out.textContent += ' and sent'; });</script>"""
    enter = {'key "Enter" input text #word in form#ours': "pressed and sent"}
    found = model(html, tmp_path / "crawl", events=("key",))
    assert found == {"nothing": enter, "pressed and sent": enter}


LONG = """<button id=stay>Stay</button><output id=out>signed in</output><script>
const wait = () => setTimeout(() => { out.textContent = 'signed out'; }, 5001);
let timer = wait();
setTimeout(() => { stay.textContent = 'Stay here'; }, 5000);
stay.onclick = () => { clearTimeout(timer); timer = wait(); out.textContent = 'signed in'; };
</script>"""


def test_only_a_timer_beyond_five_seconds_is_an_event(tmp_path: Path) -> None:
    found = model(LONG, tmp_path / "crawl")
    stay = 'click button "Stay here"'
    (timeout,) = found["signed in"].keys() - {stay}
    assert timeout.startswith("timeout 5000 ms")
    assert found == {
        "signed in": {stay: "signed in", timeout: "signed out"},
        "signed out": {stay: "signed in"},
    }


MIDNIGHT = """<button id=light>Light</button><output id=out>off</output><script>
const rest = () => 86400000 - Date.now() % 86400000;
let timer;
const wait = () => { clearTimeout(timer); timer = setTimeout(wait, rest()); };
light.onclick = () => setTimeout(() => {
  out.textContent = out.textContent === 'off' ? 'on' : 'off'; wait(); }, 40);
wait();</script>"""


def test_a_timer_until_an_hour_of_the_day_makes_no_states(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    bounded = RunOptions(out=folder, screenshots=False, limits=Limits(max_states=10))
    found = model(MIDNIGHT, folder, run=bounded)
    light = 'click button "Light"'
    (timeout,) = found["off"].keys() - {light}
    assert found == {"off": {light: "on", timeout: "off"}, "on": {light: "off", timeout: "on"}}


PUSHED = """<button id=go>Go</button><output id=out></output><script>
const show = () => { out.textContent = location.search || 'start'; };
go.onclick = () => { if (!location.search) history.pushState(null, '', '?there'); show(); };
addEventListener('popstate', show); show();</script>"""


def test_back_is_only_fired_when_asked_for(tmp_path: Path) -> None:
    go = {'click button "Go"': "?there"}
    assert model(PUSHED, tmp_path / "crawl") == {"start": go, "?there": go}


EVERYTHING = """<p id=all>all</p><form id=form><input></form>
<select id=list><option>1<option>2</select><input id=field><output id=out>nothing</output><script>
const say = (event) => { out.textContent = event.type; event.preventDefault(); };
for (const kind of ['click', 'dblclick', 'mouseenter', 'contextmenu'])
  all.addEventListener(kind, (event) => say(event));
field.oninput = say; list.onchange = say; form.onsubmit = say;
addEventListener('keydown', (event) => { if (event.key === 'Escape') say(event); });
addEventListener('scroll', say);
setTimeout(() => { out.textContent = 'timeout'; }, 9000);
all.style.height = '5000px';</script>"""


def test_one_kind_named_is_the_only_one_offered() -> None:
    async def run() -> None:
        page_of = {"/": EVERYTHING}
        async with served(page_of) as url, Chromium(LaunchOptions(), AgentSettings()) as chromium:
            for kind in DEFAULT_EVENT_KINDS:
                page, _ = await chromium.load(url, AgentSettings(events=(kind,)))
                assert {each.split()[0] for each in await identities(page)} == {kind}
                await chromium.release(page)

    asyncio.run(run())
