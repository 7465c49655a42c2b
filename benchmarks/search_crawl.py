"""The crawls of section VI of "AJAX Crawl" (ICDE 2009) on `videos`, in a real Chromium.

python -m benchmarks.search_crawl                      # 100 videos, no latency
python -m benchmarks.search_crawl --videos 500 --latency-ms 20
python -m benchmarks.search_crawl --videos 10000 --only cached --crawlers 2 --keep FOLDER

Each crawl takes the pages that `precrawl` listed, each for itself, without screenshots: traditional
(the first state only), AJAX without kept answers, AJAX, and AJAX by four crawlers. Printed beside
the paper's: Tables IX, X and XI, Figures 11 and 12. The time of the network is what was asked times
the latency. Tabs are as many as `--browsers` says, in each crawler; `--crawlers` lets other ways
have several, too, each with its part of the pages. MB of memory are the most that a crawler's own
process had.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import psutil

from benchmarks.search_data import COMMENT_PAGES
from benchmarks.serving import served
from statecrawl.terminal.lines import print_table

PAPER = {
    "traditional": (28_093, 0.36, 0.36),
    "not cached": (47_933, 0.21, 0.87),
    "cached": (37_292, 0.27, 1.11),
    "4 crawlers": (9_750, 1.03, 4.26),
}
"""Seconds, pages a second and states a second, of 10,000 pages."""
OPTIONS = {
    "traditional": ("--events", "scroll"),  # there is nothing to scroll: pages are loaded only
    "not cached": ("--cache", "off"),
    "cached": (),
    "4 crawlers": (),
}


class Crawled(NamedTuple):
    """What one way of crawling came to."""

    seconds: float
    states: int
    events: int
    requests: int
    cached: int
    megabytes: float
    memory: float


def main() -> None:
    """Run the crawls and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--videos", type=int, default=100)
    parser.add_argument("--latency-ms", type=int, default=0)
    parser.add_argument("--browsers", type=int, default=1)
    parser.add_argument("--crawlers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where to leave the crawls")
    parser.add_argument("--only", action="append", choices=list(OPTIONS))
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = asked.keep or Path(name)
        folder.mkdir(exist_ok=True)
        site = f"videos:videos={asked.videos},comment_pages={COMMENT_PAGES}"
        with served(site, latency_ms=asked.latency_ms) as url:
            began = perf_counter()
            run("precrawl", url, "--output", str(folder / "pages.json"))
            print(f"precrawl: {asked.videos:,} pages in {perf_counter() - began:.1f} s")
            found = {
                way: crawled(folder, way, asked.browsers, asked.crawlers)
                for way in OPTIONS
                if not asked.only or way in asked.only
            }
    print_tables(found, asked.videos, asked.latency_ms / 1000)


def run(*words: str) -> str:
    """Run one of our commands; return what it printed."""
    command = [sys.executable, "-m", "statecrawl", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def crawled(folder: Path, way: str, browsers: int, crawlers: int) -> Crawled:
    """Crawl all pages, in as many parts as there are crawlers."""
    parts = 4 if way == "4 crawlers" else crawlers
    name = way.replace(" ", "-")

    def one(part: int) -> tuple[dict[str, Any], float]:
        words = ["--pages", str(folder / "pages.json"), "--part", f"{part}/{parts}"]
        words += ["--out", str(folder / f"{name}-{part}"), "--browsers", str(browsers)]
        command = [sys.executable, "-m", "statecrawl", "crawl", *words, *OPTIONS[way]]
        command += ["--no-screenshots", "--json"]
        with psutil.Popen(command, stdout=subprocess.PIPE, text=True) as crawler:
            most = 0
            while crawler.poll() is None:
                with suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
                    most = max(most, crawler.memory_info().rss)
                    crawler.wait(1)
            return json.loads(crawler.stdout.read()), most / 1e6

    began = perf_counter()
    with ThreadPoolExecutor(parts) as pool:
        told = list(pool.map(one, range(1, parts + 1)))
    seconds = perf_counter() - began
    sizes = [
        (folder / f"{name}-{part}" / "crawl.db").stat().st_size for part in range(1, parts + 1)
    ]

    def total(figure: str) -> int:
        return sum(each[figure] for each, _ in told)

    reasons = ", ".join(each["stop_reason"] for each, _ in told)
    print(f"{way}: {seconds:.1f} s, ended with {reasons}", flush=True)
    counts = total("states"), total("events"), total("requests"), total("requests_cached")
    return Crawled(seconds, *counts, sum(sizes) / 1e6, max(most for _, most in told))


def print_tables(found: dict[str, Crawled], videos: int, latency: float) -> None:
    """Print what was measured beside the paper's figures."""
    rows = []
    for way, here in found.items():
        seconds, pages, states = PAPER[way]
        network = here.requests * latency
        rows.append(
            [
                way,
                f"{here.seconds:.1f} ({10_000 / videos * here.seconds / 60:,.0f} min)",
                f"{seconds:,}",
                f"{videos / here.seconds:.2f} / {here.states / here.seconds:.2f}",
                f"{pages} / {states}",
                f"{here.states:,}",
                f"{here.events:,}",
                f"{here.requests:,}",
                f"{here.cached:,}",
                f"{100 * network / here.seconds:.0f} %",
                f"{here.megabytes:.1f}",
                f"{here.memory:.0f}",
            ]
        )
    print_table(
        f"Tables IX to XI, Figures 11 and 12: {videos:,} videos, {1000 * latency:.0f} ms a call",
        [
            "crawl",
            "seconds (10,000 at this rate)",
            "paper",
            "pages/s, states/s",
            "paper",
            "states",
            "events",
            "calls",
            "saved",
            "network",
            "MB",
            "MB of memory",
        ],
        rows,
    )
    if {"cached", "not cached"} <= found.keys():
        ratio = found["not cached"].requests / found["cached"].requests
        print(f"calls without and with kept answers: {ratio:.2f} times (paper: about 4)")


if __name__ == "__main__":
    main()
