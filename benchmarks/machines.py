"""How much faster a real crawl is with more crawlers on a Ray cluster of this machine.

    python -m benchmarks.machines [--site NAME] [--latency-ms N] [--crawlers N ...] [--ring M]

Each crawl is the command itself, without kept answers, so that it waits on the application.
Prints Markdown: seconds from the first joining to the end, the speed-up beside the first number of
crawlers, how much of linear that is, and where the time went.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from statecrawl.sites.server import serve


async def crawl(url: str, crawlers: int, ring: int) -> dict[str, Any]:
    """Return the summary of one crawl."""
    more = ["--topology", "ring", "--coordinators", str(ring)] if ring else []
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "statecrawl", "crawl", url, "--cluster",
            "--crawlers", str(crawlers), "--cache", "off", "--json", "--no-screenshots",
            "--out", str(Path(folder) / "crawl"), *more,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        output, _ = await process.communicate()
    if process.returncode:
        raise SystemExit(f"the crawl with {crawlers} crawlers ended with {process.returncode}")
    return dict(json.loads(output))


async def measure(arguments: argparse.Namespace) -> None:
    """Crawl with each number of crawlers, and print what it came to."""
    print("| crawlers | states | events | seconds | speed-up | of linear | idle |")
    print("|---|---|---|---|---|---|---|")
    first: tuple[int, float] | None = None
    async with serve(arguments.site, latency_ms=arguments.latency_ms) as url:
        for crawlers in arguments.crawlers:
            summary = await crawl(url, crawlers, arguments.ring)
            seconds = summary["seconds"]
            first = first or (crawlers, seconds)
            ratio = first[1] / seconds
            linear = ratio * first[0] / crawlers
            idle = summary["time"].get("idle", 0.0) / sum(summary["time"].values())
            print(
                f"| {crawlers} | {summary['states']} | {summary['events']} | {seconds:.1f} | "
                f"{ratio:.2f} | {linear:.2f} | {idle:.0%} |",
                flush=True,
            )


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="filetree")
    parser.add_argument("--latency-ms", type=int, default=100)
    parser.add_argument("--crawlers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--ring", type=int, default=0, metavar="M")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
