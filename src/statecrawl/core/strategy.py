"""What a strategy is: told what was learned, asked where to go next."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Protocol, runtime_checkable

from statecrawl.core.field import Field
from statecrawl.core.frontier import Frontier
from statecrawl.core.model import Model, Transition

Route = list[Transition]
"""Transitions to take one after the other. A route that starts in BLANK begins with a reset."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What every strategy sees: the model so far, what is open, the cost of a reset.

    `question` is the event that stands for asking somebody else what is open in a state.
    """

    model: Model
    frontier: Frontier
    reset_cost: float
    question: int | None = None

    def toll(self, state: int) -> float:
        """Return what it costs to stop at a state: nothing; where one has to ask, a little.

        So among equals those come first that need no question. Infinity: nothing is open.
        """
        open_events = self.frontier.open[state]
        if not open_events:
            return inf
        return 0.5 if self.question in open_events else 0.0

    def field(self, toll: Callable[[int], float]) -> Field:
        """Return a field over the reliable transitions of the model."""
        return Field(
            toll,
            self.model.successors.__getitem__,
            self.model.predecessors.__getitem__,
            self.reset_cost,
        )

    def along(self, way: list[int]) -> Route:
        """Return the reliable transitions along the states of a way."""
        return list(map(self.model.edge, way, way[1:]))

    def route(self, way: list[int], event: int) -> Route:
        """Return the route along a way that ends by exploring an open event of its last state."""
        route = self.along(way) if len(way) > 1 else []
        route.append(self.model.uncertain(way[-1], event))
        return route


class Strategy(Protocol):
    """Decides what to explore next. Pure: the same observations give the same routes.

    It sees the model through the `Knowledge` it was made with, and hears what changed there.
    Facts may come late, twice or not at all: on many machines knowledge is partial.
    """

    def discovered(self, state: int) -> None:
        """Hear of a new state, with all its events open; BLANK is the first."""
        ...

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Hear where an event led when it was first fired; is_new: to a state unseen before."""
        ...

    def closed(self, state: int, event: int) -> None:
        """Hear that an event is open no more: explored, claimed for a cursor, or refused."""
        ...

    def reopened(self, state: int, event: int) -> None:
        """Hear that an event is open again, because its cursor did not get to it.

        Or open only now: an entry that was found, a link that was held back.
        """
        ...

    def rewired(self, state: int) -> None:
        """Hear that reliable edges of this state have come or gone, beside what is explored.

        One has led elsewhere, or others have told of some.
        """
        ...

    def route(self, cursor: int, state: int) -> Route | None:
        """Return a route for a cursor in this state that ends by exploring an open event.

        None: there is nothing open that could be reached over reliable transitions.
        """
        ...


@runtime_checkable
class Explaining(Protocol):
    """A strategy that can give its reasons."""

    def why(self, cursor: int) -> str:
        """Say in a few words why this cursor was given the route that it was given last."""
        ...


StrategyFactory = Callable[[Knowledge], Strategy]
