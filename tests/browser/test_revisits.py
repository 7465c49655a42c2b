"""What varies is found without going to every page again, and also where that has to wait."""

import asyncio
from dataclasses import replace
from pathlib import Path

from statecrawl.config import RunOptions
from statecrawl.core.limits import Limits
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, served

DEPTH = 16
DEEP = f"""<!doctype html><title>Deep</title><button id=deeper>Deeper</button>
<button id=flip>Flip</button><main></main><script>
let depth = 0, flipped = false
function show() {{
  const parts = Array(depth).fill("<div>").join("")
  const lot = depth === {DEPTH} ? `<i>Lot ${{Math.random()}}</i>` : ""
  const side = `<b>${{flipped ? "tails" : "heads"}}</b>`
  document.querySelector("main").innerHTML = parts + side + lot
}}
document.getElementById("deeper").onclick = () => {{
  depth = Math.min(depth + 1, {DEPTH}); show()
}}
document.getElementById("flip").onclick = () => {{ flipped = !flipped; show() }}
show()
</script>"""


def doubtful(folder: Path) -> list[str]:
    with SqliteStore.open(folder, read_only=True) as store:
        states: list[str] = store.about["doubtful"]
        return states


def test_pages_in_doubt_wait_for_their_turn_and_none_is_forgotten(tmp_path: Path) -> None:
    """Every depth has a structure of its own, so every other page is in doubt.

    What varies by itself shows only in the last one, when all that visits may cost is used up.
    """

    async def run() -> None:
        async with served({"/": DEEP}) as url:
            found = await crawl(url, tmp_path / "crawl")
        assert found.counts.stop_reason == "complete"
        assert len(found.states) == 2 * (DEPTH + 1)
        assert found.counts.probe_resets < 2 * DEPTH

    asyncio.run(run())
    with SqliteStore.open(tmp_path / "crawl", read_only=True) as store:
        assert [(mask.path[-4:], mask.part) for mask in store.masks.masks] == [("i[1]", "text")]
    assert doubtful(tmp_path / "crawl") == []


def test_a_crawl_that_goes_on_settles_the_doubts_of_the_one_before(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"

    async def run() -> None:
        first = RunOptions(folder, screenshots=False, limits=Limits(max_states=24))
        async with served({"/": DEEP}) as url:
            found = await crawl(url, folder, first)
            assert found.counts.stop_reason == "max_states"
            assert doubtful(folder)
            found = await crawl(url, folder, replace(first, limits=Limits(), resume=True))
            assert found.counts.stop_reason == "complete"
            assert len(found.states) == 2 * (DEPTH + 1)
            assert doubtful(folder) == []

    asyncio.run(run())
