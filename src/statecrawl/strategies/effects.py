"""Effects: learn what each event does to each part of the page, and go where news are.

Every open event is predicted to lead to a known state, to a new one, or nobody can tell
(`core.effects`). The strategy goes to the event with the largest chance of a new state for the
way there, over known transitions and over those predicted to lead to known states; walking
over these explores them. When nothing promises more than any open event does, the rest is
explored in the order of the shortest way (`Completion`).
"""

from collections import defaultdict
from collections.abc import Iterable
from statecrawl.core.effects import Effects as Learned
from statecrawl.core.effects import Outlook, Prediction
from statecrawl.core.model import BLANK, Transition
from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.chances import Chances, chance_of, level_of
from statecrawl.strategies.completion import Completion


DOUBTFUL = (Outlook.UNSEEN, Outlook.LIKELY, Outlook.GUESS)


class Effects:
    """Chooses the best chance of a new state for the cost of the way."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._model = knowledge.model
        self._open = knowledge.frontier.open
        self._learned = Learned()
        self._chances = Chances()
        self._completion = Completion(knowledge)
        self._holders: defaultdict[int, dict[int, None]] = defaultdict(dict)
        # For each state: where open events should lead, and those that may lead to new states.
        self._ahead: list[dict[int, int]] = []
        self._reach: list[set[int] | None] = []
        self._hopes: list[dict[int, Prediction]] = []
        # Who hopes for the same: by signature, or by event where that is fresh.
        self._wanted: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        self._levels: dict[tuple[int, Outlook], int] = {}
        self._best: list[int | None] = []
        self._at_level: defaultdict[int, set[int]] = defaultdict(set)
        self._stale: set[int] = set()
        self._pursued: dict[tuple[int, int], Prediction] = {}

    # What is heard

    def discovered(self, state: int) -> None:
        """Predict what each event of the state leads to."""
        for number in range(self._learned.event_count, len(self._model.events)):
            self._learned.meet(self._model.events[number].group)
        self._learned.discover(self._model.regions[state])
        self._ahead.append({})
        self._reach.append(None)
        self._hopes.append({})
        self._best.append(None)
        self._completion.discovered(state)
        self._fulfil(self._learned.signatures[state])
        for event in self._open[state]:
            self._holders[event][state] = None
            self._foresee(state, event)

    def explored(self, cursor: int, source: int, event: int, target: int, is_new: bool) -> None:
        """Learn, and predict anew what is seen otherwise now."""
        self._completion.explored(source, target)
        self._reach[source] = None
        prediction = self._pursued.pop((source, event), None)
        if prediction is not None:
            group = self._model.events[event].group
            self._chances.count(event, group, prediction.outlook, is_new=is_new)
            self._levels.clear()
        lesson = self._learned.learn(event, source, target)
        if lesson.group:
            for peer in self._learned.peers(event):
                self._foresee_anew(peer, self._holders[peer])
        elif lesson.event:
            self._foresee_anew(event, self._holders[event])
        elif lesson.values:
            self._foresee_anew(event, self._alike(event, lesson.values))
        for other in self._learned.undoing(event):
            if target in self._holders[other]:
                self._foresee_anew(other, (target,))

    def closed(self, state: int, event: int) -> None:
        """Take the event out; while somebody is on the way, nobody else hopes for the same."""
        self._holders[event].pop(state, None)
        prediction = self._forget(state, event)
        if prediction is None:
            prediction = self._learned.predict(event, state)
        self._pursued[state, event] = prediction

    def reopened(self, state: int, event: int) -> None:
        """Take the event in again."""
        for number in range(self._learned.event_count, len(self._model.events)):
            self._learned.meet(self._model.events[number].group)
        self._pursued.pop((state, event), None)
        self._holders[event][state] = None
        self._foresee(state, event)
        self._completion.reopened(state)

    def distrusted(self, state: int) -> None:
        """Let ways through the state be found anew."""
        self._completion.distrusted(state)
        self._reach[state] = None

    # What is foreseen

    def _alike(self, event: int, values: Iterable[int]) -> list[int]:
        """Return the states where the event is open that show one of these values."""
        holders, showing = self._holders[event], self._learned.showing
        found: set[int] = set()
        for value in values:
            if value < 0 or len(showing[value]) > len(holders):
                return list(holders)
            found.update(showing[value])
        return [state for state in holders if state in found]

    def _foresee_anew(self, event: int, states: Iterable[int]) -> None:
        for state in states:
            self._forget(state, event)
            self._foresee(state, event)

    def _foresee(self, state: int, event: int) -> None:
        prediction = self._learned.predict(event, state)
        if prediction.outlook is Outlook.KNOWN:
            self._expect(state, event, prediction.state)
            return
        self._hopes[state][event] = prediction
        self._stale.add(state)
        if prediction.outlook is Outlook.FRESH:
            self._learned.await_fresh(prediction, 1)
        wish = _wish(event, prediction)
        if wish is not None:
            wanted = self._wanted[wish]
            if not wanted and wish >= 0:
                self._learned.anticipate(event, state, wish)
            wanted.add((state, event))

    def _forget(self, state: int, event: int) -> Prediction | None:
        target = self._ahead[state].pop(event, None)
        if target is not None:
            self._reach[state] = None
            self._completion.foreseen(target, -1)
        prediction = self._hopes[state].pop(event, None)
        if prediction is not None:
            self._stale.add(state)
            if prediction.outlook is Outlook.FRESH:
                self._learned.await_fresh(prediction, -1)
            wish = _wish(event, prediction)
            if wish is not None:
                wanted = self._wanted[wish]
                wanted.discard((state, event))
                if not wanted and wish >= 0:
                    self._learned.dismiss(wish)
        return prediction

    def _fulfil(self, signature: int) -> None:
        """Notice that a page with this signature is a state now."""
        wanted = self._wanted.pop(signature, None)
        if not wanted:
            return
        self._learned.dismiss(signature)
        for state, event in sorted(wanted):
            self._hopes[state].pop(event, None)
            self._stale.add(state)
            self._expect(state, event, self._learned.state_with[signature])

    def _expect(self, state: int, event: int, target: int) -> None:
        """Take it that an open event leads to a known state."""
        self._ahead[state][event] = target
        self._reach[state] = None
        self._completion.foreseen(target, 1)

    # What is chosen

    def route(self, cursor: int, state: int) -> Route | None:
        """Go to the best chance for the cost of the way; when there is none, complete."""
        floor = self._chances.overall(Outlook.KNOWN)
        while True:
            self._refresh()
            layers, goal = self._search(state, floor)
            if goal is None or not self._reconsider(goal):
                break
        if goal is None:
            return self._completion.route(state, self._ahead)
        event = self._choose(goal)
        return [*self._way(layers, goal), self._model.uncertain(goal, event)]

    def _reconsider(self, state: int) -> bool:
        """Predict anew what hangs on which states fit; more may do so by now."""
        hopes = self._hopes[state]
        doubtful = [e for e, p in hopes.items() if p.outlook in DOUBTFUL]
        changed = [e for e in doubtful if self._learned.predict(e, state) != hopes[e]]
        for event in changed:
            self._forget(state, event)
            self._foresee(state, event)
        return bool(changed)

    def _choose(self, state: int) -> int:
        """Return the event with the best chance; of equals the one that fewest others stand for."""
        hopes = self._hopes[state]

        def order(event: int) -> tuple[int, int]:
            prediction = hopes[event]
            wish = _wish(event, prediction)
            if wish is not None:
                rivals = len(self._wanted[wish])
            else:
                rivals = 1 if prediction.outlook is Outlook.UNSEEN else len(self._hopes)
            return self._level(event, prediction.outlook), rivals

        return min(hopes, key=order)

    def _refresh(self) -> None:
        for state in self._stale:
            best = min(
                (self._level(e, p.outlook) for e, p in self._hopes[state].items()), default=None
            )
            before = self._best[state]
            if best != before:
                if before is not None:
                    self._at_level[before].discard(state)
                if best is not None:
                    self._at_level[best].add(state)
                self._best[state] = best
        self._stale.clear()

    def _level(self, event: int, outlook: Outlook) -> int:
        level = self._levels.get((event, outlook))
        if level is None:
            group = self._model.events[event].group
            level = level_of(self._chances.of(event, group, outlook))
            self._levels[event, outlook] = level
        return level

    def _search(self, state: int, floor: float) -> tuple[list[set[int]], int | None]:
        """Look around, step by step, until no farther chance could be better."""
        at_level = self._at_level
        levels = sorted(n for n, states in at_level.items() if states and chance_of(n) > floor)
        layers: list[set[int]] = []
        best, goal, found = 0.0, None, 0
        layer = {state}
        seen = {state}
        reset_at = max(0, round(self._knowledge.reset_cost - 1))
        while levels:
            if len(layers) == reset_at and BLANK not in seen:
                layer.add(BLANK)
                seen.add(BLANK)
            layers.append(layer)
            for level in levels:
                value = chance_of(level) / len(layers)
                if value <= best:
                    break
                here = at_level[level] & layer
                if here:
                    best, goal, found = value, min(here), len(layers)
                    break
            if chance_of(levels[0]) / (len(layers) + 1) <= best:
                break
            layer = set().union(*map(self._neighbours, layer)) - seen
            if not layer and len(layers) > reset_at:
                break
            seen |= layer
        return layers[:found], goal

    def _neighbours(self, state: int) -> set[int]:
        """Return the states that one event should lead to."""
        reach = self._reach[state]
        if reach is None:
            reach = {*self._model.successors[state], *self._ahead[state].values()}
            self._reach[state] = reach
        return reach

    def _way(self, layers: list[set[int]], goal: int) -> list[Transition]:
        """Return the way that the search went, over unexplored transitions where it can."""
        way: list[Transition] = []
        for layer in reversed(layers[:-1]):
            for state in sorted(layer):
                event = next((e for e, t in self._ahead[state].items() if t == goal), None)
                if event is not None:
                    way.append(self._model.uncertain(state, event, goal))
                    break
            else:
                state = min(s for s in layer if goal in self._model.successors[s])
                way.append(self._model.successors[state][goal])
            goal = state
            if goal == BLANK:
                break
        return way[::-1]


def _wish(event: int, prediction: Prediction) -> int | None:
    if prediction.outlook is Outlook.NEW:
        return prediction.signature
    if prediction.outlook is Outlook.FRESH:
        return -1 - event
    return None
