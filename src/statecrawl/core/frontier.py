"""What is still to be explored: the open events of each state."""

from statecrawl.core.model import Model

SHARED = 64
"""A state with more events does not share them."""

FEW = 3
"""Nor does one of which more were closed."""

MAX_SHARED = 10_000
"""So many different ones are kept for states to come."""


class _Own(dict[int, None]):
    """The open events of one state, which change in place."""

    __slots__ = ()


class Frontier:
    """Open events: enabled, never executed from their state, and nobody on the way to them.

    `open[s]` holds the open events of state s in order. Claiming an event for a cursor closes
    it; if the cursor fails, it opens again.

    Nearly all states of a site without end have the same events open, but for one or two: as long
    as few were closed, states share what they have open, which is replaced and never changed.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._shared: dict[tuple[int, ...], dict[int, None]] = {}
        self.open: list[dict[int, None]] = []
        self.total = 0

    def add_state(self, state: int) -> None:
        """Open all events of a new state; states come in the order of their numbers."""
        events = self._model.enabled[state]
        is_shared = len(events) <= SHARED
        self.open.append(self._common(events) if is_shared else _Own.fromkeys(events))
        self.total += len(events)

    def close(self, state: int, event: int) -> bool:
        """Close an event, and tell whether it was open."""
        events = self.open[state]
        if event not in events:
            return False
        self.total -= 1
        if type(events) is not _Own:
            if len(self._model.enabled[state]) - len(events) < FEW:
                rest = list(events)
                rest.remove(event)
                self.open[state] = self._common(tuple(rest))
                return True
            events = self.open[state] = _Own(events)
        del events[event]
        if not events:
            self.open[state] = self._common(())
        return True

    def reopen(self, state: int, event: int) -> None:
        """Open an event again that a cursor did not get to."""
        events = self.open[state]
        if event not in events:
            if type(events) is not _Own:
                events = self.open[state] = _Own(events)
            events[event] = None
            self.total += 1

    def _common(self, events: tuple[int, ...]) -> dict[int, None]:
        """Return events as all states have them that have the same."""
        known = self._shared.get(events)
        if known is None:
            if len(self._shared) >= MAX_SHARED:
                self._shared.clear()
            known = self._shared[events] = dict.fromkeys(events)
        return known
