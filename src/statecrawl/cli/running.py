"""How commands run a crawl: progress, Ctrl-C, what is printed and what they end with."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from statecrawl.cli.app import print_json
from statecrawl.compose.crawl import crawl_application
from statecrawl.compose.fleet import ClusterOptions, crawl_on_cluster
from statecrawl.compose.reading import read_crawl
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.counts import Counts
from statecrawl.core.explanation import explained
from statecrawl.core.hooks import Hooks, Running
from statecrawl.core.session import Crawl
from statecrawl.core.stopping import StopReason
from statecrawl.errors import ExitCode
from statecrawl.terminal.crawls import print_crawl
from statecrawl.terminal.lines import say, warn
from statecrawl.terminal.progress import CrawlProgress

EXIT_CODES = {
    StopReason.INTERRUPTED: ExitCode.INTERRUPTED,
    StopReason.APPLICATION_LOST: ExitCode.APPLICATION,
}


class Ended(NamedTuple):
    """Where a crawl is, and what the command ends with."""

    folder: Path
    code: ExitCode


async def run_crawl(
    options: CrawlOptions, run: RunOptions, as_json: bool, explain: bool = False
) -> Ended:
    """Run a crawl and print what it found; Ctrl-C once stops it, twice ends it."""
    with CrawlProgress(options.url) as progress:
        watched = (_Explained if explain else _Watched)(progress, asyncio.current_task())
        with _interrupting(watched):
            folder = await crawl_application(options, run, watched)
    if watched.reason is StopReason.INTERRUPTED:
        say(f"to go on: statecrawl crawl {options.url} --out {folder} --resume")
    has_failed = tell_crawl(folder, run, as_json)
    code = EXIT_CODES.get(watched.reason, ExitCode.FOUND if has_failed else ExitCode.DONE)
    return Ended(folder, code)


async def run_on_cluster(
    options: CrawlOptions, run: RunOptions, spread: ClusterOptions, as_json: bool
) -> ExitCode:
    """Run a crawl on a cluster and print what it found; Ctrl-C once stops it, twice ends it."""
    with CrawlProgress(options.url) as progress:
        watched = _Watched(progress, asyncio.current_task())
        with _interrupting(watched):
            folder, reason = await crawl_on_cluster(
                options, run, spread, watched.begun, progress.tell
            )
    if reason is StopReason.INTERRUPTED:
        say(f"to go on: the same command with --out {folder} --resume")
    has_failed = tell_crawl(folder, run, as_json)
    return EXIT_CODES.get(reason, ExitCode.FOUND if has_failed else ExitCode.DONE)


@contextmanager
def _interrupting(watched: "_Watched") -> Iterator[None]:
    """Let Ctrl-C, and those who end us, stop a crawl."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, watched.interrupt)
    try:
        yield
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


class _Watched(Hooks):
    """Shows a crawl on the terminal, and stops it when the user wants to."""

    def __init__(self, progress: CrawlProgress, task: asyncio.Task[Any] | None) -> None:
        self._progress = progress
        self._task = task
        self._running: Running | None = None
        self.reason = StopReason.COMPLETE

    def interrupt(self) -> None:
        """Stop after the plans under way; the second time, at once."""
        running, self._running = self._running, None
        if running is not None:
            running.stop()
            say("stopping after the plan under way; Ctrl-C again ends at once")
        elif self._task is not None:
            self._task.cancel()

    def begun(self, running: Running) -> None:
        self._running = running

    def warned(self, warning: str) -> None:
        warn(warning)

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        self._progress.show(crawl, counts)

    def finished(self, reason: StopReason) -> None:
        self.reason = reason


class _Explained(_Watched):
    """Tells every plan, too, and why it was made."""

    def planned(self, crawl: Crawl, cursor: int) -> None:
        say(f"tab {cursor}, {explained(crawl, cursor)}")


def tell_crawl(folder: Path, run: RunOptions, as_json: bool) -> bool:
    """Print what a crawl found; tell whether it found what the user wants to fail on."""
    found = read_crawl(folder)
    summary: dict[str, Any] = {"crawl": str(folder), **found.summary()}
    if as_json:
        print_json(summary)
    else:
        print_crawl(found, folder)
    failing = {kind: times for kind, times in summary["findings"].items() if kind in run.fail_on}
    if failing:
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in failing.items())
        say(f"failed on findings: {kinds}; to see them: statecrawl show {folder} --findings")
    return bool(failing)
