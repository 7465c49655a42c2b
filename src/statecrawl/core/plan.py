"""What a crawl asks of a browser, and what it hears back."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from statecrawl.core.problems import Problem
from statecrawl.core.snapshot import Effect, Snapshot


class Step(NamedTuple):
    """Fire one event; `expected` is the state it should lead to, None when nobody knows."""

    event: str
    expected: str | None


class Plan(NamedTuple):
    """A reset to an entry, if one is named, then steps in order."""

    entry: str | None
    expected_entry: str | None
    steps: tuple[Step, ...]

    @property
    def expected(self) -> list[str | None]:
        """The states that the reset, if there is one, and the steps should lead to."""
        entry = [] if self.entry is None else [self.expected_entry]
        return [*entry, *(step.expected for step in self.steps)]


class Halt(StrEnum):
    """Why an execution ended."""

    DONE = "done"
    DIVERGED = "diverged"  # the last snapshot is not the expected state
    REFUSED = "refused"  # the next event is there no more, or can't be fired
    LOST = "lost"  # the page is gone (a crash, a time-out): only a reset helps


NOT_A_PAGE = "not_a_page"
"""The reason why an event is refused that leads to a document which is no page, or to none."""


class Move(NamedTuple):
    """An event as it was really fired: by the page's agent, or with the browser's own input."""

    event: str
    is_trusted: bool = False


class Trail(NamedTuple):
    """All that was done in a tab from a reset on, in order."""

    entry: str
    moves: tuple[Move, ...]


class Walk(NamedTuple):
    """What a cursor did for one plan: a reset to an entry or none, and moves."""

    cursor: int
    entry: str | None
    moves: tuple[Move, ...]


Twice = Sequence[tuple[Snapshot, Snapshot]]
"""What was seen at some places of a way that was gone twice."""


class Execution(NamedTuple):
    """One snapshot for the reset, if the plan had one, and one for each step executed.

    Effects go with the snapshots; there may be none of them when nobody watches. A page that hung
    was lost to that problem; the reason says in a word why an event was refused or a page lost.
    `opened` are URLs, in scope, of windows that the page opened, which were closed. `moves` are
    the events as they were fired, some twice.
    """

    snapshots: tuple[Snapshot, ...]
    halt: Halt = Halt.DONE
    effects: tuple[Effect, ...] = ()
    lost_to: Problem | None = None
    reason: str = ""
    opened: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
