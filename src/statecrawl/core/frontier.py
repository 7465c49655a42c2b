"""What is still to be explored: the open events of each state."""

from statecrawl.core.model import Model


class Frontier:
    """Open events: enabled, never executed from their state, and nobody on the way to them.

    `open[s]` holds the open events of state s in order. Claiming an event for a cursor closes
    it; if the cursor fails, it opens again.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self.open: list[dict[int, None]] = []
        self.total = 0

    def add_state(self, state: int) -> None:
        """Open all events of a new state; states come in the order of their numbers."""
        events = dict.fromkeys(self._model.enabled[state])
        self.open.append(events)
        self.total += len(events)

    def close(self, state: int, event: int) -> bool:
        """Close an event, and tell whether it was open."""
        events = self.open[state]
        if event not in events:
            return False
        del events[event]
        self.total -= 1
        return True

    def reopen(self, state: int, event: int) -> None:
        """Open an event again that a cursor did not get to."""
        if event not in self.open[state]:
            self.open[state][event] = None
            self.total += 1
