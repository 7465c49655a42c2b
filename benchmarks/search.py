"""Section VI of "AJAX Crawl: Making AJAX Applications Searchable" (ICDE 2009), without a browser.

python -m benchmarks.search                    # 10,000 videos; a few minutes
python -m benchmarks.search --videos 500 --shards 4

The crawl is written from the true model of `videos` and its own pages, in as many folders as there
are shards, and indexed and searched as `statecrawl index` and `search` do. Printed are the data
(Table VIII, Figures 9 and 10), indexing, the 100 queries (Tables XII, XIII, Figure 13), recall of
them and of sentences that stand in comments (Table XIV, Figure 15) and throughput when fewer states
a page are crawled (Figure 14), beside the paper's figures. Traditional search is a search in the
first state of each page.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, thread_time

from benchmarks.search_data import COMMENT_PAGES, Site, write_crawl
from statecrawl.compose.search import index_crawl
from statecrawl.search.index import Index
from statecrawl.search.query import parse_query
from statecrawl.search.ranking import Ranking
from statecrawl.search.searching import search
from statecrawl.sites.apps.videos import POPULAR
from statecrawl.terminal.lines import print_table

TIMES = 20
"""How often each query is asked."""
PAPER_QUERIES = {
    "youtube": (500, 2405, 1984.3, 69054.9), "with you": (496, 2401, 1009.4, 38196.1),
    "wow": (56, 321, 0, 14), "funny": (56, 269, 1.5, 14.1), "dance": (40, 244, 1.6, 39),
    "kiss": (16, 120, 0, 6.2), "low": (16, 91, 1.5, 3.2), "fight": (20, 78, 0, 1.6),
    "akon": (6, 61, 0, 7.8),
}  # fmt: skip
"""Occurrences on first pages and on all, and milliseconds of both searches, in 500 videos."""
PAPER_DATA = {"pages": 10_000, "states": 41_572, "events": 187_980}

_SAID = re.compile(r"<li><b>\w+</b> ([^.<]+)\.")
"""The first sentence of each comment."""

Found = dict[str, list[tuple[int, int]]]
"""For each query, the videos and pages of comments that it finds."""


def main() -> None:
    """Run all, and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--videos", type=int, default=10_000)
    parser.add_argument("--shards", type=int, default=1)
    asked = parser.parse_args()
    site = Site(asked.videos)
    print_data(site)
    with TemporaryDirectory() as folder:
        indexes = indexed(site, Path(folder), asked.shards)
        found = {query: matches(indexes, query) for query in POPULAR}
        print_queries(indexes, found)
        print_recall(found, "what people look for most, put into the comments")
        said = {query: matches(indexes, query) for query in sentences(site, len(POPULAR))}
        print_recall(said, "sentences drawn by lot from the comments' own text")
        print_throughput(site, Path(folder), found)


def print_data(site: Site) -> None:
    """Print Table VIII and Figures 9 and 10."""
    states = Counter(site.pages(video) for video in range(1, site.videos + 1))
    events = {
        pages: sum(len(list(_turns(pages, page))) for page in range(1, pages + 1))
        for pages in states
    }
    all_states = sum(pages * count for pages, count in states.items())
    all_events = sum(events[pages] * count for pages, count in states.items())
    ours = {"pages": site.videos, "states": all_states, "events": all_events}
    rows = [[name, f"{ours[name]:,}", f"{PAPER_DATA[name]:,}"] for name in PAPER_DATA]
    rows.append(["events per state", f"{all_events / all_states:.1f}", "4 (avg.)"])
    print_table("Table VIII: the data", ["", "here", "paper"], rows)
    print_table(
        "Figure 9: videos by pages of comments; Figure 10: events of such a video",
        ["pages", "videos", "events"],
        [[str(n), f"{states[n]:,}", str(events.get(n, 0))] for n in range(1, COMMENT_PAGES + 1)],
    )


def _turns(pages: int, page: int) -> Sequence[int]:
    near = [p for p in range(max(page - 2, 1), min(page + 2, pages) + 1) if p != page]
    return [*near, *([page - 1] if page > 1 else []), *([page + 1] if page < pages else [])]


def indexed(site: Site, folder: Path, shards: int) -> list[Index]:
    """Write the crawl, index it, and print how quick that was."""
    indexes = []
    states, seconds, on_processors = 0, 0.0, 0.0
    for shard in range(shards):
        videos = range(shard + 1, site.videos + 1, shards)
        crawl = write_crawl(folder / f"shard-{shard}", site, videos)
        began, before = perf_counter(), process_time()
        states += index_crawl(crawl, _quietly).added
        seconds += perf_counter() - began
        on_processors += process_time() - before
        again = perf_counter()
        kept = index_crawl(crawl, _quietly).kept
        print(f"brought up to date, {kept:,} states unchanged: {perf_counter() - again:.2f} s")
        indexes.append(_opened(crawl))
    print(
        f"indexed: {states:,} states in {seconds:.1f} s, {states / seconds:,.0f} a second "
        f"({on_processors:.1f} s on processors)"
    )
    return indexes


