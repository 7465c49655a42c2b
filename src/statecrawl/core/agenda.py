"""What is to be explored: events are opened and closed here, and the strategy hears of it."""

from collections import deque

from statecrawl.core.frontier import Frontier
from statecrawl.core.model import Model
from statecrawl.core.strategy import Strategy

Pair = tuple[int, int]
"""A state and one of its events."""


class Agenda:
    """The frontier as a session changes it; what is put off opens again when asked for.

    What stands in line opens one after the other, each when nothing else is open. When the agenda
    is shared with other sessions only those events are open that are handed out to it.
    """

    def __init__(self, model: Model, frontier: Frontier, strategy: Strategy) -> None:
        self._model = model
        self._frontier = frontier
        self._strategy = strategy
        self._put_off: list[Pair] = []
        self._in_line: deque[Pair] = deque()
        self.barred: set[Pair] = set()
        self.is_shared = False

    @property
    def left(self) -> int:
        """How many events are known to be left."""
        return self._frontier.total + len(self._put_off) + len(self._in_line)

    def add(self, state: int) -> None:
        """Open all events of a new state."""
        self._frontier.add_state(state)
        self._strategy.discovered(state)
        if self.is_shared:
            self.close_all(state)

    def open(self, state: int, event: int) -> None:
        """Open an event, unless it is, or was barred."""
        if event not in self._frontier.open[state] and (state, event) not in self.barred:
            self._frontier.reopen(state, event)
            self._strategy.reopened(state, event)

    def close(self, state: int, event: int) -> None:
        """Close an event, if it is open."""
        if self._frontier.close(state, event):
            self._strategy.closed(state, event)

    def bar(self, state: int, event: int) -> None:
        """Close an event for good."""
        self.close(state, event)
        self.barred.add((state, event))

    def distrust(self, state: int) -> None:
        """Let ways through a state be found anew."""
        self._strategy.rewired(state)

    def close_all(self, state: int, group: str | None = None) -> bool:
        """Close every event of a state, or those of a group; tell whether there were any."""
        events = [
            event
            for event in self._frontier.open[state]
            if group is None or self._model.events[event].group == group
        ]
        for event in events:
            self.close(state, event)
        return bool(events)

    def share(self) -> None:
        """Let nothing be open until it is handed out."""
        self.is_shared = True
        for state in range(len(self._frontier.open)):
            self.close_all(state)

    def hand_back(self, count: int) -> list[Pair]:
        """Close so many open events, those found last first, and return them."""
        given: list[Pair] = []
        for state in range(len(self._frontier.open) - 1, -1, -1):
            for event in list(reversed(self._frontier.open[state])):
                if len(given) >= count:
                    return given
                self.close(state, event)
                given.append((state, event))
        return given

    def line_up(self, state: int) -> None:
        """Let the open events of a state be explored one after the other, with all they lead to."""
        pairs = [(state, event) for event in self._frontier.open[state]]
        self.close_all(state)
        self._in_line.extend(pairs)

    def open_next(self) -> bool:
        """Open what is next in line, and tell whether there was anything."""
        while self._in_line:
            pair = self._in_line.popleft()
            if not self.is_decided(pair):
                self.open(*pair)
                return True
        return False

    def is_decided(self, pair: Pair) -> bool:
        """Tell whether an event was fired, refused or assumed."""
        return self._model.is_explored(*pair) or pair in self._model.refused

    def put_off(self, state: int, event: int) -> None:
        """Close an event until there is nothing else to do."""
        self.close(state, event)
        self._put_off.append((state, event))

    def put_off_all(self, state: int) -> None:
        """Close the open events of a state until there is nothing else to do."""
        for event in list(self._frontier.open[state]):
            self.put_off(state, event)

    def resume(self) -> None:
        """Open what was put off, but for what was decided meanwhile."""
        pairs, self._put_off = self._put_off, []
        for pair in pairs:
            if not self.is_decided(pair):
                self.open(*pair)
