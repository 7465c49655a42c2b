"""What the crawl does for itself leaves no trace, and what was done before makes no states."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.config import RunOptions
from statecrawl.core.limits import Limits
from tests.browser.helpers import crawl, evaluate, identities, opened, served

BOX = """<div id=box style="height: 40px; overflow: hidden"><p style="height: 90px">far</p>
<button onclick="{handler}">Deep</button></div><script>{script}</script>"""


@pytest.mark.parametrize(
    ("handler", "script", "stays"),
    [
        ("", "", False),
        ("this.title = 'clicked'", "", False),
        ("", "box.addEventListener('scroll', () => {})", False),
        ("this.title = 'clicked'", "box.addEventListener('scroll', () => {})", True),
    ],
    ids=["nothing happens", "the page changes", "it is heard", "it is heard, the page changes"],
)
def test_what_is_scrolled_for_the_browsers_own_pointer_is_put_back(
    handler: str, script: str, stays: bool
) -> None:
    async def run() -> None:
        async with opened(BOX.format(handler=handler, script=script)) as page:
            (deep,) = (each for each in await identities(page) if each.startswith("click"))
            assert await page.click_trusted(deep) is not None
            assert bool(await evaluate(page, "box.scrollTop")) is stays

    asyncio.run(run())


def test_where_the_page_itself_has_scrolled_it_stays() -> None:
    async def run() -> None:
        async with opened(BOX.format(handler="box.scrollTop = 7", script="")) as page:
            (deep,) = await identities(page)
            await page.click_trusted(deep)
            assert await evaluate(page, "box.scrollTop") == 7

    asyncio.run(run())


def test_a_picture_takes_no_focus_away_and_nobody_hears_of_it() -> None:
    html = """<input id=field><script>const heard = [];
    for (const type of ['focus', 'blur', 'focusin', 'focusout']) {
      for (const target of [window, field]) {
        target.addEventListener(type, (event) => event.target === target && heard.push(type));
      }
    }</script>"""
    looked = "heard.splice(0).join(' ')"

    async def run() -> None:
        async with opened(html) as page:
            focused = "focus focusin"
            assert await evaluate(page, f"field.focus(); {looked}") == focused
            assert await page.screenshot()
            assert await evaluate(page, looked) == ""
            moved = await evaluate(page, f"field.blur(); field.focus(); {looked}")
            assert moved == f"blur focusout {focused}"

    asyncio.run(run())


def test_a_page_hears_that_focus_goes_into_a_frame_and_comes_back() -> None:
    html = """<input id=field><iframe id=frame srcdoc="<input id=inner>"></iframe><script>
    const heard = [];
    for (const target of [window, field]) {
      for (const type of ['focus', 'blur']) {
        target.addEventListener(type, (event) => event.target === target
          && heard.push(`${target === window ? 'window' : 'field'} ${type}`));
      }
    }</script>"""
    inside = "frame.contentDocument.querySelector('input').focus()"

    async def run() -> None:
        async with opened(html) as page:
            await page.screenshot()
            await evaluate(page, f"field.focus(); {inside}; field.focus()")
            heard = await evaluate(page, "heard.splice(0)")
            assert {"window blur", "window focus", "field blur"} <= set(heard)

    asyncio.run(run())


DIALOG = """<button onclick="ask()">Ask</button><div id=place></div><script>let count = 0;
const ask = () => { count += 1; place.innerHTML = `<section role=dialog id="dialog-${count}"
  aria-labelledby="title-${count}"><h2 id="title-${count}">Sure?</h2>
  <button onclick="place.innerHTML = ''">No</button>
  <button onclick="this.textContent = 'Really yes'">Yes</button></section>`; };</script>"""


@pytest.mark.parametrize("asks_again", [True, False], ids=["seen at once", "seen on the way"])
def test_what_a_page_counts_up_makes_no_states(tmp_path: Path, asks_again: bool) -> None:
    hidden = "<style>body:has(section) > button { display: none }</style>"
    html = DIALOG if asks_again else hidden + DIALOG
    run = RunOptions(out=tmp_path, screenshots=False, limits=Limits(max_states=20))

    async def find() -> None:
        async with served({"/": html}) as url:
            found = await crawl(url, tmp_path, run, strategy="greedy")
        assert len(found.states) == 3
        assert not found.nondeterministic

    asyncio.run(find())
