"""The slider shows the states that a crawl with that threshold finds."""

import asyncio
from pathlib import Path

from statecrawl.compose_near import merges_of
from statecrawl.core.merging import merged_at
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, served

PAGES = 7
WORDS = 8
PAGE = """<!DOCTYPE html><html lang="en"><title>Words</title><link rel="icon" href="data:,">
<nav>{links}</nav><p></p><script>
  const show = (page) => {{
    const words = [..."ABCDEFGHIJKLMNOP"].slice(page, page + {words});
    document.querySelector("p").textContent = words.map((word) => `word${{word}}`).join(" ");
  }};
  show(0);
</script></html>"""
SPEC = "broder:size=1,unit=words"


def page() -> str:
    """Every page can be chosen in every page; the farther from each other, the less is common."""
    links = "".join(f'<button onclick="show({n})">{"abcdefg"[n]}</button>' for n in range(PAGES))
    return PAGE.format(links=links, words=WORDS)


def test_the_slider_shows_what_a_crawl_would_find(tmp_path: Path) -> None:
    async def run() -> None:
        async with served({"/": page()}) as url:
            order = "breadth_first"
            whole = await crawl(url, tmp_path / "exact", classes=SPEC, strategy=order)
            assert len(whole.states) == PAGES
            with SqliteStore.open(tmp_path / "exact", read_only=True) as store:
                table = merges_of(store)
            counts = []
            for number, threshold in enumerate((0.0, 0.15, 0.25, 0.45, 0.9)):
                near = f"{SPEC},threshold={threshold}"
                found = await crawl(
                    url, tmp_path / f"{number}", equivalence=near, strategy="breadth_first"
                )
                now = {
                    **{state: state for state in whole.states},
                    **merged_at(table.steps, threshold),
                }
                assert {s for s, stands in now.items() if s == stands} == set(found.states)
                counts.append(len(found.states))
            assert counts == [PAGES, 4, 3, 2, 1]

    asyncio.run(run())
