"""Near-duplicates in real crawls: what varies, what never ends, what may not get lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, Router

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.reading import read_crawl
from statecrawl.compose.replay import replay_state
from statecrawl.config import RunOptions
from statecrawl.core.limits import MAX_ADDITIONS, Limits
from statecrawl.core.stopping import StopReason
from statecrawl.sites.server import serve_asgi
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, served
from tests.browser.late import found, late_site, truth

PAGES = {"/": "Welcome home", "/news": "All the news", "/about": "Who we are"}
ADS = ("Buy shoes", "Fly to Rome", "Eat more fruit")
RESTLESS = """<h1>{title}</h1><nav><a href="/">home</a><a href="/news">news</a>
<a href="/about">about</a></nav><p>Visits: <b>{visits}</b></p><p id="clock"></p>
<div class="ad"><i>{ad}</i></div><form><input type="hidden" name="csrf" value="{token}"></form>
<script>
const tick = () => {{ clock.textContent = new Date().toISOString(); }};
tick(); setInterval(tick, 1000);
</script>"""
POEM = """<h1>Poem</h1><p>Roses are red and violets are blue in my garden</p>
<button onclick="const p = document.querySelector('p');
  p.textContent = 'Quite another thing, of ships on a stormy sea'">turn the page</button>"""
EVER = """<h1>List</h1><div></div><button onclick="const p = document.createElement('p');
  p.textContent = 'paragraph ' + document.querySelectorAll('p').length;
  document.querySelector('div').append(p)">more</button>"""
ALIKE = "<h1>A pump</h1><p>It is a very good pump for every house and garden</p>"


@asynccontextmanager
async def restless_site() -> AsyncIterator[str]:
    """A counter, a clock, an advertisement and a token on every page."""
    visits = count(1)

    async def respond(request: Request) -> Response:
        if request.url.path not in PAGES:
            return Response(status_code=404)
        number = next(visits)
        ad, token = ADS[number % 3], f"{number * 2654435761 % 2**32:08x}"
        title = PAGES[request.url.path]
        return HTMLResponse(RESTLESS.format(title=title, visits=number, ad=ad, token=token))

    async with serve_asgi(Router([Route("/{path:path}", respond)])) as url:
        yield url


def test_what_varies_by_itself_makes_no_states_whatever_the_number_of_tabs(tmp_path: Path) -> None:
    async def run() -> list[set[str]]:
        found = []
        async with restless_site() as url:
            for name, tabs in (("once", 1), ("again", 1), ("side by side", 4)):
                running = RunOptions(out=tmp_path / name, screenshots=False, browsers=tabs)
                crawled = await crawl(url, tmp_path / name, running)
                assert crawled.counts.stop_reason == StopReason.COMPLETE
                assert {state.url.rpartition("/")[2] for state in crawled.states.values()} == {
                    page.strip("/") for page in PAGES
                }
                found.append(set(crawled.states))
        return found

    once, again, side_by_side = asyncio.run(run())
    assert len(once) == len(PAGES)
    assert once == again == side_by_side
    masked = {mask.path for mask in read_crawl(tmp_path / "once").masks.masks}
    assert any(path.endswith("b[1]") for path in masked)  # the counter: by masks, and it says so


def test_a_page_that_counts_and_that_one_event_leads_to_is_one_state(tmp_path: Path) -> None:
    async def run() -> None:
        running = RunOptions(
            out=tmp_path / "crawl", screenshots=False, limits=Limits(max_states=150)
        )
        async with late_site() as url:
            crawled = await crawl(url, tmp_path / "crawl", running, links="each")
        assert crawled.counts.stop_reason == StopReason.COMPLETE

    asyncio.run(run())
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert found(store) == truth()


def test_another_text_is_another_state_of_the_same_class(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": POEM}) as url:
            await crawl(url, tmp_path / "poem")

    asyncio.run(run())
    found = read_crawl(tmp_path / "poem")
    assert len(found.states) == 2
    assert [len(states) for states in found.classes.members.values()] == [2]
    with SqliteStore.open(tmp_path / "poem", read_only=True) as store:
        assert set(store.features("blend")) == set(found.states)
        decided = store.decisions("blend:threshold=0,events=same")
        assert [decision.state for decision in decided] == list(found.states)


def test_what_never_ends_does_when_near_duplicates_are_one_state(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": EVER}) as url:
            few = RunOptions(out=tmp_path / "few", screenshots=False, limits=Limits(max_events=1))
            await crawl(url, tmp_path / "few", few, equivalence="blend")
            rest = RunOptions(out=tmp_path / "few", screenshots=False, resume=True)
            found = await crawl(url, tmp_path / "few", rest)
            assert found.counts.stop_reason == StopReason.COMPLETE
            assert len(found.states) == 2  # none, and at least one
            with SqliteStore.open(tmp_path / "few", read_only=True) as store:
                decided = store.decisions("blend:threshold=0,events=same")
            assert {decision.representative for decision in decided} == set(found.states)
            assert len(decided) > len(found.states)
            replayed = await replay_state(tmp_path / "few", list(found.states)[1], LaunchOptions())
            assert replayed.reached

    asyncio.run(run())


def test_a_button_that_adds_a_paragraph_for_ever_is_left_at_that_and_it_is_said(
    tmp_path: Path,
) -> None:
    async def run() -> list[set[str]]:
        found = []
        async with served({"/": EVER}) as url:
            for name, tabs in (("once", 1), ("side by side", 4)):
                running = RunOptions(out=tmp_path / name, screenshots=False, browsers=tabs)
                crawled = await crawl(url, tmp_path / name, running)
                assert crawled.counts.stop_reason == StopReason.ENDLESS
                assert len(crawled.states) == MAX_ADDITIONS + 1
                (warning,) = crawled.warnings
                assert warning.startswith('"more" added another <p> 20 times in a row')
                found.append(set(crawled.states))
            more = RunOptions(
                out=tmp_path / "once",
                screenshots=False,
                resume=True,
                limits=Limits(max_additions=MAX_ADDITIONS + 3),
            )
            crawled = await crawl(url, tmp_path / "once", more)
            assert len(crawled.states) == MAX_ADDITIONS + 4
        return found

    once, side_by_side = asyncio.run(run())
    assert once == side_by_side


@pytest.mark.parametrize(
    ("rule", "states", "reason"),
    [
        ("same", {"/", "/a", "/b", "/secret"}, StopReason.COMPLETE),
        ("union", {"/", "/a", "/b", "/secret"}, StopReason.NEAR_DUPLICATES),
        ("ignore", {"/", "/a"}, StopReason.COMPLETE),
    ],
)
def test_no_link_is_lost_because_a_page_looked_alike(
    rule: str, states: set[str], reason: StopReason, tmp_path: Path
) -> None:
    home = '<a href="/">home</a>'
    documents = {
        "/": '<h1>Our pumps</h1><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>',
        "/a": f"{ALIKE}{home}",
        "/b": f'{ALIKE}{home}<a href="/secret">x</a>',
        "/c": f"{ALIKE}<p>new</p>{home}",
        "/secret": "<h1>Something that nobody else tells</h1>",
    }

    async def run() -> None:
        async with served(documents) as url:
            spec = f"broder:size=1,threshold=0.3,events={rule}"
            found = await crawl(url, tmp_path / rule, equivalence=spec)
            assert {state.url.removeprefix(url.rstrip("/")) for state in found.states.values()} == (
                states
            )
            assert found.counts.stop_reason == reason

    asyncio.run(run())
