"""Effects: learn what each event does to each part of the page, and go where news are.

Every open event is predicted to lead to a known state, to a new one, or nobody can tell
(`core.effects`). The strategy goes to the event with the largest chance of a new state for the
way there, over known transitions and over those predicted to lead to known states; walking
over these explores them. Of events with equal chances it fires one that teaches what it does
elsewhere, too, and then the one whose page the fewest others promise. When nothing promises more
for its way than any open event does, what is foreseen of each event is put to the test where that
was not done yet: one that is seen wrongly may hide half of the states. Then the rest is explored
with as few repetitions as possible (`Completion`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from statecrawl.core.effects import Outlook, Prediction
from statecrawl.core.model import BLANK, Transition
from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.chances import Chances, chance_of, level_of
from statecrawl.strategies.completion import Completion
from statecrawl.strategies.foresight import Foresight
from statecrawl.strategies.reasons import NOTHING_NEW, Choice, reason
from statecrawl.strategies.surroundings import Surroundings

LEAST = 0.005
"""A smaller chance is no reason to go out of the way."""

RUN = 8
"""After so many new states in a row an event waits for others that were never fired."""


class Effects:
    """Chooses the best chance of a new state for the cost of the way."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._model = knowledge.model
        self._foresight = Foresight(knowledge)
        self._completion = Completion(knowledge, self._foresight)
        self._chances = Chances()
        self._reset_steps = max(0, round(knowledge.reset_cost - 1))
        # The best level of any hope in each state that has one, and the states of each level.
        self._best: dict[int, int] = {}
        self._at_level: defaultdict[int, set[int]] = defaultdict(set)
        self._levels: dict[Outlook, dict[int, int]] = {outlook: {} for outlook in Outlook}
        self._chosen: dict[int, Choice | None] = {}
        # The last event of each cursor, and how many new states it found one after the other.
        self._runs: dict[int, tuple[int, int]] = {}
        self._is_tested = False  # nothing to test, as long as predictions stay as they are

    def discovered(self, state: int) -> None:
        """Predict what each event of the state leads to."""
        self._foresight.discovered(state)
        self._completion.discovered(state)
        self._is_tested = False

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Learn what the event does, and how far its predictions can be trusted."""
        if is_new or not self._foresight.learned.times(event):
            last, run = self._runs.get(cursor, (event, 0))
            self._runs[cursor] = event, run + 1 if event == last else int(is_new)
        prediction = self._foresight.explored(source, event, target)
        self._completion.explored(source, target)
        if prediction is not None:
            self._count(event, prediction.outlook, is_new=is_new)
            if prediction.outlook is Outlook.KNOWN:
                self._foresight.trust(event)

    def closed(self, state: int, event: int) -> None:
        """Take the event out."""
        self._foresight.closed(state, event)
        self._completion.eased(state)

    def reopened(self, state: int, event: int) -> None:
        """Take the event in again."""
        self._foresight.reopened(state, event)
        self._is_tested = False
        self._completion.eased(state)

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._foresight.rewired(state)
        self._completion.rewired(state)

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the best chance for the cost of the way; when there is none, complete."""
        self._chosen[cursor] = None
        floor = max(LEAST, self._chances.overall(Outlook.KNOWN))
        usual = self._chances.of_exceptions()
        around = self._around(state)
        while True:
            self._refresh()
            goal, away = self._search(around, self._at_level, floor, usual)
            if goal is None:
                if self._foresight.recollect():
                    self._is_tested = False
                    around = self._around(state)
                    continue
                return self._test(cursor, state) or self._completion.route(state)
            neighbours = self._foresight.neighbours(goal)
            if self._foresight.reconsider(goal):
                if self._foresight.neighbours(goal) != neighbours:
                    around = self._around(state)
            elif not self._is_overrated(goal):
                break
        hopes = self._foresight.hopeful(goal)
        if self._runs.get(cursor, (0, 0))[1] >= RUN:
            hopes = self._unfamiliar(hopes) or hopes
        event, prediction = min(hopes, key=lambda hope: self._order(*hope))
        self._chosen[cursor] = Choice(goal, event, prediction.outlook)
        return [*self._way(around, goal, away), self._model.uncertain(goal, event)]

    def _test(self, cursor: int, state: int) -> Route | None:
        """Go to the nearest event that should lead to a known state, and was never seen to."""
        if self._is_tested:
            return None
        foresight, events = self._foresight, self._model.events
        safe = [e for e in foresight.untested if self._chances.is_safe(events[e].group)]
        for event in safe:
            foresight.trust(event)
        places = set().union(*foresight.untested.values())
        around = self._around(state)
        goal, away = self._search(around, {0: places}, 0.0, 0.0)
        if goal is None:
            self._is_tested = True
            return None
        event = min(e for e, states in foresight.untested.items() if goal in states)
        self._chosen[cursor] = Choice(goal, event, Outlook.KNOWN)
        return [*self._way(around, goal, away), self._model.uncertain(goal, event)]

    def why(self, cursor: int) -> str:
        """Say what the event that was chosen last should lead to."""
        choice = self._chosen.get(cursor)
        if choice is None:
            return NOTHING_NEW
        state, event, outlook = choice
        chance = self._chances.of(event, self._model.events[event].group, outlook)
        return reason(outlook, chance, self._foresight.learned.expected(event, state))

    def credit(self, source: int, event: int, target: int, *, is_new: bool) -> float:
        """Say how well an exploration was predicted: 1 is right, 0 is wrong."""
        prediction = self._foresight.prediction(source, event)
        if prediction.outlook is Outlook.KNOWN:
            return float(prediction.state == target)
        chance = chance_of(self._level(event, prediction.outlook))
        return float((chance > 0.5) == is_new)

    def _unfamiliar(self, hopes: Iterable[tuple[int, Prediction]]) -> list[tuple[int, Prediction]]:
        """Return the hopes for events never fired, of the kind that has the fewest of them here."""
        kinds: defaultdict[object, list[tuple[int, Prediction]]] = defaultdict(list)
        for event, prediction in hopes:
            if not self._foresight.learned.times(event):
                kinds[self._model.events[event].group].append((event, prediction))
        return min(kinds.values(), key=len, default=[])

    def _order(self, event: int, prediction: Prediction) -> tuple[int, bool, int]:
        """Put the best chance first, and of equals what teaches most.

        Then the one that the fewest others stand for.
        """
        level = self._level(event, prediction.outlook)
        is_taught = not self._foresight.learned.would_teach(event)
        return level, is_taught, self._foresight.rivals(prediction)

    def _count(self, event: int, outlook: Outlook, *, is_new: bool) -> None:
        """Count what a prediction came to; states where the event is open may be worth more."""
        before = self._level(event, outlook)
        self._chances.count(event, self._model.events[event].group, outlook, is_new=is_new)
        self._levels[outlook].clear()
        if outlook is Outlook.UNCLEAR:
            self._levels[Outlook.GUESS].clear()  # which hang on how often that came to something
        if self._level(event, outlook) < before:
            hopes = self._foresight.hopes
            holders = self._foresight.holders(event)
            self._foresight.stale.update(state for state in holders if event in hopes[state])

    def _level(self, event: int, outlook: Outlook) -> int:
        levels = self._levels[outlook]
        level = levels.get(event)
        if level is None:
            group = self._model.events[event].group
            level = levels[event] = level_of(self._chances.of(event, group, outlook))
        return level

    def _refresh(self) -> None:
        """Look at states anew whose hopes have changed."""
        if self._foresight.stale:
            self._is_tested = False
        for state in self._foresight.stale:
            self._rate(state)
        self._foresight.stale.clear()

    def _rate(self, state: int) -> None:
        levels = self._levels
        best: int | None = None
        for event, prediction in self._foresight.hopeful(state):
            level = levels[prediction.outlook].get(event)
            if level is None:
                level = self._level(event, prediction.outlook)
            if best is None or level < best:
                best = level
        before = self._best.pop(state, None)
        if best is not None:
            self._best[state] = best
        if best != before:
            if before is not None:
                self._at_level[before].discard(state)
            if best is not None:
                self._at_level[best].add(state)

    def _is_overrated(self, state: int) -> bool:
        """Rate a state anew, and tell whether that changed anything."""
        before = self._best.get(state)
        self._rate(state)
        return self._best.get(state) != before

    def _search(
        self, around: Surroundings, at_level: Mapping[int, set[int]], floor: float, best: float
    ) -> tuple[int | None, int]:
        """Look around, step by step, until no farther chance could be better.

        Chances have to be above a floor, and for the cost of the way better than something else.
        Returns the goal, and how many events away it is.
        """
        levels = sorted(n for n, states in at_level.items() if states and chance_of(n) > floor)
        goal, away = None, 0
        distance = 0
        while levels:
            if distance == len(around.layers) - 1:
                around.reset([at_level[level] for level in levels])
            for level in levels:
                value = chance_of(level) / (distance + 1)
                if value <= best:
                    break
                here = at_level[level] & around.layers[distance]
                if here:
                    best, goal, away = value, min(here), distance
                    break
            distance += 1
            if distance == len(around.layers):
                better = (n for n in levels if chance_of(n) / (distance + 1) > best)
                if around.has_seen([at_level[level] for level in better]) or not around.widen():
                    break
        return goal, away

    def _around(self, state: int) -> Surroundings:
        return Surroundings(state, self._foresight.neighbours, self._reset_steps)

    def _way(self, around: Surroundings, goal: int, away: int) -> list[Transition]:
        """Return the way that the search went, over unexplored transitions where it can."""
        way: list[Transition] = []
        for layer in reversed(around.layers[:away]):
            if goal == BLANK:
                break
            near = sorted(state for state in layer if goal in self._foresight.neighbours(state))
            event = None
            for state in near:
                event = self._foresight.via(state, goal)
                if event is not None:
                    break
            if event is None:
                state = near[0]
                way.append(self._model.edge(state, goal))
            else:
                way.append(self._model.uncertain(state, event, goal))
            goal = state
        return way[::-1]
