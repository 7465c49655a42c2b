"""The crawls of section VI of "AJAX Crawl" (ICDE 2009) on `videos`, in a real Chromium.

python -m benchmarks.search_crawl                      # 100 videos, no latency
python -m benchmarks.search_crawl --videos 500 --latency-ms 20
python -m benchmarks.search_crawl --videos 10 20 40 80 --latency-ms 100
python -m benchmarks.search_crawl --videos 10000 --only cached --crawlers 2 --keep FOLDER

Each crawl takes the pages that `precrawl` listed, each for itself, without screenshots: traditional
(the first state only), AJAX without kept answers, AJAX, and AJAX by four crawlers. Printed beside
the paper's: Tables IX, X and XI, and with several numbers of videos Figures 11 and 12, how time,
the network's part of it and calls grow. The network's time is that of AJAX calls, which alone are
late here: how many times the latency.
Tabs are as many as `--browsers` says, in each crawler; `--crawlers` lets other ways have several,
too, each with its part of the pages. MB of memory are the most that a crawler's own process had.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import psutil

from benchmarks.search_data import COMMENT_PAGES
from benchmarks.serving import served
from statecrawl.compose.reading import read_crawl
from statecrawl.terminal.lines import print_table


class Published(NamedTuple):
    """What the paper has of one way of crawling 10,000 pages."""

    seconds: float
    network_seconds: float
    pages_per_second: float
    states_per_second: float


PAPER = {
    "traditional": Published(28_093, 21_561, 0.36, 0.36),
    "not cached": Published(47_933, 37_261, 0.21, 0.87),
    "cached": Published(37_292, 26_501, 0.27, 1.11),
    "4 crawlers": Published(9_750, 6_497, 1.03, 4.26),
}
OPTIONS = {
    "traditional": ("--events", "scroll"),  # there is nothing to scroll: pages are loaded only
    "not cached": ("--cache", "off"),
    "cached": (),
    "4 crawlers": (),
}


class Crawled(NamedTuple):
    """What one way of crawling came to."""

    way: str
    videos: int
    crawlers: int
    latency: float
    seconds: float
    states: int
    events: int
    requests: int
    cached: int
    asked: int
    megabytes: float
    memory: float

    @property
    def network(self) -> float:
        """The share of the crawlers' time that went into waiting for AJAX answers."""
        return self.asked * self.latency / self.seconds / self.crawlers


def main() -> None:
    """Run the crawls and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--videos", type=int, nargs="+", default=[100])
    parser.add_argument("--latency-ms", type=int, default=0)
    parser.add_argument("--browsers", type=int, default=1)
    parser.add_argument("--crawlers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where to leave the crawls")
    parser.add_argument("--only", action="append", choices=list(OPTIONS))
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        found = [
            each
            for videos in asked.videos
            for each in crawls((asked.keep or Path(name)) / str(videos), videos, asked)
        ]
    print_tables(found)


def crawls(folder: Path, videos: int, asked: argparse.Namespace) -> Iterator[Crawled]:
    """Crawl so many videos in each way that was asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    site = f"videos:videos={videos},comment_pages={COMMENT_PAGES}"
    with served(site, latency_ms=asked.latency_ms) as url:
        began = perf_counter()
        run("precrawl", url, "--output", str(folder / "pages.json"))
        print(f"precrawl: {videos:,} pages in {perf_counter() - began:.1f} s")
        for way in asked.only or OPTIONS:
            yield crawled(folder, way, videos, asked)


def run(*words: str) -> str:
    """Run one of our commands; return what it printed."""
    command = [sys.executable, "-m", "statecrawl", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def crawled(folder: Path, way: str, videos: int, asked: argparse.Namespace) -> Crawled:
    """Crawl all pages, in as many parts as there are crawlers."""
    parts = 4 if way == "4 crawlers" else asked.crawlers
    name = way.replace(" ", "-")

    def one(part: int) -> tuple[dict[str, Any], float]:
        words = ["--pages", str(folder / "pages.json"), "--part", f"{part}/{parts}"]
        words += ["--out", str(folder / f"{name}-{part}"), "--browsers", str(asked.browsers)]
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
    parts_in = [folder / f"{name}-{part}" for part in range(1, parts + 1)]
    sizes = [(each / "crawl.db").stat().st_size for each in parts_in]
    calls = [call for each in parts_in for call in read_crawl(each).calls.invocations]
    late = sum(call.times - call.times_cached for call in calls)

    def total(figure: str) -> int:
        return sum(each[figure] for each, _ in told)

    reasons = ", ".join(each["stop_reason"] for each, _ in told)
    print(f"{way}: {seconds:.1f} s, ended with {reasons}", flush=True)
    counts = total("states"), total("events"), total("requests"), total("requests_cached"), late
    which = way, videos, parts, asked.latency_ms / 1000
    return Crawled(*which, seconds, *counts, sum(sizes) / 1e6, max(most for _, most in told))


def print_tables(found: list[Crawled]) -> None:
    """Print what was measured beside the paper's figures."""
    rows = []
    for here in found:
        paper = PAPER[here.way]
        rows.append(
            [
                f"{here.videos:,}",
                here.way,
                f"{here.seconds:.1f} ({10_000 / here.videos * here.seconds / 60:,.0f} min)",
                f"{paper.seconds:,}",
                f"{here.videos / here.seconds:.2f} / {here.states / here.seconds:.2f}",
                f"{paper.pages_per_second} / {paper.states_per_second}",
                f"{here.states:,}",
                f"{here.events:,}",
                f"{here.requests:,}",
                f"{here.cached:,}",
                f"{100 * here.network:.0f} %",
                f"{100 * paper.network_seconds / paper.seconds:.0f} %",
                f"{here.megabytes:.1f}",
                f"{here.memory:.0f}",
            ]
        )
    print_table(
        "Tables IX to XI, Figures 11 and 12",
        [
            "videos",
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
            "paper",
            "MB",
            "MB of memory",
        ],
        rows,
    )


if __name__ == "__main__":
    main()
