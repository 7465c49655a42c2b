"""Hypercube: events are independent and each fires once (sections 5 and 6).

The metamodel assumes that executing a set of events leads to the same state in any order
(A1), and that an event disables itself and nothing else (A2): the application is a hypercube
over the events of its first state. A state that violates this is the bottom of a hypercube of
its own. Of the anticipated hypercubes only this is stored: in which one each known state is,
and which of its events were executed to get there.
"""

from math import inf

from statecrawl.core.model import BLANK, Transition
from statecrawl.core.paths import Toward
from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.chains import is_starter, starters_above, successor
from statecrawl.strategies.metamodel import Anticipated, Metamodel

EPSILON = 2.0**-20
"""Less than any distance however many events it is multiplied by: it breaks ties."""


class Hypercube(Metamodel):
    """State phase: one chain of the minimum decomposition after the other. Then the rest.

    Both phases lengthen a chain as far as unexplored transitions lead and then go back to
    the bottom, which is what makes the strategy optimal on hypercubes. Where an application
    is no hypercube every state is a bottom, and the strategy is greedy.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge)
        self._enabled = knowledge.model.enabled
        self._open = knowledge.frontier.open
        # Where each state stands: the bottom of its hypercube, the events executed from there.
        self._bottom: list[int] = []
        self._bits: list[int] = []
        self._standing: dict[tuple[int, int], int] = {}
        self._position: dict[int, dict[int, int]] = {}
        # The events that begin chains still to be tried: at the state itself, or above it.
        self._starts_here: list[int | None] = []
        self._starts_above: list[list[int]] = []
        self._tried: set[tuple[int, int]] = set()
        self._on_chain: set[int] = set()
        self._chain_field = knowledge.field(self._chain_toll)
        self._open_field = knowledge.field(self._open_toll)

    def anticipate(self, source: int, event: int) -> Anticipated | None:
        """Anticipate the state one event up the hypercube, with all events but this one."""
        if source == BLANK or not self._has_place(source, event):
            return None
        state = self._standing.get(self._above(source, event))
        return Anticipated(state, self.events_of(source) - {event})

    def learn(
        self, cursor: int, source: int, event: int, target: int, *, is_new: bool, violated: bool
    ) -> None:
        """Give a new state its place; a violation ends the chain (sections 6.3, 5.2)."""
        self._chain_field.add_edge(source, target)
        self._open_field.add_edge(source, target)
        if is_new and (violated or source == BLANK):
            self._start_chain(cursor, target)
        elif violated or source == BLANK:
            self._on_chain.discard(cursor)
        elif is_new and target in self._position and self._has_place(source, event):
            del self._standing[target, 0], self._position[target]
            self._place(target, *self._above(source, event))
            self._chain_field.ease(target)

    def explore_states(self, cursor: int, state: int) -> Route | None:
        """Follow the chain and lengthen it; at its end try the closest chain not yet tried."""
        if cursor in self._on_chain:
            event = self._next_on_chain(state)
            if event is not None:
                return self._knowledge.route([state], event)
            self._on_chain.discard(cursor)
        way = self._chain_field.way(state)
        if way is None:
            return None
        goal = way[-1]
        first = self._starts_here[goal]
        if first is not None:
            self._start_chain(cursor, goal)
            return self._knowledge.route(way, first)
        event = self._starts_above[goal].pop()
        self._tried.add(self._above(goal, event))
        self._on_chain.add(cursor)
        return [*self._climb(state, way), self._knowledge.model.uncertain(goal, event)]

    def explore_transitions(self, cursor: int, state: int) -> Route | None:
        """Explore on from the current state; when nothing is open, from the bottom again."""
        del cursor
        bottom = state if self._open[state] else self._bottom[state]
        way = self._open_field.way(bottom)
        if way is None:
            return None
        if bottom != state and way[0] == bottom:
            down = Toward(self._knowledge.model, bottom, self._knowledge.reset_cost).way(state)
            if down is None:
                return None
            way = down + way[1:]
        return self._knowledge.route(way, next(iter(self._open[way[-1]])))

    def discovered(self, state: int) -> None:
        """Take a new state for the bottom of a hypercube of its own, until it proves not to be."""
        for standing in (self._bottom, self._bits):
            standing.append(0)
        self._starts_here.append(None)
        self._starts_above.append([])
        self._position[state] = {event: i for i, event in enumerate(self._enabled[state])}
        self._place(state, state, 0)
        if state != BLANK:
            self._starts_here[state] = None  # its discoverer is there, and starts it at once
        self._chain_field.add_state(state)
        self._open_field.add_state(state)

    def closed(self, state: int, event: int) -> None:
        """Do nothing: labels rise when somebody passes by."""

    def reopened(self, state: int, event: int) -> None:
        """Leave the event, once tried, to the transition phase."""
        del event
        self._open_field.ease(state)

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._chain_field.rewire(state)
        self._open_field.rewire(state)

    def _place(self, state: int, bottom: int, bits: int) -> None:
        events = self._enabled[bottom]
        dimension = len(events)
        self._bottom[state] = bottom
        self._bits[state] = bits
        self._standing[bottom, bits] = state
        starts = is_starter(dimension, bits)
        self._starts_here[state] = self._chain_event(state) if starts else None
        self._starts_above[state] = [events[i] for i in reversed(starters_above(dimension, bits))]

    def _start_chain(self, cursor: int, state: int) -> None:
        self._starts_here[state] = None
        self._tried.add((self._bottom[state], self._bits[state]))
        self._on_chain.add(cursor)

    def _has_place(self, state: int, event: int) -> bool:
        """Tell whether a state's events were known when it was: with partial knowledge not all."""
        return event in self._position.get(self._bottom[state], ())

    def _above(self, state: int, event: int) -> tuple[int, int]:
        """Return the place one event above a state: the hypercube's bottom, the bits."""
        bottom = self._bottom[state]
        return bottom, self._bits[state] | 1 << self._position[bottom][event]

    def _chain_event(self, state: int) -> int | None:
        """Return the event that leads to the state's successor in its chain."""
        events = self._enabled[self._bottom[state]]
        i = successor(len(events), self._bits[state])
        return None if i is None else events[i]

    def _next_on_chain(self, state: int) -> int | None:
        """Return the event that goes on with the chain; past its end, any open one."""
        event = self._chain_event(state)
        return event if event in self._open[state] else next(iter(self._open[state]), None)

    def _chain_toll(self, state: int) -> float:
        """Say how far above a state a chain starts; a longer one is better (footnote 6)."""
        length = len(self._enabled[self._bottom[state]]) - 2 * self._bits[state].bit_count()
        first = self._starts_here[state]
        if first is not None:
            if first in self._open[state]:
                return -length * EPSILON
            self._starts_here[state] = None
        above = self._starts_above[state]
        while above and not self._is_untried(state, above[-1]):
            above.pop()
        return 1 - (length - 2) * EPSILON if above else inf

    def _is_untried(self, state: int, event: int) -> bool:
        place = self._above(state, event)
        return event in self._open[state] and not (place in self._tried or place in self._standing)

    def _open_toll(self, state: int) -> float:
        """Prefer, among equally near states, the one with more events (section 7.5.1)."""
        return -len(self._enabled[state]) * EPSILON if self._open[state] else inf

    def _climb(self, state: int, way: list[int]) -> Route:
        """Reach the end of the way over as many unexplored transitions as possible at its end.

        They are found backwards from there (section 6.1.2, Lemma 6.2), down the hypercube.
        """
        foot = way[-1]
        climb: Route = []
        while (below := self._unexplored_into(foot)) is not None:
            climb.append(below)
            foot = below.source
        if climb:
            model, reset_cost = self._knowledge.model, self._knowledge.reset_cost
            start = Toward(model, foot, reset_cost).way(state)
            if start is not None and self._cost(start) + len(climb) <= self._cost(way):
                return [*self._knowledge.along(start), *reversed(climb)]
        return self._knowledge.along(way)

    def _unexplored_into(self, state: int) -> Transition | None:
        """Return an unexplored transition that should lead into this state from a known one."""
        bottom, bits = self._bottom[state], self._bits[state]
        if not bits:
            return None
        for i, event in enumerate(self._enabled[bottom]):
            if bits >> i & 1:
                below = self._standing.get((bottom, bits ^ 1 << i))
                if below is not None and event in self._open[below]:
                    return self._knowledge.model.uncertain(below, event, state)
        return None

    def _cost(self, way: list[int]) -> float:
        steps = len(way) - 1
        return steps - 1 + self._knowledge.reset_cost if way[0] == BLANK else steps
