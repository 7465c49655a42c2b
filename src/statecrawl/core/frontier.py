"""What is still to be explored: the open events of each state."""

from statecrawl.core.model import Model


class Frontier:
    """Open events: enabled, never executed from their state, and nobody on the way to them.

    `open[s]` lists the open events of state s in order; `holders[e]` the states where event e
    is open. Claiming an event for a cursor closes it; if the cursor fails, it opens again.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.open: list[dict[int, None]] = []
        self.holders: list[dict[int, None]] = []
        self.total = 0

    def add_state(self, state: int) -> None:
        """Open all events of a new state."""
        events = self._model.enabled[state]
        self.open.append(dict.fromkeys(events))
        self.holders.extend({} for _ in range(len(self._model.events) - len(self.holders)))
        for event in events:
            self.holders[event][state] = None
        self.total += len(events)

    def close(self, state: int, event: int) -> bool:
        """Close an event, if it is open."""
        if event not in self.open[state]:
            return False
        del self.open[state][event]
        del self.holders[event][state]
        self.total -= 1
        return True

    def reopen(self, state: int, event: int) -> None:
        """Open an event again that a cursor did not get to."""
        if event not in self.open[state]:
            self.open[state][event] = None
            self.holders[event][state] = None
            self.total += 1
