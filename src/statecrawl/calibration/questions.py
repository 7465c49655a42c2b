"""Which pair to ask about next."""

from collections.abc import Callable, Sequence
from itertools import combinations

from statecrawl.calibration.labels import Labels, Pair

Distance = Callable[[str, str], float]


class Questions:
    """Pairs in the order in which their answers teach most.

    What looks alike comes first: every "alike" joins two groups, and from then on one answer about
    one of its states is likely to hold for all of them. No other order needs fewer answers when
    the distances are right (Wang et al. 2013, on joins with transitive relations).
    """

    def __init__(self, states: Sequence[str], distance: Distance) -> None:
        self.distances = {pair: distance(*pair) for pair in combinations(states, 2)}
        self._order = sorted(self.distances, key=self.distances.__getitem__)
        self._asked: Labels | None = None
        self._at = 0

    def next(self, labels: Labels, passed: frozenset[Pair] = frozenset()) -> Pair | None:
        """Return the next pair without an answer, but for some; None when all have one."""
        return next(
            (
                pair
                for pair in self._order[self._start(labels) :]
                if pair not in passed and labels.label(*pair) is None
            ),
            None,
        )

    def open(self, labels: Labels) -> int:
        """Return how many pairs have no answer."""
        return sum(labels.label(*pair) is None for pair in self._order[self._start(labels) :])

    def _start(self, labels: Labels) -> int:
        """Return where in the order the first pair without an answer is."""
        before = self._asked
        is_more = before is not None and (
            labels.judgements[: len(before.judgements)] == before.judgements
            and labels.rest >= before.rest
        )
        at = self._at if is_more else 0
        while at < len(self._order) and labels.label(*self._order[at]) is not None:
            at += 1
        self._asked, self._at = labels, at
        return at
