"""Opens random results of random queries in a real browser, and looks for the words there.

python -m benchmarks.search_opens                         # of a crawl of 60 videos, made for it
python -m benchmarks.search_opens --crawl DIR --results 200    # of one whose application runs

Each query is two words, drawn by lot from one state of the crawl; each result is drawn from the
best fifty, and opened as `statecrawl replay` does, in a browser of its own.
"""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.search_crawl import run
from benchmarks.search_data import COMMENT_PAGES
from benchmarks.serving import served
from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.replay import replaying
from statecrawl.compose.search import open_index
from statecrawl.search.documents import read_content
from statecrawl.search.index import Index
from statecrawl.search.searching import Result, search
from statecrawl.search.words import words
from statecrawl.storage.sqlite import SqliteStore

WORDS = 2
"""In each query."""
FOUND = 50


def main() -> None:
    """Open results, and print how many show what was looked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--crawl", type=Path)
    parser.add_argument("--videos", type=int, default=60)
    parser.add_argument("--results", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.crawl is not None:
        open_results(asked.crawl, asked.results, asked.seed)
    else:
        with crawled(asked.videos) as folder:
            open_results(folder, asked.results, asked.seed)


@contextmanager
def crawled(videos: int) -> Iterator[Path]:
    """A crawl of some videos, as long as they are there to be opened."""
    site = f"videos:videos={videos},comment_pages={COMMENT_PAGES}"
    with served(site) as url, TemporaryDirectory() as name:
        folder, pages = Path(name) / "crawl", Path(name) / "pages.json"
        run("precrawl", url, "--output", str(pages))
        run("crawl", "--pages", str(pages), "--out", str(folder), "--no-screenshots", "--json")
        yield folder


def open_results(folder: Path, count: int, seed: int) -> None:
    """Open so many results of a crawl, and print how many show the words."""
    index = open_index(folder, lambda _done, _of: None)
    chosen = chosen_results(index, folder, count, Random(seed))  # noqa: S311
    began, shown, deep = perf_counter(), 0, 0
    for query, result in chosen:
        is_shown = asyncio.run(opens(folder, query, result))
        shown += is_shown
        deep += bool(result.path)
        if not is_shown:
            print(f"state {result.state} does not show {query!r}")
    print(
        f"{shown} of {len(chosen)} results opened in a state that shows the words; {deep} of them "
        f"are no state that a URL leads to; {index.states:,} states, "
        f"{(perf_counter() - began) / len(chosen):.1f} s a result"
    )


def chosen_results(
    index: Index, folder: Path, count: int, random: Random
) -> list[tuple[str, Result]]:
    """Return results of queries whose words stand in one state, drawn by lot."""
    with SqliteStore.open(folder, read_only=True) as store:
        texts = [
            [word for line in read_content(page).lines for word in words(line.text)]
            for _, page in store.doms()
        ]
    texts = [text for text in texts if text]
    chosen: list[tuple[str, Result]] = []
    while len(chosen) < count:
        query = " ".join(random.choices(random.choice(texts), k=WORDS))
        best = search([index], query, FOUND).best
        chosen.append((query, random.choice(best)))
    return chosen


async def opens(folder: Path, query: str, result: Result) -> bool:
    """Bring a browser into the state of a result, and look for the words there."""
    async with replaying(folder, result.state, LaunchOptions()) as (tab, replayed):
        if not replayed.reached:
            return False
        content = read_content(await tab.sight().snapshot())
        shown = {word for line in content.lines for word in words(line.text)}
        return set(words(query)) <= shown | set(words(result.title))


if __name__ == "__main__":
    main()
