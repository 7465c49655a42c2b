"""Opens random results of random queries in a real browser, and looks for the words there.

python -m benchmarks.search_opens DIR --results 200      # DIR: a crawl whose application is running
"""

import argparse
import asyncio
from pathlib import Path
from random import Random

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose import replaying
from statecrawl.compose_search import open_index
from statecrawl.search.documents import read_content
from statecrawl.search.index import Index
from statecrawl.search.searching import Result, search
from statecrawl.search.words import words
from statecrawl.storage.sqlite import SqliteStore

WORDS = 2
"""In each query."""


def main() -> None:
    """Open results, and print how many show what was looked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--results", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    index = open_index(asked.folder, lambda _done, _of: None)
    chosen = chosen_results(index, asked.folder, asked.results, Random(asked.seed))  # noqa: S311
    shown = 0
    for query, result in chosen:
        is_shown = asyncio.run(opens(asked.folder, query, result))
        shown += is_shown
        if not is_shown:
            print(f"state {result.state} does not show {query!r}")
    print(f"{shown} of {len(chosen)} results opened in a state that shows the words")


def chosen_results(
    index: Index, folder: Path, count: int, random: Random
) -> list[tuple[str, Result]]:
    """Return results of queries whose words stand in one state, drawn by lot."""
    with SqliteStore.open(folder, read_only=True) as store:
        texts = [
            [word for passage in read_content(page).passages for word in words(passage.text)]
            for _, page in store.doms()
        ]
    texts = [text for text in texts if text]
    chosen: list[tuple[str, Result]] = []
    while len(chosen) < count:
        query = " ".join(random.choices(random.choice(texts), k=WORDS))
        best = search([index], query, 50).best
        chosen.append((query, random.choice(best)))
    return chosen


async def opens(folder: Path, query: str, result: Result) -> bool:
    """Bring a browser into the state of a result, and look for the words there."""
    async with replaying(folder, result.state, LaunchOptions()) as (tab, replayed):
        if not replayed.reached:
            return False
        content = read_content(await tab.sight().snapshot())
        shown = {word for passage in content.passages for word in words(passage.text)}
        return set(words(query)) <= shown | set(words(result.title))


if __name__ == "__main__":
    main()
