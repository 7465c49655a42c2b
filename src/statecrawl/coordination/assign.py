"""ASSIGN (Mirtaheri et al. 2013): which node explores which events of a state.

For every number of nodes the parts are disjoint and together all events, because each event
has exactly one owner.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b

Assign = Callable[[str, Sequence[str], int], list[int]]
"""For a state, its events in order and a number of nodes: the owner of each event."""


def stride(state: str, events: Sequence[str], nodes: int) -> list[int]:
    """Deal the events out one by one, as the paper does."""
    del state
    return [offset % nodes for offset in range(len(events))]


def spans(state: str, events: Sequence[str], nodes: int) -> list[int]:
    """Give each node one run of neighbouring events (the paper's ranges)."""
    del state
    return [offset * nodes // len(events) for offset in range(len(events))]


def hashed(state: str, events: Sequence[str], nodes: int) -> list[int]:
    """Let chance decide, the same on every machine: no node gets every first event."""
    return [
        int.from_bytes(blake2b(f"{state}\0{event}".encode(), digest_size=4).digest()) % nodes
        for event in events
    ]


ASSIGNMENTS: dict[str, Assign] = {"stride": stride, "range": spans, "hash": hashed}
