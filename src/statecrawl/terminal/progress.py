"""How far something is that takes its time, on standard error."""

from threading import Timer
from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from statecrawl.core.counts import Counts
from statecrawl.core.session import Crawl
from statecrawl.terminal.lines import say

QUIET_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0
CRAWL_LINE_EVERY_SECONDS = 60.0
MOVE_EVERY_SECONDS = 0.2


class Progress:
    """Shows that something is under way, and how far it has come.

    On a terminal a line that moves, elsewhere a line after two seconds and then every ten.
    """

    def __init__(self, task: str) -> None:
        self._task = task
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, transient=True)
        self._pause = MOVE_EVERY_SECONDS if self._console.is_terminal else LINE_EVERY_SECONDS
        self._started = monotonic()
        self._due = self._started + max(QUIET_SECONDS, self._pause)
        self._timer = Timer(QUIET_SECONDS, self._tell, [f"{task}: working on it"])

    def __enter__(self) -> Self:
        self._timer.daemon = True
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        self._live.stop()

    def show(self, crawl: Crawl) -> None:
        """Show where a crawl is, if it is time to."""
        self.tell(
            f"{crawl.model.state_count:,} states, "
            f"{crawl.left:,} transitions known to be left, "
            f"{crawl.events:,} events, {crawl.resets:,} resets"
        )

    def tell(self, how_far: str) -> None:
        """Show how far the task is, if it is time to."""
        now = monotonic()
        if now < self._due:
            return
        self._timer.cancel()
        self._due = now + self._pause
        self._tell(f"{self._task}: {how_far}, {now - self._started:.0f} s")

    def _tell(self, line: str) -> None:
        if not self._console.is_terminal:
            say(line)
            return
        self._live.start()
        self._live.update(Spinner("dots", Text(line)))


class CrawlProgress(Progress):
    """Shows a crawl in a browser: a line that moves, elsewhere a line a minute."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        if not self._console.is_terminal:
            self._pause = CRAWL_LINE_EVERY_SECONDS
        self._recent = (self._started, 0)
        self._rate = 0.0

    def show(self, crawl: Crawl, counts: Counts | None = None) -> None:
        """Show where a crawl is, if it is time to."""
        now = monotonic()
        if now < self._due or counts is None:
            return
        self._timer.cancel()
        self._due = now + self._pause
        then, events = self._recent
        if now - then > 1:
            self._rate = max(0.0, (counts.events - events) / (now - then))
            self._recent = (now, counts.events)
        model = crawl.model
        self._tell(
            f"{model.state_count:,} states, {model.transition_count:,} transitions, "
            f"{crawl.left:,} known to be left, {self._rate:.0f} events/s, "
            f"{counts.resets:,} resets, {counts.requests_cached:,} requests from the cache, "
            f"in {model.states[crawl.where()] or 'a blank tab'}, {counts.seconds:.0f} s"
        )
