"""Probability: fire what has found new states before (section 5.5; Dincturk et al. 2012).

The metamodel gives each event e a probability of leading to a new state, from its history:
P(e) = (S(e) + 1) / (N(e) + 2), where N(e) counts the executions of e so far and S(e) those
that found a new state. P(s) is the largest P of the open events of state s.

A state s' at distance d' is preferred to a nearer s at distance d if and only if
P(s') > 1 - (1 - P(s)) (1 - Pavg)^(d' - d): instead of walking farther one could fire d' - d
average events on the way. Taking logarithms, with L = -log(1 - Pavg), that is
d' + log(1 - P(s')) / L < d + log(1 - P(s)) / L: the state of choice minimises distance plus
toll, where the toll of a state is log(1 - P(s)) / L.
"""

from collections import defaultdict
from math import exp, floor, inf, log

from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.metamodel import Anticipated, Metamodel

STEP = log(1.05)
"""Probabilities within 5 % of each other count as equal, so that one more execution of an
event does not reorder every state where it is open."""

GROWTH = 1.05
"""Pavg is taken anew whenever this many times more events were explored."""


class Probability(Metamodel):
    """Weighs the chance of a new state against the way there. It anticipates no targets."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge)
        self._open = knowledge.frontier.open
        self._holders: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self._found: list[int] = []
        self._fired: list[int] = []
        self._chance: list[float] = []
        self._best: list[float | None] = []
        self._explored = 0
        self._average_due = 0.0
        self._scale = log(2)
        self._field = knowledge.field(self._toll)

    def anticipate(self, source: int, event: int) -> Anticipated | None:
        """Anticipate nothing: any event may lead anywhere, only with different chances."""
        del source, event
        return None

    def learn(
        self, cursor: int, source: int, event: int, target: int, *, is_new: bool, violated: bool
    ) -> None:
        """Count the execution, and take the edge into the field."""
        del cursor, violated
        self._explored += 1
        self._fired[event] += 1
        self._found[event] += is_new
        self._field.add_edge(source, target)
        before = self._chance[event]
        chance = self._chance[event] = _rounded((self._found[event] + 1) / (self._fired[event] + 2))
        if chance > before:
            for state in self._holders[event]:
                best = self._best[state]
                if best is None or chance > best:
                    self._best[state] = None
                    self._field.ease(state)
        elif chance < before:
            for state in self._holders[event]:
                if self._best[state] == before:
                    self._best[state] = None

    def explore_states(self, cursor: int, state: int) -> Route | None:
        """Go to the state with the best balance of chance and distance."""
        del cursor
        if self._explored >= self._average_due:
            self._take_average()
        way = self._field.way(state)
        if way is None:
            return None
        event = max(self._open[way[-1]], key=self._chance.__getitem__)
        return self._knowledge.route(way, event)

    def explore_transitions(self, cursor: int, state: int) -> Route | None:
        """Go on likewise: as long as an event is open it may lead to a new state."""
        return self.explore_states(cursor, state)

    def discovered(self, state: int) -> None:
        """Give events never seen before an even chance."""
        self._meet_events()
        for event in self._open[state]:
            self._holders[event][state] = None
        self._best.append(None)
        self._field.add_state(state)

    def _meet_events(self) -> None:
        fresh = len(self._knowledge.model.events) - len(self._chance)
        self._found.extend([0] * fresh)
        self._fired.extend([0] * fresh)
        self._chance.extend([_rounded(1 / 2)] * fresh)

    def closed(self, state: int, event: int) -> None:
        """Forget the state's best chance if it was this event's."""
        del self._holders[event][state]
        if self._best[state] == self._chance[event]:
            self._best[state] = None

    def reopened(self, state: int, event: int) -> None:
        """Let the label of the state sink."""
        self._meet_events()
        self._holders[event][state] = None
        self._best[state] = None
        self._field.ease(state)

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._field.rewire(state)

    def _probability(self, state: int) -> float:
        """Return P(s), or 0 where nothing is open."""
        best = self._best[state]
        if best is None:
            chance = self._chance.__getitem__
            best = self._best[state] = max(map(chance, self._open[state]), default=0.0)
        return best

    def _toll(self, state: int) -> float:
        probability = self._probability(state)
        return log(1 - probability) / self._scale if probability else inf

    def _take_average(self) -> None:
        """Take Pavg over all states with open events.

        A smaller average makes every state cheaper: then all labels have to be computed anew.
        """
        self._average_due = self._explored * GROWTH
        chances = [self._probability(state) for state in range(len(self._best))]
        chances = [chance for chance in chances if chance]
        if not chances:
            return
        scale = -log(1 - sum(chances) / len(chances))
        if not 0.9 < scale / self._scale < 1.1:
            self._scale = scale
            self._field.rebuild()


def _rounded(probability: float) -> float:
    return exp(floor(log(probability) / STEP) * STEP)
