"""What a crawl learned, fact by fact: enough to go on where it was, in the order of learning."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

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

TOLD_BY_MANY = "coordinators"
"""The setting of a crawl whose facts come from several coordinators, in no order."""

When = TypeVar("When")


def in_order(told: Iterable[tuple[Fact, When]]) -> Iterator[tuple[Fact, When]]:
    """Yield facts as one session would have learned them, however many told them at once.

    A state is found just before the event that reached it first, and what happened in it comes
    later. What one session told is in this order.
    """
    found: dict[str, tuple[Fact, When]] = {}
    reached = {""}
    waiting: defaultdict[str, list[tuple[Fact, When]]] = defaultdict(list)
    for each in told:
        fact = each[0]
        if isinstance(fact, Found):
            found.setdefault(fact.state, each)
            continue
        if isinstance(fact, EntryFound):
            yield each
            continue
        if fact.source not in reached:
            waiting[fact.source].append(each)
            continue
        due = deque([each])
        while due:
            each = due.popleft()  # noqa: PLW2901 - one leads to the next
            fact = each[0]
            target = fact.target if isinstance(fact, Executed) else ""
            if target not in reached and target in found:
                yield found[target]
                reached.add(target)
                due.extend(waiting.pop(target, ()))
            yield each
