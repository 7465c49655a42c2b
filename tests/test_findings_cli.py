"""`--fail-on`, `--check`, `--invariant` and `show --findings`, as users and builds meet them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.helpers import served
from tests.test_crawl_options import Done, statecrawl

SHOP = """<!doctype html><html lang=en><title>Shop</title><p id=total>0</p>
<button onclick="add()">Add</button><button onclick="pay()">Finish</button><script>
var total = document.getElementById('total');
const add = () => { total.textContent = Math.min(2, Number(total.textContent) + 1); };
const pay = () => {
  if (total.textContent === '2') throw new Error('\\u001b[31mcan not pay');
  total.textContent = -1;
};</script></html>"""


def crawled(folder: Path, *options: str) -> tuple[Done, dict[str, Any], str]:
    """Crawl the shop; how that ended, and what `show --findings` says of it."""

    async def run() -> tuple[Done, dict[str, Any], str]:
        async with served({"/": SHOP}) as url:
            arguments = ["crawl", url, "--out", "out", "--no-screenshots", *options]
            done = await statecrawl(*arguments, cwd=folder)
        shown = await statecrawl("show", "out", "--findings", "--json", cwd=folder)
        table = await statecrawl("show", "out", "--findings", cwd=folder)
        return done, json.loads(shown.output), table.output

    return asyncio.run(run())


def test_a_build_fails_on_what_it_is_told_to_and_all_is_kept(tmp_path: Path) -> None:
    done, shown, table = crawled(
        tmp_path, "--fail-on", "http,exception", "--invariant", "paid: total.textContent >= 0",
        "--invariant", "total.textContent < 3", "--check", "security,html", "--json",
    )  # fmt: skip
    assert done.code == 6, done.errors
    summary = json.loads(done.output)
    assert summary["stop_reason"] == "complete"
    assert summary["findings"] == {"security": 3, "invariant": 1, "exception": 1, "dead_end": 1}
    said = [line for line in done.errors.splitlines() if "failed" in line]
    assert said == [
        "statecrawl: failed on findings: exception 1; to see them: statecrawl show out --findings"
    ]
    [exception] = [each for each in shown["findings"] if each["kind"] == "exception"]
    assert exception["text"] == "Uncaught Error: \x1b[31mcan not pay"
    assert exception["state"] == exception["source"]
    assert [step.split('"')[1] for step in exception["path"][1:]] == ["Add", "Add", "Finish"]
    [invariant] = [each for each in shown["findings"] if each["kind"] == "invariant"]
    assert (invariant["text"], len(invariant["path"])) == ("paid: does not hold", 2)
    assert "can not pay" in table
    assert "\x1b" not in table


def test_findings_of_other_kinds_are_told_and_no_failure(tmp_path: Path) -> None:
    done, shown, _ = crawled(tmp_path, "--fail-on", "http, image")
    assert (done.code, "failed" in done.errors) == (0, False)
    assert "findings: exception 1, dead_end 1\n" in done.output
    assert [each["kind"] for each in shown["findings"]] == ["exception", "dead_end"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--fail-on", "everything"], "--fail-on 'everything': give some of any,exception"),
        (["--check", "spelling"], "unknown check 'spelling': give one of html, accessibility"),
        (["--check", "html"], "pip install 'statecrawl[checks]'"),
    ],
)
def test_bad_input_is_one_line_before_anything_is_done(
    options: list[str], words: str, tmp_path: Path
) -> None:
    without = "import sys; sys.modules['html5lib'] = None"
    nobody = "http://127.0.0.1:1/"
    done = asyncio.run(statecrawl("crawl", nobody, *options, cwd=tmp_path, before=without))
    assert (done.code, done.output) == (2, "")
    assert len(done.errors.splitlines()) == 1
    assert words in done.errors
    assert list(tmp_path.iterdir()) == []
