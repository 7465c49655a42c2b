"""Greedy: explore the open event closest to the cursor (section 7.2; Peng et al. 2012)."""

from statecrawl.core.strategy import Knowledge, Route


class Greedy:
    """Fires any open event of the current state, else one of the closest state that has one."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._open = knowledge.frontier.open
        self._field = knowledge.field(knowledge.toll)

    def discovered(self, state: int) -> None:
        """Take the state into the field."""
        self._field.add_state(state)

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Take the edge into the field."""
        del cursor, event, is_new
        self._field.add_edge(source, target)

    def closed(self, state: int, event: int) -> None:
        """Do nothing: labels rise when somebody passes by."""

    def reopened(self, state: int, event: int) -> None:
        """Let the label of the state sink."""
        del event
        self._field.ease(state)

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._field.rewire(state)

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the closest state with an open event and fire it."""
        del cursor
        way = self._field.way(state)
        if way is None:
            return None
        return self._knowledge.route(way, next(iter(self._open[way[-1]])))
