"""Applications without end: the part that makes the states is named, and --ignore ends them."""

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest

from statecrawl.config import RunOptions
from statecrawl.core.limits import Limits
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


@pytest.mark.parametrize(
    ("html", "selector", "states"),
    [
        (COUNTER, ".big", 1),
        (CALENDAR, "html > body > div:nth-of-type(1)", 1),
        (LIST, "#rows", 1),
    ],
    ids=["counter", "calendar", "list"],
)
def test_the_part_that_never_ends_is_named_and_can_be_ignored(
    html: str, selector: str, states: int, tmp_path: Path
) -> None:
    async def run() -> None:
        async with served({"/": html}) as url:
            limited = RunOptions(
                out=tmp_path / "endless", screenshots=False, limits=Limits(max_states=40)
            )
            found = await crawl(url, tmp_path / "endless", limited)
            assert found.counts.stop_reason == "max_states"
            (warning,) = found.warnings
            ignored = re.findall("--ignore '([^']+)'", warning)
            skipped = re.findall("--skip '([^']+)'", warning)
            assert ignored == [selector]
            assert skipped == ([selector] if html is LIST else [])
            calm = await crawl(url, tmp_path / "calm", ignore=tuple(ignored), skip=tuple(skipped))
            assert (calm.counts.stop_reason, len(calm.states)) == ("complete", states)
            assert calm.warnings == ()
        async with opened(html) as page:
            assert await evaluate(page, f"document.querySelectorAll({selector!r}).length") == 1

    asyncio.run(run())


def test_the_warning_is_on_standard_error_in_the_report_and_in_show(tmp_path: Path) -> None:
    async def statecrawl(*arguments: str) -> tuple[str, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "statecrawl", *arguments,
            cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        output, errors = await asyncio.wait_for(process.communicate(), 120)
        assert process.returncode == 0, errors
        return output.decode(), errors.decode()

    async def run() -> None:
        async with served({"/": COUNTER}) as url:
            output, errors = await statecrawl(
                "crawl", url, "--out", "out", "--max-states", "40", "--no-screenshots"
            )
        expected = (
            'warning: 29 of the last 30 new states differ only in "29" (.big): '
            "if that is no content, give --ignore '.big'"
        )
        assert f"statecrawl: {expected}\n" in errors
        assert f"\n{expected}\n" in output
        assert f"\n{expected}\n" in (await statecrawl("show", "out"))[0]
        shown = json.loads((await statecrawl("show", "out", "--json"))[0])
        assert shown["warnings"] == [expected.removeprefix("warning: ")]

    asyncio.run(run())
