"""An application that changed a little is crawled again, starting from the crawl before."""

import json
from pathlib import Path
from typing import Any

from tests.browser.helpers import served
from tests.command import statecrawl
from tests.serving import aside

PAGE = """<!DOCTYPE html><title>Boards</title><h1>Boards</h1><main></main>
<button onclick="show('winter')">Winter</button>
<button onclick="show('summer')">Summer</button>
<button onclick="void 0">Print</button>
<script>
  const texts = {winter: "plenty of snow", summer: "%s"};
  function show(season) { document.querySelector("main").textContent = texts[season]; }
</script>"""


def run(folder: Path, *words: str) -> Any:
    """What a command printed."""
    done = statecrawl(*words, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def searched(folder: Path, crawl: str, query: str) -> list[str]:
    return [found["snippet"] for found in run(folder, "search", crawl, query)]


def test_only_what_changed_is_fired_and_indexed_again(tmp_path: Path) -> None:
    documents = {"/": PAGE % "fields of wheat"}
    with aside(served(documents)) as url:
        plain = ("--no-screenshots", "--out")
        first = run(tmp_path, "crawl", url, *plain, "monday")
        assert (first["states"], first["stop_reason"]) == (3, "complete")
        assert run(tmp_path, "index", "monday")[0]["added"] == 3
        documents["/"] = PAGE % "fields of maize"
        again = ("crawl", "--since", "monday", "--skip-unchanged", *plain, "tuesday")
        second = run(tmp_path, *again)
    assert (second["states"], second["stop_reason"]) == (3, "passed_by")
    assert second["passed_by"] == 3  # "Print", in each state
    assert second["events"] <= first["events"] - 3
    (index,) = run(tmp_path, "index", "tuesday")
    assert (index["added"], index["removed"]) == (1, 1)
    assert index["kept"] + index["changed"] == 2
    assert searched(tmp_path, "tuesday", "fields") == ["fields of maize"]
    assert searched(tmp_path, "monday", "fields") == ["fields of wheat"]
