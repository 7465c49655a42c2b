"""Adaptive: follow the metamodel that fits (section 8.1, the metacrawler).

Several strategies hear what is learned. Before each event that is explored, each says what it
anticipates; how well they did lately decides whose routes are taken. `effects` leads unless
another one is clearly better; where nothing is known of regions, `hypercube` leads until it
proves wrong, which it does at once where it does not fit. When nobody
was better for a while the others are sent home: listening costs time.
"""

from typing import Protocol

from statecrawl.core.model import BLANK
from statecrawl.core.strategy import Explaining, Knowledge, Route, Strategy
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.menu import Menu

MEMORY = 10
"""How many explorations a score looks back on, about."""

MARGIN = 0.1
"""How much better somebody else has to be to be followed."""

PATIENCE = 0.5
"""Likewise, as long as there are regions: what events do to them takes a while to learn."""

TRIAL = 200
"""After how many explorations, again and again, others are sent home if nobody follows them."""


class Candidate(Strategy, Explaining, Protocol):
    """A strategy that anticipates what events do, and can say why."""

    def credit(self, source: int, event: int, target: int, *, is_new: bool) -> float:
        """Say how well it anticipated an exploration that it has not heard of yet, from 0 to 1."""
        ...


class Adaptive:
    """Follows the strategy that anticipates best."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._regions = knowledge.model.regions
        self._candidates: dict[str, Candidate] = {
            "effects": Effects(knowledge),
            "hypercube": Hypercube(knowledge),
            "menu": Menu(knowledge),
        }
        self._scores = dict.fromkeys(self._candidates, 0.5)
        self._explored = 0
        self.follows = "effects"

    def discovered(self, state: int) -> None:
        """Tell everybody; without regions `effects` has to learn first that it is needed."""
        for candidate in self._candidates.values():
            candidate.discovered(state)
        if state == BLANK + 1 and not self._regions[state]:
            self.follows = "hypercube"

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Score what everybody anticipated, tell them, and follow the best."""
        for name, candidate in self._candidates.items():
            credit = candidate.credit(source, event, target, is_new=is_new)
            self._scores[name] += (credit - self._scores[name]) / MEMORY
            candidate.explored(cursor, source, event, target, is_new)
        self._explored += 1
        if len(self._candidates) > 1:
            self._elect()

    def closed(self, state: int, event: int) -> None:
        """Tell everybody."""
        for candidate in self._candidates.values():
            candidate.closed(state, event)

    def reopened(self, state: int, event: int) -> None:
        """Tell everybody."""
        for candidate in self._candidates.values():
            candidate.reopened(state, event)

    def rewired(self, state: int) -> None:
        """Tell everybody."""
        for candidate in self._candidates.values():
            candidate.rewired(state)

    def route(self, cursor: int, state: int) -> Route | None:
        """Return the route of the strategy that is followed."""
        return self._candidates[self.follows].route(cursor, state)

    def why(self, cursor: int) -> str:
        """Say who is followed, and its reason."""
        return f"{self.follows}: {self._candidates[self.follows].why(cursor)}"

    def _elect(self) -> None:
        """Choose whom to follow; from time to time send the others home."""
        scores = self._scores
        best = max(scores, key=scores.__getitem__)
        margin = PATIENCE if self._regions[len(self._regions) - 1] else MARGIN
        if scores[best] > scores[self.follows] + margin:
            self.follows = best
        if self._explored % TRIAL == 0 and self.follows == "effects":
            self._candidates = {"effects": self._candidates["effects"]}
            self._scores = {"effects": scores["effects"]}
