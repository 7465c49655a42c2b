"""What a crawl learned, fact by fact: enough to go on where it was, in the order of learning."""

from typing import NamedTuple

from statecrawl.core.snapshot import Effect, Snapshot


class Found(NamedTuple):
    """A new state, and after how many events and resets it was found."""

    state: str
    snapshot: Snapshot
    events: int
    resets: int


class Executed(NamedTuple):
    """An event was fired and led from a state to a state; of known transitions nothing is said.

    The source of a reset is "", its event `load URL`.
    """

    source: str
    event: str
    target: str
    effect: Effect = Effect()


class Refused(NamedTuple):
    """An event that a state offers could not be fired, or loses the page each time."""

    source: str
    event: str
    reason: str = ""


class GivenUp(NamedTuple):
    """An event that could not be reached any more."""

    source: str
    event: str


class EntryFound(NamedTuple):
    """Another URL that a reset can go to."""

    url: str


class Assumed(NamedTuple):
    """A link that was not followed: loading its URL gives the state that another one led to."""

    source: str
    event: str
    target: str


Fact = Found | Executed | Refused | GivenUp | EntryFound | Assumed
