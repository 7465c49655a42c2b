"""Following a crawl while it runs: hooks that a program of the user's, or ours, is told by."""

from typing import Protocol

from statecrawl.core.counts import Counts
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.stopping import StopReason


class Running(Protocol):
    """A crawl that runs, as far as its hooks may have a hand in it."""

    @property
    def is_stopping(self) -> bool:
        """Tell whether somebody said stop."""
        ...

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """Let every tab finish its plan, then stop; what was found is kept."""
        ...


class Hooks:
    """Told what a crawl does; each method does nothing until it is overridden.

    They are called between plans, in the thread of the crawl, which waits for them; an error in
    one ends the crawl, and what was found is kept. A state is its id, the blank tab before a
    load is "", and the event of a load is `load URL`.
    """

    def begun(self, running: Running) -> None:
        """Hear that the crawl proper begins."""

    def planned(self, crawl: Crawl, cursor: int) -> None:
        """Hear that a tab was given a plan; `explained(crawl, cursor)` says which, and why."""

    def before_event(self, state: str, event: str) -> None:
        """Hear that an event is about to be fired.

        A plan is executed in one go: all its events are told before the first of them.
        """

    def after_event(self, state: str, event: str, target: str) -> None:
        """Hear where an event led."""

    def new_state(self, state: str, page: Snapshot) -> None:
        """Hear of a state seen for the first time, and its page with its content."""

    def revisited(self, state: str) -> None:
        """Hear that a known state was seen again."""

    def failed(self, kind: str, state: str, event: str) -> None:
        """Hear that an event could not be fired, or lost the page, and in a word why."""

    def warned(self, warning: str) -> None:
        """Hear of something that the user should look at."""

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        """Hear that a plan is done, and how far the crawl is."""

    def finished(self, reason: StopReason) -> None:
        """Hear that the crawl is over, and why."""

    @property
    def follows_events(self) -> bool:
        """Tell whether anybody listens to single events: telling them takes time."""
        names = ("before_event", "after_event", "new_state", "revisited", "failed")
        return any(getattr(type(self), name) is not getattr(Hooks, name) for name in names)
