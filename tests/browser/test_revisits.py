"""What varies is found without going to every page again, and also where that has to wait."""

import asyncio
from pathlib import Path

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
        assert store.about["doubtful"] == []
