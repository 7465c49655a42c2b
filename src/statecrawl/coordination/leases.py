"""Leases: which crawler may explore which event, until when, fenced by tokens that only grow."""

import heapq

from statecrawl.coordination.machine import NEVER

Pair = tuple[str, str]
TOKENS_AN_EPOCH = 1_000_000_000


class Leases:
    """Those that a coordinator has granted and that are not settled.

    A crawler counts its lease from when it asked, which is earlier: it has stopped when the
    lease ends here.
    """

    def __init__(self, seconds: float = NEVER, epoch: int = 0) -> None:
        self.seconds = seconds
        self._token = epoch * TOKENS_AN_EPOCH
        self._tokens: dict[Pair, int] = {}
        self._ends: list[tuple[float, Pair, int]] = []
        self._not_before = 0.0

    def __len__(self) -> int:
        return len(self._tokens)

    def grant(self, pair: Pair, now: float) -> int:
        """Give an event away and return the token of the lease."""
        self._token += 1
        self._tokens[pair] = self._token
        until = now + self.seconds
        if until < NEVER:
            heapq.heappush(self._ends, (until, pair, self._token))
        return self._token

    def settle(self, pair: Pair, token: int) -> bool:
        """End a lease; False: the token is not, or no longer, that of its holder."""
        if self._tokens.get(pair) != token:
            return False
        del self._tokens[pair]
        return True

    def drop(self, pair: Pair) -> None:
        """Forget a lease: its event belongs to another coordinator now."""
        self._tokens.pop(pair, None)

    def has(self, pair: Pair) -> bool:
        """Tell whether somebody holds an event."""
        return pair in self._tokens

    @property
    def alarm(self) -> float:
        """When the next lease ends."""
        return max(self._ends[0][0], self._not_before) if self._ends else NEVER

    def postpone(self, until: float) -> None:
        """Look at no lease before a time."""
        self._not_before = until

    def expired(self, now: float) -> list[Pair]:
        """End and return all leases that have lasted too long."""
        ended = []
        while self._ends and self._ends[0][0] <= now:
            _, pair, token = heapq.heappop(self._ends)
            if self.settle(pair, token):
                ended.append(pair)
        return ended