def _quietly(_done: int, _of: int) -> None:
    """Tell nobody."""


def _opened(crawl: Path) -> Index:
    index = Index.open(crawl)
    if index is None:
        raise RuntimeError(f"{crawl} was not indexed")
    return index


def matches(indexes: Sequence[Index], query: str) -> list[tuple[int, int]]:
    """Return every video and page of comments that a query finds."""
    ranking = Ranking(parse_query(query), indexes)
    found = []
    for index in indexes:
        for _, address in ranking.search(index, index.states).hits:
            state = index.stored(address).state
            found.append((int(state[:-2]), int(state[-2:])))
    return found


def print_queries(indexes: Sequence[Index], found: Found) -> None:
    """Print Tables XII and XIII, and how long all queries take."""
    warm = {query: timed(indexes, query) for query in found}
    rows = []
    for query, (first, everywhere, traditional, ajax) in PAPER_QUERIES.items():
        states = found[query]
        rows.append(
            [
                query,
                f"{sum(page == 1 for _, page in states):,} of {len(states):,}",
                f"{first:,} of {everywhere:,}",
                f"{_p95(warm[query]):.2f}",
                f"{traditional:,} / {ajax:,}",
            ]
        )
    print_table(
        "Tables XII, XIII: states found on first pages of all; milliseconds (95th percentile, the "
        "best ten with snippets and paths)",
        ["query", "here", "paper (500 videos)", "ms here", "ms paper (trad. / AJAX)"],
        rows,
    )
    slowest = max(warm, key=lambda query: _p95(warm[query]))
    everything = [each for query in warm.values() for each in query]
    busy = [each for query in found for each in timed(indexes, query, thread_time)]
    print(
        f"{len(warm)} queries, {TIMES} times each: median {quantiles(everything, n=2)[0]:.2f} ms, "
        f"95th percentile {_p95(everything):.2f} ms (on a processor {quantiles(busy, n=2)[0]:.2f} "
        f"and {_p95(busy):.2f}); the slowest query, {slowest!r}: {_p95(warm[slowest]):.2f} ms"
    )
    per_second = sorted(1000 * len(found[query]) / fmean(warm[query]) for query in warm)
    print(
        f"Figure 13, states found a second: {per_second[0]:,.0f} to {per_second[-1]:,.0f}, "
        f"median {per_second[len(per_second) // 2]:,.0f}"
    )


def timed(
    indexes: Sequence[Index], query: str, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Return how many milliseconds a query takes, warm, each time."""
    search(indexes, query, 10)
    times = []
    for _ in range(TIMES):
        began = clock()
        search(indexes, query, 10)
        times.append(1000 * (clock() - began))
    return times


def _p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


def sentences(site: Site, count: int) -> list[str]:
    """Return queries for sentences that stand in comments, drawn by lot, each state as likely."""
    random = Random(1)  # noqa: S311
    chosen: list[str] = []
    while len(chosen) < count:
        video, page = random.randint(1, site.videos), random.randint(1, COMMENT_PAGES)
        if page <= site.pages(video):
            said = _SAID.findall(site.snapshot(video, page).dom)
            chosen.append(f'"{random.choice(said)}"')
    return chosen


def print_recall(found: Found, queries: str) -> None:
    """Print Table XIV and Figure 15: videos found in first pages, of those found in all states."""
    rows = []
    for most in range(1, COMMENT_PAGES + 1):
        shares, kept = [], []
        for states in found.values():
            first = {video for video, page in states if page == 1}
            here = {video for video, page in states if page <= most}
            everywhere = {video for video, _ in states}
            if here:
                shares.append(len(first) / len(here))
            if everywhere:
                kept.append(len(here) / len(everywhere))
        rows.append([str(most), f"{fmean(shares):.3f}", f"{fmean(kept):.3f}"])
    average = fmean(len(each) for each in found.values())
    print_table(
        "Figure 15: recall of traditional search when so many states a page are crawled "
        f"(Table XIV: all of them, {rows[-1][1]}; paper 0.14), and what so many find of everything;"
        f" queries: {queries}, {average:,.0f} states each",
        ["states a page", "traditional", "of all found"],
        rows,
    )


def print_throughput(site: Site, folder: Path, found: Found) -> None:
    """Print Figure 14: queries a second when fewer states a page are crawled."""
    videos = range(1, min(site.videos, 1000) + 1)
    rows = []
    for most in range(1, COMMENT_PAGES + 1):
        crawl = write_crawl(folder / f"most-{most}", site, videos, most)
        index_crawl(crawl, _quietly)
        index = _opened(crawl)
        took = fmean(fmean(timed([index], query)) for query in list(found)[:20])
        rows.append([str(most), f"{index.states:,}", f"{1000 / took:,.0f}"])
    print_table(
        f"Figure 14: queries a second over {len(videos):,} videos, 20 most popular queries",
        ["states a page", "states", "queries/s"],
        rows,
    )


if __name__ == "__main__":
    main()
