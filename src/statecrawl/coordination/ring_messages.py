"""What the ring's coordinators and crawlers say to each other (seed 002)."""

from enum import StrEnum
from typing import NamedTuple

from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Effect, Snapshot

Address = str


class Scheme(StrEnum):
    """What a coordinator knows beyond its own states when it looks for the next event."""

    RESET_ONLY = "reset-only"  # nothing: it resets to one of its states
    LOCAL = "local"  # the transitions of its own states
    SHARED = "shared"  # also those that passed by on their way to others
    FORWARD = "forward"  # also states of others, whose coordinators it asks
    GLOBAL = "global"  # everything at once, which no real network can give


class Hello(NamedTuple):
    """A crawler wants work; it stays with the coordinator that it says this to."""


class Start(NamedTuple):
    """The entries of the application, and all coordinators that there are."""

    entries: tuple[str, ...]
    coordinators: tuple[Address, ...]


class StateInfo(NamedTuple):
    """Where a crawler is; passed on over fingers to the coordinator of that state.

    `source` and `event` led there, and `path` is the way from a blank tab to the source.
    """

    state: str
    crawler: Address
    request: int
    snapshot: Snapshot
    source: str
    event: str
    path: tuple[Step, ...]


class Job(NamedTuple):
    """An event to explore, and how to get to it; the token fences off whoever had it before."""

    plan: Plan
    state: str
    event: str
    token: int
    path: tuple[Step, ...]


class ExecuteEvent(NamedTuple):
    """What a crawler is to do next; no job: there is none within reach of this coordinator.

    `is_new` tells whether the state that the crawler reported was new.
    """

    request: int
    job: Job | None
    is_new: bool


class AckJob(NamedTuple):
    """An event was executed; said only after the state that it led to is stored."""

    state: str
    event: str
    token: int
    target: str
    is_new: bool
    effect: Effect


class JobFailed(NamedTuple):
    """An event could not be executed; refused: it never can be."""

    state: str
    event: str
    token: int
    refused: str | None


class RequestJob(NamedTuple):
    """A crawler has nothing to do; goes around the ring until somebody has, or to its origin."""

    state: str
    crawler: Address
    request: int
    origin: Address


class Exhausted(NamedTuple):
    """All transitions of a state, if complete; else those executed so far."""

    state: str
    transitions: tuple[tuple[str, str], ...]
    is_complete: bool


class ForwardExploration(NamedTuple):
    """Is there something to do in `state`? `way` leads there from where the crawler is, `root`.

    `visited` were asked before, for this crawler, in vain. The knowledge is what the addressee
    may not know yet about states that can be jumped over.
    """

    state: str
    crawler: Address
    request: int
    root: str
    way: Plan
    visited: tuple[str, ...]
    knowledge: tuple[Exhausted, ...]
    is_new: bool


class Marker(NamedTuple):
    """Goes around and counts how many coordinators in a row were idle since it last came."""

    epoch: int
    idle: int


class Finished(NamedTuple):
    """All coordinators were idle at once: the crawl is over."""

    epoch: int


class Stop(NamedTuple):
    """The crawl is over."""

    epoch: int
