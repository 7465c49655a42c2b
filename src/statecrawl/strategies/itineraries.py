"""Itineraries: in which order the events of a kind of page found something.

Catalogues repeat themselves: one list, one detail, is crawled like the one before. Pages are of
one kind when their events stand at the same kinds of places. What found new states on the
first page of a kind is tried in the same order on the next one.
"""

from statecrawl.core.model import Model


class Itineraries:
    """For each kind of page, the events that found new states there, in order."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._kinds: dict[int, frozenset[str]] = {}
        self._orders: dict[frozenset[str], dict[int, int]] = {}

    def found(self, state: int, event: int) -> None:
        """Note that an event found a new state."""
        self._order(state).setdefault(event, len(self._order(state)))

    def rank(self, state: int, event: int) -> int:
        """Return the place of an event in the order of its kind of page; late, if it has none."""
        order = self._order(state)
        return order.get(event, len(order))

    def _order(self, state: int) -> dict[int, int]:
        return self._orders.setdefault(self._kind(state), {})

    def _kind(self, state: int) -> frozenset[str]:
        kind = self._kinds.get(state)
        if kind is None:
            events = self._model.events
            groups = (events[e].group or events[e].identity for e in self._model.enabled[state])
            kind = self._kinds[state] = frozenset(groups)
        return kind
