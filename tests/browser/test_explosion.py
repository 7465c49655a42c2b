"""Applications without end: the part that makes the states is named, and --ignore ends them."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from statecrawl.compose.reading import read_crawl
from statecrawl.config import RunOptions
from statecrawl.core.dom import parse, places
from statecrawl.core.limits import Limits
from statecrawl.core.selector import selector
from statecrawl.terminal.crawls import print_crawl
from tests.browser.helpers import crawl, evaluate, opened, served

COUNTER = """<h1>Counter</h1><p>clicked <b class="times big">0</b> times</p>
<button onclick="const b = document.querySelector('.times'); b.textContent = +b.textContent + 1">
more</button>"""
CALENDAR = """<header>Dates</header><div><h2></h2><table><tbody></tbody></table></div>
<button onclick="month += 1; draw()">next</button>
<button onclick="month -= 1; draw()">previous</button><script>
let month = 0;
function draw() {
  const first = new Date(Date.UTC(2024, month, 1));
  document.querySelector('h2').textContent = first.toISOString().slice(0, 7);
  const last = new Date(Date.UTC(2024, month + 1, 0)).getUTCDate();
  let rows = '';
  for (let day = 1 - first.getUTCDay(); day <= last; day += 7) {
    rows += '<tr>';
    for (let n = day; n < day + 7; n++) rows += `<td>${n > 0 && n <= last ? n : ''}</td>`;
    rows += '</tr>';
  }
  document.querySelector('tbody').innerHTML = rows;
}
draw();</script>"""
LIST = """<main><ul id="rows"></ul></main><button onclick="
for (let n = 0; n < 3; n++) {
  const row = document.createElement('li');
  row.innerHTML = `<button>row ${rows.children.length}</button>`;
  rows.append(row);
}">more</button>"""


def limited(folder: Path) -> RunOptions:
    return RunOptions(out=folder, screenshots=False, limits=Limits(max_states=32))


@pytest.mark.parametrize(
    ("html", "css", "skipped"),
    [(CALENDAR, "html > body > div:nth-of-type(1)", []), (LIST, "#rows", ["#rows"])],
    ids=["calendar", "list"],
)
def test_the_part_that_never_ends_is_named_and_can_be_ignored(
    html: str, css: str, skipped: list[str], tmp_path: Path
) -> None:
    async def run() -> None:
        async with served({"/": html}) as url:
            found = await crawl(url, tmp_path / "endless", limited(tmp_path / "endless"))
            assert found.counts.stop_reason == "max_states"
            (warning,) = found.warnings
            assert re.findall("--ignore '([^']+)'", warning) == [css]
            assert re.findall("--skip '([^']+)'", warning) == skipped
            calm = await crawl(url, tmp_path / "calm", ignore=(css,), skip=tuple(skipped))
            assert (calm.counts.stop_reason, len(calm.states)) == ("complete", 1)
            assert calm.warnings == ()

    asyncio.run(run())


def test_the_warning_is_on_standard_error_in_the_report_and_in_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> tuple[str, str]:
        async with served({"/": COUNTER}) as url:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "statecrawl", "crawl", url, "--out", "out"),
                *("--max-states", "32", "--no-screenshots"),
                cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            output, errors = await asyncio.wait_for(process.communicate(), 120)
            assert process.returncode == 0, errors
            return output.decode(), errors.decode()

    output, errors = asyncio.run(run())
    expected = (
        'warning: 29 of the last 30 new states differ only in "29" (.big): '
        "if that is no content, give --ignore '.big'"
    )
    assert f"statecrawl: {expected}\n" in errors
    assert f"\n{expected}\n" in output
    found = read_crawl(tmp_path / "out")
    print_crawl(found, tmp_path / "out", with_states=True)
    assert f"\n{expected}\n" in capsys.readouterr().out
    assert found.summary()["warnings"] == [expected.removeprefix("warning: ")]


PARTS = """<main id="top"><p class="a b">1</p><p class="a">2<b>3</b></p></main>
<script></script><div><ul><li>4</li><li class="b">5<i id="odd:id">6</i></li></ul></div>
<style></style><div><my-part class="-x 1y">7</my-part><svg><g><rect></rect></g></svg></div>
<form><select name="s"><option>8</option><option>9</option></select><input></form>"""


def test_the_selector_of_every_part_selects_it_in_the_page() -> None:
    async def run() -> None:
        async with opened(PARTS) as page:
            root = parse((await page.call("content()"))["dom"])
            for path, element in places(root):
                css = selector(root, path)
                found = f"[...document.querySelectorAll({css!r})].map((e) => e.localName)"
                assert await evaluate(page, found) == [element.tag], css
                if not any(element.elements):
                    text = f"document.querySelector({css!r}).textContent"
                    assert await evaluate(page, text) == element.own_text, css

    asyncio.run(run())
