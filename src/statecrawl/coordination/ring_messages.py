"""What the ring's coordinators and crawlers say to each other (Ben Hafaiedh et al. 2014)."""

from enum import StrEnum
from typing import NamedTuple

from statecrawl.core.facts import Executed, GivenUp, Refused
from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Effect, Snapshot

Address = str
Decided = Executed | Refused | GivenUp


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


class Declined(NamedTuple):
    """A crawler was given an event too late: it has asked anew since, or its lease is over."""

    state: str
    event: str
    token: int


class RequestJob(NamedTuple):
    """A crawler has nothing to do; goes around the ring until somebody has, or to its origin."""

    state: str
    crawler: Address
    request: int
    origin: Address


class Exhausted(NamedTuple):
    """How to get on from a state: if complete, it has nothing left; else as far as executed.

    One that is not open has nothing left to give out.
    """

    state: str
    steps: tuple[Step, ...]
    is_complete: bool
    is_open: bool


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


class InVain(NamedTuple):
    """There was nothing to do in the state asked for; the knowledge is what the asker lacks."""

    knowledge: tuple[Exhausted, ...]


class Marker(NamedTuple):
    """Goes around and counts how many coordinators in a row were idle since it last came.

    One that got lost is replaced by one of a later round; then the earlier one counts no more.
    """

    epoch: int
    round: int
    idle: int


class Finished(NamedTuple):
    """All coordinators were idle at once: the crawl is over."""

    epoch: int


class Stop(NamedTuple):
    """The crawl is over."""

    epoch: int


class View(NamedTuple):
    """Which coordinators the ring consists of; a later one has a larger epoch.

    Its members work in it while a majority has answered what they said less than `hold` seconds
    ago. A later view never holds for less: whoever takes over waits as long.
    """

    epoch: int
    members: tuple[Address, ...]
    hold: float


class Beat(NamedTuple):
    """A sign of life of a coordinator, sent at that time of its clock, or the answer to one."""

    epoch: int
    sent_at: float
    is_echo: bool


class Join(NamedTuple):
    """A coordinator is there that is not in the view it hears of."""


class Prepare(NamedTuple):
    """Somebody wants to form a view: stop working in older ones, and say what you know."""

    epoch: int


class Outbid(NamedTuple):
    """A larger epoch was promised to somebody else."""

    epoch: int


class Promise(NamedTuple):
    """What a coordinator was part of: with its memory kept, and before it lost it.

    `active` is the last view that it worked in, `over` the one that announced the end, or 0.
    """

    epoch: int
    kept: tuple[View, ...]
    lost: tuple[View, ...]
    active: int
    over: int


class Install(NamedTuple):
    """A majority has promised: this is the view; others may hold leases from the one before.

    `last` is the last one that anybody worked in, or 0.
    """

    view: View
    last: int
    over: int


class Copy(NamedTuple):
    """A state as it is kept on several coordinators."""

    state: str
    snapshot: Snapshot
    path: tuple[Step, ...]
    decided: tuple[Decided, ...]


class Resolve(NamedTuple):
    """Which state is this page? Passed on to the coordinator that decides about near-duplicates.

    Only pages of one group are compared, by their features.
    """

    page: str
    crawler: Address
    features: tuple[int, ...]
    group: tuple[str, ...]


class Resolved(NamedTuple):
    """The state that a page is: its representative; said only when it will not be forgotten."""

    page: str
    representative: str


class Resolution(NamedTuple):
    """What was decided about a page; only of representatives the features are needed again."""

    page: str
    representative: str
    features: tuple[int, ...]
    group: tuple[str, ...]


class Order(NamedTuple):
    """All decisions about pages, in order, as they were in the last view that this one knew."""

    epoch: int
    resolutions: tuple[Resolution, ...]


class KeepResolution(NamedTuple):
    """Keep a decision about a page, with its number in the order."""

    epoch: int
    number: int
    resolution: Resolution


class KeptResolutions(NamedTuple):
    """All decisions up to this number are kept."""

    epoch: int
    up_to: int


class Handover(NamedTuple):
    """All that a coordinator has which the addressee keeps in the new view."""

    epoch: int
    copies: tuple[Copy, ...]
    order: Order | None = None


class Ready(NamedTuple):
    """Everybody's handover has arrived here."""

    epoch: int


class Activate(NamedTuple):
    """Everybody is ready: work in the new view."""

    epoch: int


class Replicate(NamedTuple):
    """Keep a state, or what was decided about its events."""

    epoch: int
    copy: Copy


class Replicated(NamedTuple):
    """It is kept."""

    epoch: int
    state: str


class Agreed(NamedTuple):
    """A coordinator knows that the crawl is over, and will not forget."""

    epoch: int


class Announce(NamedTuple):
    """All know that the crawl is over: tell the crawlers."""

    epoch: int


ToRingCoordinator = (
    Hello | StateInfo | AckJob | JobFailed | Declined | RequestJob | ForwardExploration | InVain
    | Marker | Finished | Beat | Join | Prepare | Outbid | Promise | Install | Handover | Ready
    | Activate | Replicate | Replicated | Agreed | Announce | Resolve | KeepResolution
    | KeptResolutions
)  # fmt: skip
ToRingCrawler = Start | ExecuteEvent | Stop | Resolved
