"""What events do to the regions of a page, learned from what they did.

For each event and region there are three hypotheses: the event keeps what the region shows,
sets it to a constant, or maps what it shows to something else. What a region showed and came
to show is noted in a table, and is believed when it comes again. For anything else keeping and
setting are weighed by how often each was right where they disagreed: for this event, and, while
little is known of it, for its group (the events that stand at the same kind of place).

Where one event of a group undoes another (next and previous), it is predicted to do so again.

Where the table contradicts itself the outcome hangs on other regions too: those that resolve
the contradiction are taken into it. What no few regions explain is unclear.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from statecrawl.core.appearances import Appearances
from statecrawl.core.habits import ABSENT, OWN, SURE, Group, Habit, Key, Table

MAX_CONTEXT = 2
"""How many regions besides itself may explain what a region comes to show."""

MEMORY = 200
"""How many executions of an event are looked at to find such regions."""


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

    Of a fresh page the signature is known but for one region, if one is named.
    """

    outlook: Outlook
    state: int = -1
    signature: int = 0
    region: int = -1


FRESH = Prediction(Outlook.FRESH)
UNSEEN = Prediction(Outlook.UNSEEN)
LIKELY = Prediction(Outlook.LIKELY)
GUESS = Prediction(Outlook.GUESS)
UNCLEAR = Prediction(Outlook.UNCLEAR)


class Lesson(NamedTuple):
    """What has to be predicted anew after an execution.

    Either everything of the event and perhaps of its group, or only where a region shows one
    of these values.
    """

    event: bool = False
    group: bool = False
    values: tuple[int, ...] = ()


class Effects:
    """Learns what events do to regions, and predicts what they will do."""

    def __init__(self) -> None:
        self.pages = Appearances()
        self._habits: list[Habit] = []
        self._groups: dict[str, Group] = {}

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._habits)

    def tables(self, event: int) -> Mapping[int, Table]:
        """Return what an event was seen to do to each region."""
        return self._habits[event].tables

    def times(self, event: int) -> int:
        """Return how often an event was executed."""
        return len(self._habits[event].executions)

    def expected(self, event: int, state: int) -> dict[str, str]:
        """Say what an event should do in a state to each region that it should change."""
        shown, names = self.pages.shown[state], self.pages.regions
        effects = {}
        for rule in self._habits[event].rules():
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
        self._habits.append(Habit(shared))

    def peers(self, event: int) -> list[int]:
        """Return the events of the same group."""
        return self._habits[event].group.events

    def predict(self, event: int, state: int) -> Prediction:
        """Say what firing an event in a state should lead to."""
        habit, pages = self._habits[event], self.pages
        shown, weights, signature = pages.shown[state], pages.weights, pages.signatures[state]
        is_fresh = not habit.executions and not habit.group.is_idle
        unclear = None
        for rule in habit.rules():
            region = rule.region
            old = shown.get(region, ABSENT)
            new = rule.expected(old, shown)
            if new is None:
                new = self._undone(event, state, region)
            if new == old:
                continue
            if new is None or new == OWN:
                is_fresh = is_fresh or new == OWN
                if unclear is not None:
                    return FRESH if is_fresh else UNCLEAR
                unclear, new = region, ABSENT
            signature ^= (weights[old] if old >= 0 else 0) ^ (weights[new] if new >= 0 else 0)
        if is_fresh:
            return FRESH if unclear is None else Prediction(Outlook.FRESH, -1, signature, unclear)
        if unclear is not None:
            return self._guess(state, unclear, signature)
        target = pages.state_with.get(signature, -1)
        return Prediction(Outlook.NEW if target < 0 else Outlook.KNOWN, target, signature)

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
        shown = dict(before)
        for rule in self._habits[event].rules():
            new = rule.expected(before.get(rule.region, ABSENT), before)
            if new is not None:
                shown[rule.region] = new
        self.pages.anticipate(prediction.signature, shown)

    def learn(self, event: int, source: int, target: int) -> Lesson:
        """Learn from one execution, and say what is to be seen otherwise now.

        That is nothing when every region came to show what it was predicted to.
        """
        habit = self._habits[event]
        before, after = self.pages.shown[source], self.pages.shown[target]
        is_first = not habit.executions
        habit.executions.append((source, target))
        is_event, is_group = is_first, is_first and habit.group.meet_first(is_idle=source == target)
        values = []
        for region in before.keys() | after.keys():
            old, new = before.get(region, ABSENT), after.get(region, ABSENT)
            if habit.is_settled(region, old, new, before):
                continue
            scores, rule = habit.group.scores[region], habit.rule(region)
            judged, expected = scores.judgement(), rule.expected(old, before)
            if habit.note(region, old, new, before):
                self._resolve(habit, region)
            is_group = is_group or scores.judgement() != judged
            now = habit.rule(region)
            is_event = is_event or now != rule
            if now.expected(old, before) != expected:
                values.append(old)
        self._remember(event, source, target)
        for peer in habit.group.events if is_group else (event,) if is_event else ():
            self._habits[peer].forget_rules()
        return Lesson(is_event, is_group, tuple(values))

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
        for other in group.unclear:
            source = group.came_from.get((other, state))
            if source is not None and group.undoes[event, other].belief(0.5) >= SURE:
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
        for other in group.unclear:
            origin = group.came_from.get((other, source))
            if origin is not None and other != event:
                before = self.pages.shown[origin]
                undone = all(after.get(r, ABSENT) == before.get(r, ABSENT) for r in regions)
                group.undoes[event, other].count(is_right=undone)
        if source != target:
            group.came_from[event, target] = source

    def _resolve(self, habit: Habit, region: int) -> None:
        """Find other regions that explain a contradiction, one after the other."""
        shown = self.pages.shown
        recent = habit.executions[-MEMORY:]
        candidates = sorted({r for source, _ in recent for r in shown[source]} - {region})
        table = habit.tables[region]
        context: tuple[int, ...] = ()
        while len(context) < MAX_CONTEXT:
            tried = [(*context, other) for other in candidates if other not in context]
            if not tried:
                break
            context = min(tried, key=lambda regions: self._conflicts(recent, region, regions))
            if not self._conflicts(recent, region, context):
                self._rewrite(table, recent, region, context)
                habit.group.context.setdefault(region, context)
                return
        table.give_up()

    def _conflicts(
        self, executions: list[tuple[int, int]], region: int, context: tuple[int, ...]
    ) -> int:
        """Count the executions that contradict another one."""
        after: dict[Key, int] = {}
        conflicts = 0
        for source, target in executions:
            shown = self.pages.shown[source]
            key = tuple(shown.get(r, ABSENT) for r in (region, *context))
            new = self.pages.shown[target].get(region, ABSENT)
            conflicts += after.setdefault(key, new) != new
        return conflicts

    def _rewrite(
        self,
        table: Table,
        executions: list[tuple[int, int]],
        region: int,
        context: tuple[int, ...],
    ) -> None:
        """Write the table anew, with other regions in its keys."""
        table.restart(context)
        for source, target in executions:
            shown = self.pages.shown[source]
            old, new = shown.get(region, ABSENT), self.pages.shown[target].get(region, ABSENT)
            table.note(table.key(old, shown), old, new)
