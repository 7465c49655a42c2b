"""Strategies whose every transfer begins with a reset, as the papers' simplest ones do."""

from statecrawl.core.model import BLANK
from statecrawl.core.strategy import Knowledge, Route, Strategy


class _Picked:
    """Explores one state after the other, from the start of the application each time.

    The way to a state is the one it was found on: its chain of PARENTSTATE and PARENTEVENT.
    A state that the tab is in already needs no way.
    """

    def __init__(
        self, knowledge: Knowledge, *, newest_first: bool = False, stays: bool = False
    ) -> None:
        self._knowledge = knowledge
        self._newest_first = newest_first
        self._stays = stays
        self._parents: dict[int, int] = {}
        self._working: dict[int, None] = {}

    def discovered(self, state: int) -> None:
        self._working[state] = None

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        del cursor, event, is_new
        is_rooted = source == BLANK or source in self._parents
        if is_rooted and target not in (BLANK, source):
            self._parents.setdefault(target, source)

    def closed(self, state: int, event: int) -> None:
        pass

    def reopened(self, state: int, event: int) -> None:
        del event
        self._working.setdefault(state)

    def rewired(self, state: int) -> None:
        pass

    def route(self, cursor: int, state: int) -> Route | None:
        del cursor
        open_events = self._knowledge.frontier.open
        if self._stays and open_events[state]:
            return self._knowledge.route([state], next(iter(open_events[state])))
        while self._working:
            target = next(reversed(self._working) if self._newest_first else iter(self._working))
            if open_events[target]:
                way = [target] if target == state else self._way(target)
                if way is None:
                    return None
                return self._knowledge.route(way, next(iter(open_events[target])))
            del self._working[target]
        return None

    def _way(self, state: int) -> list[int] | None:
        way = [state]
        successors = self._knowledge.model.successors
        while state != BLANK:
            parent = self._parents.get(state)
            if parent is None or state not in successors[parent]:
                return None
            way.append(parent)
            state = parent
        return way[::-1]


def lifo(knowledge: Knowledge) -> Strategy:
    """Pick the state found last: depth first within what a node knows."""
    return _Picked(knowledge, newest_first=True)


def fifo(knowledge: Knowledge) -> Strategy:
    """Pick the state found first: breadth first within what a node knows."""
    return _Picked(knowledge, newest_first=False)


def reset_only(knowledge: Knowledge) -> Strategy:
    """Use up the current state, then reset and pick the state found first (the ring's simplest)."""
    return _Picked(knowledge, stays=True)


PICKS = {"lifo": lifo, "fifo": fifo}
