"""Where the time of a crawler goes: executing events, visits to learn what varies, waiting, ..."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

EXECUTION, NETWORK, COORDINATOR = "execution", "network", "coordinator"
PROBES, CHECKS, IDLE = "probes", "checks", "idle"
PARTS = (EXECUTION, NETWORK, COORDINATOR, PROBES, CHECKS, IDLE)


class Spending:
    """Seconds by what they went into, as in Figure 3 of Mirtaheri et al. 2013, and more.

    A crawler without anything to do waits: for the round trips in that time, and for the rest it
    is idle.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since = clock()
        self._into = IDLE
        self._apart = ""
        self._waited: dict[str, float] = {}
        self._seconds = dict.fromkeys(PARTS, 0.0)

    def turn(self, into: str) -> None:
        """Hear what the time goes into from now on."""
        self._settle()
        self._into = into

    @contextmanager
    def apart(self, into: str) -> Iterator[None]:
        """Have the time go into this in the meantime, whatever it would go into."""
        self._settle()
        self._apart = into
        try:
            yield
        finally:
            self._settle()
            self._apart = ""

    def answered(self, network: float, coordinator: float) -> None:
        """Hear what a round trip took: on the way, and at the other end."""
        if (self._apart or self._into) == IDLE:
            for name, more in ((NETWORK, network), (COORDINATOR, coordinator)):
                self._waited[name] = self._waited.get(name, 0.0) + max(0.0, more)

    def end(self) -> None:
        """Hear that the work is done: no time counts from now on."""
        self._settle()
        ended = self._since
        self._clock = lambda: ended

    def seconds(self) -> dict[str, float]:
        """Return what all time up to now went into."""
        return self._until(self._clock())

    def _settle(self) -> None:
        now = self._clock()
        self._seconds, self._since = self._until(now), now
        self._waited.clear()

    def _until(self, now: float) -> dict[str, float]:
        spent = dict(self._seconds)
        left = max(0.0, now - self._since)
        for name, waited in self._waited.items():
            part = min(left, waited)
            spent[name] += part
            left -= part
        spent[self._apart or self._into] += left
        return spent


def together(accounts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the sum of what several crawlers' time went into."""
    total: dict[str, float] = {}
    for account in accounts:
        for name, seconds in account.items():
            total[name] = total.get(name, 0.0) + seconds
    return total
