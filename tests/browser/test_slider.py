"""The slider shows the states that a crawl with that threshold finds."""

import asyncio
from pathlib import Path

import pytest

from statecrawl.compose.near import merges_of
from statecrawl.core.merging import merged_at
from statecrawl.storage import SqliteStore
from tests.browser.helpers import crawl, served

pytestmark = pytest.mark.long
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


LESS = """<!DOCTYPE html><html lang="en"><title>Less</title><link rel="icon" href="data:,">
<p></p><script>
  const pages = {
    home: ["wordA wordB wordC wordD", "one", "other"],
    one: ["wordK wordL wordM wordN wordO wordP wordQ", "secret", "home"],
    other: ["wordK wordL wordM wordN wordO wordP wordR", "home"],
    secret: ["wordW wordX wordY wordZ", "home"],
  };
  const show = (page) => {
    const [words, ...names] = pages[page];
    document.querySelector("p").textContent = words;
    document.querySelectorAll("button").forEach((button) => button.remove());
    for (const name of names) {
      const button = document.createElement("button");
      button.title = name;
      button.onclick = () => show(name);
      document.body.append(button);
    }
  };
  show("home");
</script></html>"""
"""The second page looks like the first, and offers less."""


@pytest.mark.parametrize(
    ("rule", "document", "expected"),
    [("same", page(), [PAGES, 4, 3, 2, 1]), ("ignore", LESS, [4, 4, 3, 3, 3])],
    ids=["same", "ignore"],
)
def test_the_slider_shows_what_a_crawl_would_find(
    rule: str, document: str, expected: list[int], tmp_path: Path
) -> None:
    async def run() -> None:
        async with served({"/": document}) as url:
            order, spec = "breadth_first", f"{SPEC},events={rule}"
            whole = await crawl(url, tmp_path / "exact", classes=spec, strategy=order)
            assert len(whole.states) == expected[0]
            with SqliteStore.open(tmp_path / "exact", read_only=True) as store:
                table = merges_of(store)
            counts = []
            for number, threshold in enumerate((0.0, 0.15, 0.25, 0.45, 0.9)):
                near = f"{spec},threshold={threshold}"
                found = await crawl(
                    url, tmp_path / f"{number}", equivalence=near, strategy="breadth_first"
                )
                now = {
                    **{state: state for state in whole.states},
                    **merged_at(table.steps, threshold),
                }
                assert {s for s, stands in now.items() if s == stands} == set(found.states)
                counts.append(len(found.states))
            assert counts == expected

    asyncio.run(run())
