"""Where the time of a crawler goes: executing events, on the network, at the coordinator, idle."""

from collections.abc import Iterable, Mapping

EXECUTION, NETWORK, COORDINATOR, IDLE = "execution", "network", "coordinator", "idle"


class Spending:
    """Seconds by what they went into, as in Figure 3 of Mirtaheri et al. 2013.

    A crawler is busy from its first plan on until there is no next one at once; what it waits
    then is the round trips in that time and, for the rest, idleness.
    """

    def __init__(self, now: float) -> None:
        self._since = now
        self._is_busy = False
        self._waited = {NETWORK: 0.0, COORDINATOR: 0.0}
        self._seconds = {EXECUTION: 0.0, NETWORK: 0.0, COORDINATOR: 0.0, IDLE: 0.0}

    def answered(self, network: float, coordinator: float) -> None:
        """Hear what a round trip took: on the way, and at the other end."""
        if not self._is_busy:
            self._waited[NETWORK] += max(0.0, network)
            self._waited[COORDINATOR] += max(0.0, coordinator)

    def turn(self, now: float, *, is_busy: bool) -> None:
        """Hear that the crawler has something to execute from now on, or has not."""
        self._seconds = self.seconds(now)
        self._since = now
        self._is_busy = is_busy
        self._waited = {NETWORK: 0.0, COORDINATOR: 0.0}

    def seconds(self, now: float) -> dict[str, float]:
        """Return what all time up to now went into."""
        spent = dict(self._seconds)
        left = max(0.0, now - self._since)
        if self._is_busy:
            spent[EXECUTION] += left
            return spent
        for name, waited in self._waited.items():
            part = min(left, waited)
            spent[name] += part
            left -= part
        spent[IDLE] += left
        return spent


def together(accounts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the sum of what several crawlers' time went into."""
    total: dict[str, float] = {}
    for account in accounts:
        for name, seconds in account.items():
            total[name] = total.get(name, 0.0) + seconds
    return total
