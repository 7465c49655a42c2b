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
    """Deal the events out one by one, in an order that a hash gives, from a node that it names.

    An event that many states have leads to the same place everywhere: whoever had it in all of
    them would be led to few states by its own events, and have to walk to all the others.
    """
    owners = [0] * len(events)
    first = _hash(state)
    for turn, offset in enumerate(
        sorted(range(len(events)), key=lambda i: _hash(state, events[i]))
    ):
        owners[offset] = (first + turn) % nodes
    return owners


def _hash(*parts: str) -> int:
    """Return a number that is the same on every machine."""
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest())


ASSIGNMENTS: dict[str, Assign] = {"stride": stride, "range": spans, "hash": hashed}
