"""Which pages to go to again to find out what varies in them, and when."""

from collections.abc import Iterable, Mapping

FREE = 6
"""So many visits are made as soon as there is a doubt: what varies is best known early."""

SHARE = 0.5
"""After these, all visits may cost so much of what the crawl itself has cost."""

MAX_DOUBTS = 1_000
"""So many doubts are kept; of pages that never end, the last ones."""


class Revisits:
    """The states that may be known ones in other words, until somebody has looked.

    Where a reset is dear, or ways are long, looking again costs many times what exploring does:
    then doubts wait. The last one comes first, for others are likely to lie on the way to it.
    """

    def __init__(self, doubtful: Iterable[str]) -> None:
        self._doubts = dict.fromkeys(doubtful, 0)
        self._looks = 1

    def __contains__(self, state: str | None) -> bool:
        return state in self._doubts

    @property
    def doubtful(self) -> list[str]:
        """The states in doubt, in the order in which they were found."""
        return list(self._doubts)

    def doubt(self, state: str) -> None:
        """Take it that somebody should look at a state again."""
        self._doubts[state] = self._looks
        if len(self._doubts) > MAX_DOUBTS:
            del self._doubts[next(iter(self._doubts))]

    def is_due(self, visits: int, spent: float, cost: float) -> bool:
        """Tell whether to look now, by what visits and the crawl itself have cost so far."""
        return visits < FREE or spent <= SHARE * cost

    def take(self) -> tuple[str, bool]:
        """Return the next state to look at, and whether that was before the last look elsewhere."""
        state, looks = self._doubts.popitem()
        return state, looks < self._looks

    def looked(self, states: Iterable[str]) -> None:
        """Hear that somebody has looked at states."""
        self._looks += 1
        for state in states:
            self._doubts.pop(state, None)

    def rename(self, aliases: Mapping[str, str]) -> None:
        """Take over what states are called now; of those that became one, one is in doubt."""
        self._doubts = {aliases.get(state, state): looks for state, looks in self._doubts.items()}
