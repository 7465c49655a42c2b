"""What a process of a distributed crawl is: told a message, it answers with messages."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

Address = str
"""Where messages go: the name of a process, or one of the two ports below."""

BROWSER: Address = "browser"
"""The tab beside a crawler. It is sent a `Plan` and answers with an `Execution`."""

STORE: Address = "store"
"""Where the crawl is kept. It is sent facts, each once its source is known, and never answers."""

Output = tuple[Address, Any]
"""A message, and whom it is for."""

NEVER = float("inf")


class Machine(Protocol):
    """One process without its sockets and clocks: whoever runs it carries messages and time.

    Seconds count from any instant, but never backwards.
    """

    def begin(self, now: float) -> Sequence[Output]:
        """Return what the process says when it starts."""
        ...

    def on(self, sender: Address, message: Any, now: float) -> Sequence[Output]:
        """Take in one message and return those that follow from it."""
        ...

    @property
    def alarm(self) -> float:
        """When the process wants to be woken; NEVER: not at all."""
        ...

    def wake(self, now: float) -> Sequence[Output]:
        """Do what is due; early calls do nothing."""
        ...


@runtime_checkable
class HearsOfLoss(Protocol):
    """A machine that has to know when something that it said will never be heard."""

    def lost(self, peer: Address, now: float) -> Sequence[Output]:
        """Hear that messages for another process were dropped, though both may live."""
        ...
