"""What one coordinator of the ring knows of the application, and where it would go next."""

from collections.abc import Collection, Iterable, Mapping

from statecrawl.core.frontier import Frontier
from statecrawl.core.model import BLANK, Model, Recorded, Transition
from statecrawl.core.paths import nearest
from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Event
from statecrawl.core.strategy import Knowledge, Route, StrategyFactory

ASK = Event("ask its coordinator")
"""The one open event of a state that belongs to another coordinator, which may know of more."""


class Book:
    """A model, what is open in it, and a strategy over both: partial knowledge, real strategies.

    Open are events of the coordinator's own states; in forward exploration also ASK in those
    states of others that are not known to be exhausted.
    """

    def __init__(
        self, entries: Iterable[str], strategy: StrategyFactory, reset_cost: float, *, asks: bool
    ) -> None:
        self.model = Model(list(entries))
        self.frontier = Frontier(self.model)
        self._ask = self.model.number(ASK)
        self._numbers = self.model.states.numbers
        self.strategy = strategy(Knowledge(self.model, self.frontier, reset_cost, self._ask))
        self._reset_cost = reset_cost
        self._asks = asks
        self._take_in(BLANK)
        for event in list(self.frontier.open[BLANK]):
            self.close(BLANK, event)

    def number(self, state: str) -> int:
        """Return the number of a state, which may be one of others that nobody has told of."""
        number = self._numbers.get(state)  # of those asked for lately, which are nearly all
        if number is None:
            number = self.model.state(state)
        if number is None:
            number = self.model.add_state(state, (ASK,) if self._asks else (), {})
            self._take_in(number)
        return number

    def own(self, state: str, events: Iterable[Event], regions: Mapping[str, str]) -> int:
        """Take in a state of the coordinator's own, with all its events open."""
        number = self.model.state(state)
        if number is None:
            number = self.model.add_state(state, events, regions)
            self._take_in(number)
            return number
        self.close(number, self._ask)
        if number != BLANK:
            self.model.enable(number, events, regions)
        for event in self.model.enabled[number]:
            if not self.model.is_explored(number, event):
                self.open(number, event)
        return number

    def disown(self, state: str) -> None:
        """Let a state belong to another coordinator from now on."""
        number = self.model.state(state)
        if number is None:
            return
        for event in list(self.frontier.open[number]):
            self.close(number, event)
        if self._asks and number != BLANK:
            self.open(number, self._ask)

    def learn(self, source: int, event: str, target: int, *, is_new: bool = False) -> None:
        """Take in a transition; late, or for the second time, does no harm."""
        model = self.model
        number = self._meet(source, event)
        known = model.learn(source, number, target)
        if known is None:
            self.strategy.explored(0, source, number, target, is_new)
        elif known != target and model.record(source, number, target) is Recorded.DIVERGED:
            self.strategy.rewired(source)

    def rely(self, source: int, steps: Iterable[Step]) -> None:
        """Take in what others tell of a state of theirs: ways to go, not what to learn from."""
        events, states = self.model.event_numbers, self.model.states.numbers
        try:
            edges = {states[target or ""]: events[event] for event, target in steps}
        except KeyError:
            edges = {self.number(to or ""): self._meet(source, event) for event, to in steps}
        self.model.rely(source, edges)
        self.strategy.rewired(source)

    def _meet(self, source: int, event: str) -> int:
        """Return the number of an event; a strategy meets a new one when it opens."""
        number = self.model.event_numbers.get(event)
        if number is None:
            number = self.model.number(Event(event))
            self.open(source, number)
            self.close(source, number)
        return number

    def exhaust(self, state: int) -> None:
        """Hear that a state of others has nothing left."""
        self.close(state, self._ask)

    def close(self, state: int, event: int) -> None:
        """Close an event: given to somebody, explored, or no longer ours."""
        if self.frontier.close(state, event):
            self.strategy.closed(state, event)

    def open(self, state: int, event: int) -> None:
        """Open an event that nobody has explored."""
        if event not in self.frontier.open[state]:
            self.frontier.reopen(state, event)
            self.strategy.reopened(state, event)

    def route(self, cursor: int, state: str, visited: Collection[str] = ()) -> Route | None:
        """Return a way from a state, or from a blank tab, to what should be explored next.

        It ends with the first event that is open, perhaps with ASK. `visited` states are passed
        by, but not stopped at.
        """
        if not self.frontier.total:
            return None
        start = self.model.state(state) or BLANK
        route = self.strategy.route(cursor, start)
        if route is not None:
            route = self._to_first_open(route)
            if not visited or self.model.states[route[-1].source] not in visited:
                return route
        return self._search(start, {self.model.state(each) for each in visited})

    def take_turns(self, route: Route) -> None:
        """Let the next one from here go another way, if there is one as short."""
        for transition in route[:-1]:
            if transition.target is not None:
                self.model.put_last(transition.source, transition.target)
                self.strategy.rewired(transition.source)

    def is_ask(self, transition: Transition) -> bool:
        """Tell whether a route ends with a question to another coordinator."""
        return transition.event == self._ask

    def plan(self, route: Route) -> Plan:
        """Return what a crawler executes to follow a route; the ASK at its end is left out."""
        states = self.model.states
        steps = [transition.step for transition in route]
        if self.is_ask(route[-1]):
            del steps[-1]
        if not steps or route[0].source != BLANK:
            return Plan(None, None, tuple(steps))
        target = route[0].target
        entry = self.model.entries[route[0].event]
        return Plan(entry, None if target is None else states[target], tuple(steps[1:]))

    def _to_first_open(self, route: Route) -> Route:
        """Return a route up to its first unexplored event, which may lead anywhere.

        Strategies go on from where they guess that it leads; here what comes after is for
        whoever keeps that state to say.
        """
        for number, transition in enumerate(route, 1):
            if not transition.times:
                if number == len(route) and transition.target is None:
                    break
                first = self.model.uncertain(transition.source, transition.event)
                return [*route[: number - 1], first]
        return route

    def _take_in(self, state: int) -> None:
        self.frontier.add_state(state)
        self.strategy.discovered(state)

    def _search(self, start: int, passed: set[int | None]) -> Route | None:
        """Return a shortest way to something open that is not passed by."""
        open_events = self.frontier.open

        def is_goal(state: int) -> bool:
            return bool(open_events[state]) and state not in passed

        found = nearest(self.model, start, is_goal, self._reset_cost)
        if found is None:
            return None
        goal, way = found
        return [*way, self.model.uncertain(goal, next(iter(open_events[goal])))]


def way_to(path: tuple[Step, ...]) -> Plan:
    """Return the plan that follows a stored path from a blank tab."""
    load, *steps = path
    return Plan(load.event.removeprefix("load "), load.expected, tuple(steps))
