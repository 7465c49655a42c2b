"""Adaptive: follow the metamodel that fits (section 8.1, the metacrawler).

Several strategies hear what is learned. Before each event that is explored, each says what it
anticipates; how well they did lately decides whose routes are taken. `effects` leads unless
another one is clearly better, as `hypercube` is where nothing is known of regions. When nobody
was better for a while the others are sent home: listening costs time.
"""

from statecrawl.core.strategy import Knowledge, Route, Strategy
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.menu import Menu
from statecrawl.strategies.metamodel import Metamodel

MEMORY = 10
"""How many explorations a score looks back on, about."""

MARGIN = 0.1
"""How much better somebody else has to be to be followed."""

PATIENCE = 0.5
"""Likewise, as long as there are regions: what events do to them takes a while to learn."""

TRIAL = 200
"""After how many explorations, again and again, others are sent home if nobody follows them."""


class Adaptive:
    """Follows the strategy that anticipates best."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._model = knowledge.model
        self._effects = Effects(knowledge)
        self._others: dict[str, Metamodel] = {
            "hypercube": Hypercube(knowledge),
            "menu": Menu(knowledge),
        }
        self._scores = dict.fromkeys(("effects", *self._others), 0.5)
        self._explored = 0
        self.follows = "effects"

    def discovered(self, state: int) -> None:
        """Tell everybody."""
        for strategy in self._everybody():
            strategy.discovered(state)

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Score what everybody anticipated, tell them, and follow the best."""
        self._score("effects", self._effects.credit(source, event, target, is_new=is_new))
        for name, strategy in self._others.items():
            self._score(name, strategy.credit(source, event, target, is_new=is_new))
        for strategy in self._everybody():
            strategy.explored(cursor, source, event, target, is_new)
        self._explored += 1
        self._elect()

    def closed(self, state: int, event: int) -> None:
        """Tell everybody."""
        for strategy in self._everybody():
            strategy.closed(state, event)

    def reopened(self, state: int, event: int) -> None:
        """Tell everybody."""
        for strategy in self._everybody():
            strategy.reopened(state, event)

    def distrusted(self, state: int) -> None:
        """Tell everybody."""
        for strategy in self._everybody():
            strategy.distrusted(state)

    def route(self, cursor: int, state: int) -> Route | None:
        """Return the route of the strategy that is followed."""
        return self._leader.route(cursor, state)

    def why(self, cursor: int) -> str:
        """Say who is followed, and its reason."""
        return f"{self.follows}: {self._leader.why(cursor)}"

    @property
    def _leader(self) -> Effects | Metamodel:
        return self._others.get(self.follows, self._effects)

    def _everybody(self) -> list[Strategy]:
        return [self._effects, *self._others.values()]

    def _score(self, name: str, credit: float) -> None:
        self._scores[name] += (credit - self._scores[name]) / MEMORY

    def _elect(self) -> None:
        """Choose whom to follow; from time to time send those home that are far behind."""
        scores = self._scores
        best = max(scores, key=scores.__getitem__)
        has_regions = any(self._model.regions[-1:])
        if scores[best] > scores[self.follows] + (PATIENCE if has_regions else MARGIN):
            self.follows = best
        if self._explored % TRIAL == 0 and self.follows == "effects":
            for name in self._others:
                del scores[name]
            self._others.clear()
