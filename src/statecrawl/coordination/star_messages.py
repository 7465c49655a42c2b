"""What the star's coordinator and its nodes say to each other (Mirtaheri et al. 2013)."""

from enum import StrEnum
from typing import NamedTuple

from statecrawl.core.facts import Fact


class NodeStatus(StrEnum):
    """Where a node stands, as in Figure 1."""

    DISCONNECTED = "disconnected"  # it has no credentials
    ACTIVE = "active"
    DONE = "done"  # nothing to do just now
    TERMINATED = "terminated"  # the crawl is over


NEXT_STATUS: dict[NodeStatus, frozenset[NodeStatus]] = {
    NodeStatus.DISCONNECTED: frozenset({NodeStatus.ACTIVE, NodeStatus.TERMINATED}),
    NodeStatus.ACTIVE: frozenset({NodeStatus.DONE, NodeStatus.TERMINATED, NodeStatus.DISCONNECTED}),
    NodeStatus.DONE: frozenset({NodeStatus.ACTIVE, NodeStatus.TERMINATED, NodeStatus.DISCONNECTED}),
    NodeStatus.TERMINATED: frozenset(),
}

Pair = tuple[str, str]
"""A state and one of its events."""


class GetCredentials(NamedTuple):
    """A node wants to take part; whoever asks twice counts the same attempt once."""

    attempt: int


class SendNewState(NamedTuple):
    """What a node learned since it last said so; a new state at the latest is a reason to."""

    token: int
    facts: tuple[Fact, ...]


class GetNewStates(NamedTuple):
    """A node has nothing to do, after so many messages from the coordinator."""

    token: int
    facts: tuple[Fact, ...]
    heard: int


class SendNodeStatus(NamedTuple):
    """How a node stands, after so many messages from the coordinator; also a sign of life."""

    token: int
    status: NodeStatus
    heard: int
    sent_at: float


class Released(NamedTuple):
    """Events that a node was asked to give away, perhaps fewer, perhaps none."""

    token: int
    pairs: tuple[Pair, ...]


class Leave(NamedTuple):
    """A node goes, with what it has learned."""

    token: int
    facts: tuple[Fact, ...]


class Credentials(NamedTuple):
    """The node takes part from now on, under this number among so many nodes.

    The token names this membership: whoever was thought dead and speaks up again is refused. It
    answers one attempt: whoever has asked again meanwhile is to wait for the answer to that.
    """

    attempt: int
    token: int
    number: int
    nodes: int
    entries: tuple[str, ...]
    reset_cost: float
    assignment: str
    lease_seconds: float


class Share(NamedTuple):
    """The node's part of a state's events: its place among so many nodes when it was found."""

    state: str
    place: int
    nodes: int


class States(NamedTuple):
    """What others learned that the node lacks, and its parts of states."""

    facts: tuple[Fact, ...]
    shares: tuple[Share, ...]


class Take(NamedTuple):
    """Events of others that the node is to explore."""

    pairs: tuple[Pair, ...]


class Release(NamedTuple):
    """Another node has nothing to do: give up to so many events away."""

    at_most: int


class Stay(NamedTuple):
    """Nothing new, but the crawl is not over: the node is done, unless something else came."""


class Alive(NamedTuple):
    """The coordinator has heard a sign of life, sent at that time of the node's clock."""

    sent_at: float


class Terminated(NamedTuple):
    """The crawl is over."""


class Expelled(NamedTuple):
    """The token is not, or no longer, that of a member: ask for credentials again."""

    token: int


ToStarCoordinator = GetCredentials | SendNewState | GetNewStates | SendNodeStatus | Released | Leave
ToStarNode = Credentials | States | Take | Release | Stay | Alive | Terminated | Expelled
