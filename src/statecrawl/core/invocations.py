"""Which functions of an application make requests, and through which others: the hot nodes."""

from dataclasses import dataclass
from typing import NamedTuple


class Invocation(NamedTuple):
    """A request that an event made through a stack of functions, and how often.

    The stack begins with the hot node. The cached ones are among the times.
    """

    event: str
    method: str
    url: str
    key: str
    stack: tuple[str, ...]
    times: int
    times_cached: int


class Request(NamedTuple):
    """All calls for one thing: the hot nodes that asked, and how often."""

    key: str
    method: str
    url: str
    hot_nodes: tuple[str, ...]
    times: int
    times_cached: int


@dataclass(frozen=True)
class InvocationGraph:
    """Which functions call which on the way to a request, drawn from all invocations."""

    invocations: tuple[Invocation, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """Every function on some stack."""
        return tuple(dict.fromkeys(name for call in self.invocations for name in call.stack))

    @property
    def hot_nodes(self) -> tuple[str, ...]:
        """The functions that made requests themselves."""
        return tuple(dict.fromkeys(call.stack[0] for call in self.invocations if call.stack))

    @property
    def edges(self) -> dict[tuple[str, str], int]:
        """How often each function called each other: (caller, callee) -> times."""
        found: dict[tuple[str, str], int] = {}
        for call in self.invocations:
            for callee, caller in zip(call.stack, call.stack[1:], strict=False):
                found[caller, callee] = found.get((caller, callee), 0) + call.times
        return found

    @property
    def requests(self) -> tuple[Request, ...]:
        """One row for each distinct request key."""
        rows: dict[str, list[Invocation]] = {}
        for call in self.invocations:
            rows.setdefault(call.key, []).append(call)
        return tuple(
            Request(
                key,
                calls[0].method,
                calls[0].url,
                tuple(dict.fromkeys(call.stack[0] for call in calls if call.stack)),
                sum(call.times for call in calls),
                sum(call.times_cached for call in calls),
            )
            for key, calls in rows.items()
        )
