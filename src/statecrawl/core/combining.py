"""Passing over events that would only combine known content anew, if that is wanted."""

from collections.abc import Callable

from statecrawl.core.agenda import Agenda, Pair
from statecrawl.core.frontier import Frontier
from statecrawl.core.model import BLANK, Model
from statecrawl.core.parts import Coverage, Parts, Promise
from statecrawl.core.strategy import Route


class Combining:
    """Knows which events promise something new; with full coverage, all of them do."""

    def __init__(
        self,
        model: Model,
        frontier: Frontier,
        agenda: Agenda,
        coverage: Coverage,
        url: Callable[[Pair], str],
    ) -> None:
        self.passed_over: dict[Pair, None] = {}
        self._model = model
        self._frontier = frontier
        self._agenda = agenda
        self._parts = Parts(model) if coverage is Coverage.CONTENT else None
        self._url = url

    def pass_over(self, pair: Pair) -> bool:
        """Close an event if it would only combine known content anew, and tell whether it would."""
        if self._promise(pair) is not Promise.KNOWN:
            return False
        self._agenda.close(*pair)
        self.passed_over[pair] = None
        return True

    def pass_over_all(self, state: int) -> None:
        """Close every event of a state that would only combine known content anew."""
        for event in list(self._frontier.open[state]):
            self.pass_over((state, event))

    def most_promising(self, route: Route) -> Route:
        """Return the same route, but that it ends with an event that was never fired, if any."""
        state, event = route[-1].source, route[-1].event
        if self._parts is None or self._promise((state, event)) is Promise.NEW:
            return route
        open_events = self._frontier.open[state]
        fresh = (e for e in open_events if self._promise((state, e)) is Promise.NEW)
        return [*route[:-1], self._model.uncertain(state, next(fresh, event))]

    def decided(self, pair: Pair) -> None:
        """Hear that it is known where an event leads."""
        self.passed_over.pop(pair, None)

    def learn(self, source: int, event: int, target: int) -> None:
        """Learn what an event hangs on, and open it where it may show something new after all."""
        self.decided((source, event))
        if self._parts is None or source == BLANK:
            return
        if self._parts.learn(source, event, target, self._url((source, event))):
            for pair in [each for each in self.passed_over if each[1] == event]:
                if self._promise(pair) is not Promise.KNOWN:
                    del self.passed_over[pair]
                    self._agenda.open(*pair)

    def _promise(self, pair: Pair) -> Promise:
        if self._parts is None or pair[0] == BLANK:
            return Promise.NEW
        return self._parts.promise(*pair, self._url(pair))
