"""An application that changed a little is crawled again, starting from the crawl before."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.browser.helpers import served
from tests.command import statecrawl

PAGE = """<!DOCTYPE html><title>Boards</title><h1>Boards</h1><main></main>
<button onclick="show('winter')">Winter</button>
<button onclick="show('summer')">Summer</button>
<button onclick="void 0">Print</button>
<script>
  const texts = {winter: "plenty of snow", summer: "%s"};
  function show(season) { document.querySelector("main").textContent = texts[season]; }
</script>"""


async def run(folder: Path, *words: str) -> Any:
    """What a command printed."""
    done = await asyncio.to_thread(statecrawl, *words, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def searched(folder: Path, crawl: str, query: str) -> list[str]:
    return [found["snippet"] for found in await run(folder, "search", crawl, query)]


async def crawled_twice(folder: Path) -> None:
    documents = {"/": PAGE % "fields of wheat"}
    async with served(documents) as url:
        plain = ("--no-screenshots", "--out")
        first = await run(folder, "crawl", url, *plain, "monday")
        assert (first["states"], first["stop_reason"]) == (3, "complete")
        assert (await run(folder, "index", "monday"))[0]["added"] == 3
        documents["/"] = PAGE % "fields of maize"
        again = ("crawl", "--since", "monday", "--skip-unchanged", *plain, "tuesday")
        second = await run(folder, *again)
    assert (second["states"], second["stop_reason"]) == (3, "passed_by")
    assert second["passed_by"] == 3  # "Print", in each state
    assert second["events"] == first["events"] - 3
    (index,) = await run(folder, "index", "tuesday")
    assert (index["added"], index["removed"], index["kept"] + index["changed"]) == (1, 1, 2)
    assert index["kept"] > 0
    assert await searched(folder, "tuesday", "fields") == ["fields of maize"]
    assert await searched(folder, "monday", "fields") == ["fields of wheat"]


def test_only_what_changed_is_fired_and_indexed_again(tmp_path: Path) -> None:
    asyncio.run(crawled_twice(tmp_path))
