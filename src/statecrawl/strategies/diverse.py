"""Diverse: unlike states first, then go on as any other strategy does (section 8.3).

Events that stand at the same kind of place (a group) tend to lead to states of the same kind, the
more so the more of them stand there. A state's kind is the groups that it has events of. So that
event is fired first whose group has led least often to a known kind of state, times how many of
the group stand beside it. A group that did so often is left to the strategy that goes on.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection

from statecrawl.core.model import BLANK
from statecrawl.core.strategy import Explaining, Knowledge, Route, Strategy, StrategyFactory

ENOUGH = 20
"""So often in a row a group leads to known kinds of states before the other strategy has it."""

_ENTRIES = ""
"""The group of the entries, which are all alike before they are loaded."""


def diverse(strategy: StrategyFactory) -> StrategyFactory:
    """Return a strategy that explores unlike states first, and goes on as another one does."""
    return lambda knowledge: Diverse(knowledge, strategy(knowledge))


class Diverse:
    """Fires events of the groups that show most of what is unlike everything known."""

    def __init__(self, knowledge: Knowledge, after: Strategy) -> None:
        self._knowledge = knowledge
        self._model = knowledge.model
        self._open = knowledge.frontier.open
        self._after = after
        self._kinds: set[frozenset[str]] = set()
        self._unlike: set[int] = set()
        self._alike: Counter[str] = Counter()
        self._sizes: list[Counter[str]] = []
        self._goes_on: dict[int, bool] = {}
        # For each group, and how many of its events a state has: which events are open where.
        self._waiting: defaultdict[tuple[str, int], dict[int, dict[int, None]]] = defaultdict(dict)

    def discovered(self, state: int) -> None:
        """See what kind of state it is."""
        self._after.discovered(state)
        sizes = Counter(self._group(state, event) for event in self._model.enabled[state])
        self._sizes.append(sizes)
        kind = frozenset(sizes)
        if kind not in self._kinds:
            self._kinds.add(kind)
            self._unlike.add(state)
        for event in self._open[state]:
            self._wait(state, event)

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Count whether the group led to a known kind of state."""
        self._after.explored(cursor, source, event, target, is_new)
        group = self._group(source, event)
        if target in self._unlike:
            self._unlike.discard(target)
            self._alike[group] = 0
        else:
            self._alike[group] += 1
        if self._alike[group] == ENOUGH:
            for place in [each for each in self._waiting if each[0] == group]:
                del self._waiting[place]

    def closed(self, state: int, event: int) -> None:
        """Take the event out."""
        self._after.closed(state, event)
        place = self._place(state, event)
        states = self._waiting.get(place)
        if states is None or event not in states.get(state, ()):
            return
        del states[state][event]
        if not states[state]:
            del states[state]
        if not states:
            del self._waiting[place]

    def reopened(self, state: int, event: int) -> None:
        """Take the event in again."""
        self._after.reopened(state, event)
        self._wait(state, event)

    def rewired(self, state: int) -> None:
        """Leave it to the other strategy: ways are searched anew each time."""
        self._after.rewired(state)

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the closest event of those that promise most, while any promises much."""
        ranks = {place: self._rank(*place) for place in self._waiting}
        least = min(ranks.values(), default=None)
        goals: dict[int, dict[int, None]] = {}
        for place, states in self._waiting.items():
            if ranks[place] == least:
                goals |= states
        way = self._way(state, goals)
        self._goes_on[cursor] = way is None
        if way is None:
            return self._after.route(cursor, state)
        return self._knowledge.route(way, next(iter(goals[way[-1]])))

    def why(self, cursor: int) -> str:
        """Say whether the route was for diversity, or what the other strategy says."""
        if not self._goes_on.get(cursor):
            return "such events have led to few pages alike"
        return self._after.why(cursor) if isinstance(self._after, Explaining) else ""

    def _rank(self, group: str, size: int) -> int:
        """Return how little a group promises, roughly: not to go far for a little more."""
        return (self._alike[group] * size).bit_length()

    def _way(self, start: int, goals: Collection[int]) -> list[int] | None:
        """Return the cheapest way over reliable transitions to one of these states."""
        if not goals:
            return None
        came = {start: start}
        queue = [(0.0, start)]
        if start != BLANK:
            queue.append((self._knowledge.reset_cost - 1, BLANK))
        settled: set[int] = set()
        while queue:
            cost, state = heapq.heappop(queue)
            if state in settled:
                continue
            settled.add(state)
            if state in goals:
                way = [state]
                while way[-1] not in (start, BLANK):
                    way.append(came[way[-1]])
                return way[::-1]
            for target in self._model.successors[state]:
                if target not in came:
                    came[target] = state
                    heapq.heappush(queue, (cost + 1, target))
        return None

    def _wait(self, state: int, event: int) -> None:
        place = self._place(state, event)
        if self._alike[place[0]] < ENOUGH:
            self._waiting[place].setdefault(state, {})[event] = None

    def _place(self, state: int, event: int) -> tuple[str, int]:
        group = self._group(state, event)
        return group, self._sizes[state][group]

    def _group(self, state: int, event: int) -> str:
        if state == BLANK:
            return _ENTRIES
        known = self._model.events[event]
        return known.identity if known.group is None else known.group
