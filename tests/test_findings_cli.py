"""`--fail-on`, `--check`, `--invariant` and `show --findings`, as users and builds meet them."""

import json
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.browser.helpers import served
from tests.command import statecrawl
from tests.serving import aside

pytestmark = pytest.mark.usefixtures("in_turns")

SHOP = """<!doctype html><html lang=en><title>Shop</title><p id=total>0</p>
<button onclick="add()">Add</button><button onclick="pay()">Finish</button><script>
var total = document.getElementById('total');
const add = () => { total.textContent = Math.min(2, Number(total.textContent) + 1); };
const pay = () => {
  if (total.textContent === '2') throw new Error('\\u001b[31mcan not pay');
  total.textContent = -1;
};</script></html>"""


def crawled(folder: Path, *options: str) -> tuple[CompletedProcess[str], dict[str, Any], str]:
    """Crawl the shop; how that ended, and what `show --findings` says of it."""
    with aside(served({"/": SHOP})) as url:
        arguments = ["crawl", url, "--out", "out", "--no-screenshots", *options]
        done = statecrawl(*arguments, cwd=folder)
    shown = statecrawl("show", "out", "--findings", "--json", cwd=folder)
    table = statecrawl("show", "out", "--findings", cwd=folder)
    return done, json.loads(shown.stdout), table.stdout


def test_a_build_fails_on_what_it_is_told_to_and_all_is_kept(tmp_path: Path) -> None:
    done, shown, table = crawled(
        tmp_path, "--fail-on", "http,exception", "--invariant", "paid: total.textContent >= 0",
        "--invariant", "total.textContent < 3", "--check", "security,html", "--json",
    )  # fmt: skip
    assert done.returncode == 6, done.stderr
    summary = json.loads(done.stdout)
    assert summary["stop_reason"] == "complete"
    assert summary["findings"] == {"security": 3, "invariant": 1, "exception": 1, "dead_end": 1}
    said = [line for line in done.stderr.splitlines() if "failed" in line]
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
    assert (done.returncode, "failed" in done.stderr) == (0, False)
    assert "findings: exception 1, dead_end 1\n" in done.stdout
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
    options: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "html5lib", None)
    nobody = "http://127.0.0.1:1/"
    done = statecrawl("crawl", nobody, *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []
