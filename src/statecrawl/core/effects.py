"""What events do to the regions of a page, learned from what they did.

For each event and region there are three hypotheses: the event keeps what the region shows,
sets it to a constant, or maps what it shows to something else. What a region showed and came
to show is noted in a table, and is believed when it comes again. For anything else keeping and
setting are weighed by how often each was right where they disagreed: for this event, and, while
little is known of it, for its group (the events that stand at the same kind of place).

Where one event of a group undoes another (next and previous), it is predicted to do so again.

Where the table contradicts itself the outcome hangs on other regions too: those that resolve
the contradiction are taken into it (`contexts`). What no few regions explain is unclear. Where one
other region makes simple what an event does, it is one event for each of its values (`cases`).
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from statecrawl.core.appearances import Appearances
from statecrawl.core.cases import Cases, told_apart
from statecrawl.core.contexts import changes, resolve
from statecrawl.core.habits import (
    ABSENT,
    MEMORY,
    NOT_CLEAR,
    OWN,
    SURE,
    Group,
    Habit,
    Outcome,
    Rule,
    Shown,
    Table,
)
from statecrawl.core.shelf import Shelf

TRIALS = {3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192}
"""After how many executions it is tried again to tell an event apart."""

MANY = 10_000
"""So many predictions that lead to known states are kept to be made once."""


class Outlook(Enum):
    """What an unexplored event is predicted to lead to."""

    KNOWN = auto()  # a state that was found
    NEW = auto()  # what no state shows
    FRESH = auto()  # it was never fired, and such events each show what no other does
    UNSEEN = auto()  # one region is unclear, but no state fits the rest
    LIKELY = auto()  # likewise; known states fit the rest, and pages that are anticipated
    GUESS = auto()  # likewise; only known states fit
    UNCLEAR = auto()

    __hash__ = object.__hash__  # the hash of enumerations is written in Python, and slow


class Prediction(NamedTuple):
    """Where an event should lead: to a state, or to a page with a signature, if any is known.

    Of a fresh page the signature is known but for one region, if one is named. Predictions with
    the same wish promise the same page; None: nobody knows which.
    """

    outlook: Outlook
    state: int = -1
    signature: int = 0
    region: int = -1
    wish: int | None = None


UNSEEN = Prediction(Outlook.UNSEEN)
LIKELY = Prediction(Outlook.LIKELY)
GUESS = Prediction(Outlook.GUESS)
UNCLEAR = Prediction(Outlook.UNCLEAR)


class Lesson(NamedTuple):
    """What has to be predicted anew after an execution.

    Everything of some events, and the event itself where a region shows one of these values.
    """

    events: set[int]
    values: list[int]


class _News(NamedTuple):
    """What one execution changed: for the group, of the group's idleness, where a value is shown.

    `missed` are the regions that came to show what was not foreseen.
    """

    group: bool
    idle: bool
    values: list[int]
    missed: set[int]


class Effects:
    """Learns what events do to regions, and predicts what they will do."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.pages = Appearances(shelf)
        self._habits: list[Habit] = []
        self._cases: dict[int, Cases] = {}
        self._groups: dict[str, Group] = {}
        self._known: dict[int, Prediction] = {}  # that events lead to states

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._habits)

    def tables(self, event: int) -> Mapping[int, Table]:
        """Return what an event was seen to do to each region."""
        return self._habits[event].tables

    def times(self, event: int) -> int:
        """Return how often an event was executed."""
        return self._habits[event].times

    def would_teach(self, event: int) -> bool:
        """Tell whether firing an event would say what it does in other states, too.

        It was never fired, and no event of its group does something else from case to case.
        """
        habit = self._habits[event]
        return not habit.times and not habit.group.has_cases

    def expected(self, event: int, state: int) -> dict[str, str]:
        """Say what an event should do in a state to each region that it should change."""
        shown, names = self.pages.shown[state], self.pages.regions
        effects = {}
        for rule in self._rules(event, shown):
            old = shown.get(rule.region, ABSENT)
            new = rule.expected(old, shown)
            if new is None:
                new = self._undone(event, state, rule.region)
            if new is None:
                effects[names[rule.region]] = "unclear"
            elif new != old:
                is_map = rule.table is not None and new != rule.value
                effects[names[rule.region]] = "maps" if is_map else "sets"
        return effects

    def meet(self, group: str | None) -> None:
        """Take in the next event; events come in the order of their numbers."""
        shared = Group() if group is None else self._groups.setdefault(group, Group())
        shared.events.append(len(self._habits))
        self._habits.append(shared.novice)

    def predict(self, event: int, state: int) -> Prediction:
        """Say what firing an event in a state should lead to."""
        pages, habit = self.pages, self._habits[event]
        if habit is habit.group.novice:
            outcome = habit.outcomes.get(state)
            if outcome is None:
                outcome = habit.outcomes[state] = self._outcome(event, state)
        else:
            outcome = self._outcome(event, state)
        signature, unclear, is_own, is_muddled = outcome
        is_fresh = is_own or (not habit.times and not habit.group.is_idle)
        if is_fresh:
            fresh = self._fresh(event, pages.shown[state])
            if unclear is None or is_muddled:
                return fresh
            return fresh._replace(signature=signature, region=unclear)
        if is_muddled:
            return UNCLEAR
        if unclear is not None:
            return self._guess(state, unclear, signature)
        target = pages.signatures.state(signature)
        if target is None:
            return Prediction(Outlook.NEW, -1, signature, -1, signature)
        known = self._known.get(target)
        if known is None:
            if len(self._known) >= MANY:
                self._known.clear()
            known = self._known[target] = Prediction(Outlook.KNOWN, target, signature)
        return known

    def _outcome(self, event: int, state: int) -> Outcome:
        """Work out what a state's page should come to."""
        pages = self.pages
        shown, signature = pages.shown[state], pages.signatures[state]
        unclear, is_own = None, False
        for rule in self._rules(event, shown):
            old = shown.get(rule.region, ABSENT)
            delta = rule.deltas.get(old)
            if delta is None:
                delta = self._delta(rule, old, shown)
            if delta < 0:
                new = self._undone(event, state, rule.region) if delta == NOT_CLEAR else None
                if new is None:
                    is_own = is_own or delta == OWN
                    if unclear is not None:
                        return Outcome(signature, unclear, is_own, is_muddled=True)
                    unclear, new = rule.region, ABSENT
                delta = pages.between(old, new)
            signature ^= delta
        return Outcome(signature, unclear, is_own, is_muddled=False)

    def _delta(self, rule: Rule, old: int, shown: Shown) -> int:
        """Work out how a rule changes a signature; that is kept where nothing else matters."""
        new = rule.expected(old, shown)
        delta = NOT_CLEAR if new is None else new if new == OWN else self.pages.between(old, new)
        if rule.table is None or not rule.table.context:
            rule.deltas[old] = delta
        return delta

    def _fresh(self, event: int, shown: Shown) -> Prediction:
        """Say that an event, or a case of it, should show what no other does."""
        cases = self._cases.get(event)
        case = 0 if cases is None else 2 + shown.get(cases.region, ABSENT)
        return Prediction(Outlook.FRESH, wish=-1 - event - (case << 32))

    def _guess(self, state: int, region: int, rest: int) -> Prediction:
        """Say whether some other state fits what is clear."""
        pages = self.pages
        itself = pages.without(state, region) == rest
        if pages.known_to_fit(region, rest) <= itself:
            return UNSEEN
        return LIKELY if pages.awaited_to_fit(region, rest) > 0 else GUESS

    def anticipate(self, event: int, state: int, prediction: Prediction) -> None:
        """Take in a page that is predicted, so that it counts where something is unclear."""
        before = self.pages.shown[state]
        changed = {}
        for rule in self._rules(event, before):
            old = before.get(rule.region, ABSENT)
            new = rule.expected(old, before)
            if new is not None and new != old:
                changed[rule.region] = new
        self.pages.anticipate(prediction.signature, state, tuple(changed.items()))

    def learn(self, event: int, source: int, target: int) -> Lesson:
        """Learn from one execution, and say what is to be seen otherwise now.

        That is nothing when every region came to show what it was predicted to.
        """
        habit, cases = self._habits[event], self._cases.get(event)
        if habit is habit.group.novice:
            habit = self._habits[event] = Habit(habit.group)
        news = self._take_in(habit, source, target)
        events, values = self._renewed(habit, event, news), news.values
        missed = news.missed
        self._remember(event, source, target)
        if cases is not None:
            shown = self.pages.shown[source]
            case = cases.habit(shown)
            of_case = self._take_in(case, source, target, cases)
            values += of_case.values
            if of_case.group:
                values += cases.renewed()
            elif case.renew():
                values.append(shown.get(cases.region, ABSENT))
            missed = missed - cases.tangled | of_case.missed
        if missed and habit.times in TRIALS and self._tell_apart(event, missed):
            events.add(event)
        return Lesson(events, values)

    def _renewed(self, habit: Habit, event: int, news: _News) -> set[int]:
        """Return the events of which everything is to be predicted anew."""
        events = {event} if self._is_renewed(event) or habit.times == 1 else set()
        group = habit.group
        if news.group:
            fired = (peer for peer in group.events if self._habits[peer] is not group.novice)
            events.update(peer for peer in fired if self._is_renewed(peer))
        if (news.group and group.novice.renew()) or news.idle:
            events.update(peer for peer in group.events if self._habits[peer] is group.novice)
        return events

    def _is_renewed(self, event: int) -> bool:
        """Work the rules of an event out anew; tell whether they have changed for all cases."""
        cases = self._cases.get(event)
        return self._habits[event].renew(cases.tangled if cases else frozenset())

    def _rules(self, event: int, shown: Shown) -> list[Rule]:
        """Return how to predict what an event does on such pages."""
        cases = self._cases.get(event)
        if cases is None:
            return self._habits[event].rules()
        return cases.rules(self._habits[event], shown)

    def _tell_apart(self, event: int, missed: set[int]) -> bool:
        """Tell an event apart by a region that it hangs on, if there is one; tell whether."""
        habit = self._habits[event]
        cases = told_apart(changes(habit, self.pages.shown), missed)
        if cases is None:
            return False
        self._cases[event] = cases
        habit.group.has_cases = True
        for source, target in habit.executions[-MEMORY:]:
            case = cases.habit(self.pages.shown[source])
            self._take_in(case, source, target, cases)
        return True

    def _take_in(self, habit: Habit, source: int, target: int, cases: Cases | None = None) -> _News:
        """Note what an event did to all regions, or what a case of it did to those told apart."""
        before, after = self.pages.shown[source], self.pages.shown[target]
        is_first = not habit.times
        habit.execute(source, target)
        is_idle = is_first and habit.group.meet_first(is_idle=source == target)
        is_group = False
        values = []
        missed = set()
        case = () if cases is None else (before.get(cases.region, ABSENT),)
        for region in before.keys() | after.keys() if cases is None else cases.tangled:
            old, new = before.get(region, ABSENT), after.get(region, ABSENT)
            if habit.is_settled(region, old, new, before):
                continue
            scores = habit.group.scores[region]
            judged, expected = scores.judgement(), habit.rule(region).expected(old, before)
            if habit.note(region, old, new, before):
                resolve(habit, region, self.pages.shown)
            if expected != new:
                missed.add(region)
            is_group = is_group or scores.judgement() != judged
            now = habit.rule(region)
            if now.expected(old, before) != expected:
                values.append(self.pages.rarest(case + now.hangs_on(old, before)))
        return _News(is_group, is_idle, values, missed)

    def undoing(self, event: int) -> list[int]:
        """Return the events that are known to undo this one."""
        group = self._habits[event].group
        if event not in group.unclear:
            return []
        scores = group.undoes
        return [e for e in group.unclear if (e, event) in scores and scores[e, event].right]

    def _undone(self, event: int, state: int, region: int) -> int | None:
        """Return what a region showed before another event that this one is known to undo."""
        group = self._habits[event].group
        if state not in group.came_from:
            return None
        for other, source in group.came_from[state].items():
            if group.undoes[event, other].belief(0.5) >= SURE:
                return self.pages.shown[source].get(region, ABSENT)
        return None

    def _remember(self, event: int, source: int, target: int) -> None:
        """Note which events an unclear one undid, and did not."""
        habit = self._habits[event]
        group, tables = habit.group, habit.tables
        regions = [r for r, table in tables.items() if table.context or table.is_hopeless]
        if not regions:
            return
        if event not in group.unclear:
            group.unclear.append(event)
        after = self.pages.shown[target]
        for other, origin in group.came_from[source].items():
            if other != event:
                before = self.pages.shown[origin]
                undone = all(after.get(r, ABSENT) == before.get(r, ABSENT) for r in regions)
                group.undoes[event, other].count(is_right=undone)
        if source != target:
            group.came_from[target][event] = source
