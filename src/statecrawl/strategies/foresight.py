"""Foresight: what every open event should lead to, kept up to date while a crawl learns."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf
from typing import Any

from statecrawl.core.effects import Effects, Outlook, Prediction
from statecrawl.core.strategy import Knowledge

DOUBTFUL = (Outlook.UNSEEN, Outlook.LIKELY, Outlook.GUESS)
"""What hangs on which states are known."""

CAPACITY = 200_000
"""Of so many open events it is kept in mind what they should lead to."""

REACHES = 10_000
"""Of so many states it is kept where they lead."""

_NOTHING: dict[int, Any] = {}
"""What is foreseen in states that are out of mind: nothing is ever put in."""

WAKING = 100
"""So many states that are out of mind are thought of again at a time."""


class _InMind(dict[int, dict[int, Any]]):
    """What is foreseen in each state that is in mind."""

    def __missing__(self, state: int) -> dict[int, Any]:
        del state
        return _NOTHING


class Foresight:
    """Predictions for all open events.

    `ahead[s]` are the open events of state s that should lead to known states, and where;
    `hopes[s]` are those that may lead to new ones, and why. `stale` are the states whose hopes
    have changed since somebody looked, `inflow[s]` is how many open events should lead to s, and
    `freed` are states that had more of these before somebody looked. `untested` are the events
    that should lead to known states and were never seen to, and from where they should. What a
    cursor is after, no other should hope for: while it is under way, others that promise the same
    page are no hopes.

    An application without end has more open events than anybody can keep in mind: then the states
    that were found first are out of mind, until there is nothing left to hope for.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.learned = Effects(knowledge.model.shelf)
        self.ahead: dict[int, dict[int, int]] = _InMind()
        self.hopes: dict[int, dict[int, Prediction]] = _InMind()
        self.inflow: Counter[int] = Counter()
        self.freed: list[int] = []
        self.stale: set[int] = set()
        self.untested: dict[int, set[int]] = {}
        self._tested: set[int] = set()
        self._model = knowledge.model
        self._open = knowledge.frontier.open
        self._reach: dict[int, set[int]] = {}
        self._capacity: float = CAPACITY
        self._kept = 0
        self._in_mind: dict[int, None] = {}
        self._out_of_mind = array("i")
        self._holders: defaultdict[int, dict[int, None]] = defaultdict(dict)
        # Who hopes for the same: by signature, or by event where that is fresh.
        self._wanted: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        self._pursued: dict[tuple[int, int], Prediction] = {}
        self._claimed: Counter[int] = Counter()

    def discovered(self, state: int) -> None:
        """Predict what each event of a new state leads to; some pages foreseen are this one."""
        self._meet_events()
        self.learned.pages.discover(self._model.regions[state])
        self._fulfil(state)
        self._think_of(state)
        while self._kept > self._capacity and len(self._in_mind) > 1:
            self._put_out_of_mind(next(iter(self._in_mind)))

    def recollect(self) -> bool:
        """Think again of states that are out of mind; tell whether there were any.

        Once there is nothing else to hope for, all of them are needed.
        """
        if not self._out_of_mind:
            return False
        for _ in range(min(WAKING, len(self._out_of_mind))):
            state = self._out_of_mind.pop()
            self._think_of(state)
        if not self._out_of_mind:
            self._capacity = inf
        return True

    def _think_of(self, state: int) -> None:
        """Predict what each open event of a state leads to."""
        self._in_mind[state] = None
        self.ahead[state], self.hopes[state] = {}, {}
        for event in self._open[state]:
            self._take_in(state, event)

    def _put_out_of_mind(self, state: int) -> None:
        """Forget what the open events of a state should lead to."""
        del self._in_mind[state]
        self._out_of_mind.append(state)
        for event in self._open[state]:
            self._let_go(state, event)
        del self.ahead[state], self.hopes[state]

    def _take_in(self, state: int, event: int) -> None:
        self._kept += 1
        self._holders[event][state] = None
        self._take_up(state, event, self.learned.predict(event, state))

    def _let_go(self, state: int, event: int) -> Prediction | None:
        """Forget what an event should lead to, and return that if it was a hope."""
        holders = self._holders[event]
        if state in holders:
            self._kept -= 1
            del holders[state]
        return self._forget(state, event)

    def explored(self, source: int, event: int, target: int) -> Prediction | None:
        """Learn, predict anew what is seen otherwise now, and return what had been predicted."""
        self._reach.pop(source, None)
        prediction = self._give_back((source, event))
        lesson = self.learned.learn(event, source, target)
        for other in sorted(lesson.events):
            self._foresee_anew(other, self._holders[other])
        if lesson.values and event not in lesson.events:
            self._foresee_anew(event, self._alike(event, lesson.values))
        for other in self.learned.undoing(event):
            if target in self._holders[other]:
                self._foresee_anew(other, (target,))
        return prediction

    def closed(self, state: int, event: int) -> None:
        """Take an event out that somebody is after, or that was refused."""
        prediction = self._let_go(state, event) or self.learned.predict(event, state)
        self._pursued[state, event] = prediction
        wish = prediction.wish
        if wish is not None:
            self._claimed[wish] += 1
            self._touch(wish)

    def reopened(self, state: int, event: int) -> None:
        """Take an event in again."""
        self._meet_events()
        self._give_back((state, event))
        if state in self._in_mind:
            self._take_in(state, event)

    def rewired(self, state: int) -> None:
        """Look anew where a state leads."""
        self._reach.pop(state, None)

    def prediction(self, state: int, event: int) -> Prediction:
        """Return what somebody who is after an event should find."""
        return self._pursued.get((state, event)) or self.learned.predict(event, state)

    def neighbours(self, state: int) -> set[int]:
        """Return the states that one event leads to, or should."""
        reach = self._reach.get(state)
        if reach is None:
            if len(self._reach) >= REACHES:
                self._reach.clear()
            reach = {*self._model.successors[state], *self.ahead[state].values()}
            self._reach[state] = reach
        return reach

    def via(self, state: int, target: int) -> int | None:
        """Return an open event that should lead from a state to another."""
        return next((e for e, other in self.ahead[state].items() if other == target), None)

    def hopeful(self, state: int) -> Iterable[tuple[int, Prediction]]:
        """Return the open events that may find something nobody else is after."""
        hopes = self.hopes[state].items()
        if not self._claimed:
            return hopes
        return [(event, p) for event, p in hopes if p.wish not in self._claimed]

    def rivals(self, prediction: Prediction) -> int:
        """Return how many open events stand for the same page; where nobody knows, many."""
        wish = prediction.wish
        if wish is not None:
            return len(self._wanted[wish])
        return 1 if prediction.outlook is Outlook.UNSEEN else len(self.learned.pages.signatures)

    def holders(self, event: int) -> Iterable[int]:
        """Return the states where an event is open."""
        return self._holders[event]

    def reconsider(self, state: int) -> bool:
        """Predict anew what hangs on which states fit; tell whether that changed anything."""
        hopes = self.hopes[state]
        doubtful = [event for event, p in hopes.items() if p.outlook in DOUBTFUL]
        changed = [e for e in doubtful if self.learned.predict(e, state) != hopes[e]]
        for event in changed:
            self._foresee_anew(event, (state,))
        return bool(changed)

    def trust(self, event: int) -> None:
        """Hear that it was put to the test whether an event leads to known states as foreseen."""
        self._tested.add(event)
        self.untested.pop(event, None)

    def _meet_events(self) -> None:
        for number in range(self.learned.event_count, len(self._model.events)):
            self.learned.meet(self._model.events[number].group)

    def _alike(self, event: int, values: Iterable[int]) -> list[int]:
        """Return the states where the event is open that show one of these values."""
        holders, showing = self._holders[event], self.learned.pages.showing
        found: set[int] = set()
        for value in values:
            if value < 0 or showing.count(value) > len(holders):
                return list(holders)
            found.update(showing.states(value))
        return [state for state in holders if state in found]

    def _foresee_anew(self, event: int, states: Iterable[int]) -> None:
        for state in states:
            prediction = self.learned.predict(event, state)
            if prediction.outlook is Outlook.KNOWN:
                is_news = self.ahead[state].get(event) != prediction.state
            else:
                is_news = self.hopes[state].get(event) != prediction
            if is_news:
                self._forget(state, event)
                self._take_up(state, event, prediction)

    def _take_up(self, state: int, event: int, prediction: Prediction) -> None:
        if prediction.outlook is Outlook.KNOWN:
            self._expect(state, event, prediction.state)
            return
        self.hopes[state][event] = prediction
        self.stale.add(state)
        self._await(prediction, 1)
        wish = prediction.wish
        if wish is not None:
            wanted = self._wanted[wish]
            if not wanted and wish >= 0:
                self.learned.anticipate(event, state, prediction)
            wanted.add((state, event))

    def _forget(self, state: int, event: int) -> Prediction | None:
        target = self.ahead[state].pop(event, None)
        if target is not None:
            self._reach.pop(state, None)
            self.inflow[target] -= 1
            if not self.inflow[target]:
                del self.inflow[target]
            self.freed.append(target)
            places = self.untested.get(event)
            if places is not None:
                places.discard(state)
                if not places:
                    del self.untested[event]
        prediction = self.hopes[state].pop(event, None)
        if prediction is not None:
            self.stale.add(state)
            self._await(prediction, -1)
            wish = prediction.wish
            if wish is not None:
                wanted = self._wanted[wish]
                wanted.discard((state, event))
                if not wanted:
                    del self._wanted[wish]
                    if wish >= 0:
                        self.learned.pages.dismiss(wish)
        return prediction

    def _await(self, prediction: Prediction, by: int) -> None:
        if prediction.region >= 0:
            self.learned.pages.await_fresh(prediction.region, prediction.signature, by)

    def _fulfil(self, found: int) -> None:
        """Notice that a page that was foreseen is a state now, if this one was."""
        signature = self.learned.pages.signatures[found]
        wanted = self._wanted.pop(signature, None)
        if not wanted:
            return
        self.learned.pages.dismiss(signature)
        for state, event in sorted(wanted):
            del self.hopes[state][event]
            self.stale.add(state)
            self._expect(state, event, found)

    def _expect(self, state: int, event: int, target: int) -> None:
        """Take it that an open event leads to a known state."""
        self.ahead[state][event] = target
        self._reach.pop(state, None)
        self.inflow[target] += 1
        if event not in self._tested:
            self.untested.setdefault(event, set()).add(state)

    def _give_back(self, pair: tuple[int, int]) -> Prediction | None:
        """Let others hope again for what somebody was after."""
        prediction = self._pursued.pop(pair, None)
        wish = None if prediction is None else prediction.wish
        if wish is not None:
            self._claimed[wish] -= 1
            if not self._claimed[wish]:
                del self._claimed[wish]
            self._touch(wish)
        return prediction

    def _touch(self, wish: int) -> None:
        wanted = self._wanted.get(wish)
        if wanted:
            self.stale.update(state for state, _ in wanted)
