"""What the coordinators of a ring know when it goes on with a crawl that is stored."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.machine import Address
from statecrawl.coordination.ring_messages import Copy, Decided, Order, Resolution
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.ways import Ways


class Recalled(NamedTuple):
    """What a coordinator begins with: states to keep and, where identity is near, their order."""

    copies: Sequence[Copy] = ()
    order: Order | None = None


NOTHING = Recalled()


def recalled_copies(
    facts: Iterable[Fact], entries: Iterable[str], everyone: Iterable[Address]
) -> dict[Address, list[Copy]]:
    """Return the states that each coordinator keeps from the start, of its own and of others.

    The entries are all that a tab can begin with. Each state is kept by so many that any majority
    has it. A link that was assumed to lead where another one did counts as taken.
    """
    ring = Ring(everyone)
    ways = Ways()
    pages: dict[str, Snapshot] = {}
    decided: defaultdict[str, list[Decided]] = defaultdict(list)
    for fact in facts:
        if isinstance(fact, Found):
            pages[fact.state] = fact.snapshot
        elif isinstance(fact, Executed | Assumed):
            ways.learn(fact.source, fact.event, fact.target)
            decided[fact.source].append(Executed(fact.source, fact.event, fact.target))
        elif not isinstance(fact, EntryFound):
            decided[fact.source].append(fact)
    pages[""] = Snapshot("", tuple(Event(f"load {entry}") for entry in entries))
    copies: dict[Address, list[Copy]] = {member: [] for member in ring.members}
    for state, page in pages.items():
        owner, way = ring.owner(state), ways.to(state)
        if way is not None:
            copy = Copy(state, page, way, tuple(decided[state]))
            for member in (owner, *ring.after(owner, len(ring.members) // 2)):
                copies[member].append(copy)
    return copies


def recalled_order(
    pages: Iterable[tuple[str, Snapshot]],
    traits: Callable[[Snapshot], tuple[tuple[int, ...], tuple[str, ...]]],
) -> Order:
    """Return the states that are known as decisions: each is what it was taken for first."""
    return Order(0, tuple(Resolution(state, state, *traits(page)) for state, page in pages))
