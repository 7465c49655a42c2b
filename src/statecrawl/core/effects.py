"""What events do to the regions of a page, learned from what they did.

For each event and region there are three hypotheses: the event keeps what the region shows,
sets it to a constant, or maps what it shows to something else. What a region showed and came
to show is noted in a table, and is believed when it comes again. For anything else keeping and
setting are weighed by how often each was right where they disagreed: for this event, and, while
little is known of it, for its group (the events that stand at the same kind of place).

Where the table contradicts itself the outcome hangs on other regions too: those that resolve
the contradiction are taken into it. What no few regions explain is unclear.

A state is known by the regions it shows: by the exclusive or of their hashes, so that what an
event changes is put in and taken out without looking at the rest. States that show the same
in every region are told apart by one more region of ours.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from hashlib import blake2b
from typing import NamedTuple

ABSENT = -1
"""What a region shows that is not on the page."""

REST = 0
"""The region that tells states apart which show the same in all others."""

SURE = 0.6
"""How much belief a prediction needs."""

MAX_CONTEXT = 2
"""How many regions besides itself may explain what a region comes to show."""

MEMORY = 200
"""How many executions of an event are looked at to find such regions."""

Shown = Mapping[int, int]
Key = int | tuple[int, ...]


class Outlook(Enum):
    """What an unexplored event is predicted to lead to."""

    KNOWN = auto()  # a state that was found
    NEW = auto()  # what no state shows
    FRESH = auto()  # something of its own: such events each show what no other does
    UNCLEAR = auto()


class Prediction(NamedTuple):
    """Where an event should lead: to a state, or to a page with a signature, if any is known."""

    outlook: Outlook
    state: int = -1
    signature: int = 0


UNCLEAR = Prediction(Outlook.UNCLEAR)
FRESH = Prediction(Outlook.FRESH)


class Score:
    """How often a hypothesis was right and wrong where it was put to the test."""

    __slots__ = ("right", "wrong")

    def __init__(self) -> None:
        self.right = 0
        self.wrong = 0

    def count(self, *, is_right: bool) -> None:
        """Count one more test."""
        if is_right:
            self.right += 1
        else:
            self.wrong += 1

    def belief(self, before: float) -> float:
        """Return the share of tests passed, where `before` counts as one more."""
        return (self.right + before) / (self.right + self.wrong + 1)


class Scores:
    """The scores of the three hypotheses, and the constants, for an event or a group of them."""

    __slots__ = ("again", "constant", "keeps", "sets", "votes")

    def __init__(self) -> None:
        self.keeps = Score()
        self.sets = Score()
        self.again = Score()
        self.votes: Counter[int] = Counter()
        self.constant: int | None = None

    def vote(self, value: int) -> None:
        """Note that a region came to show a value."""
        self.votes[value] += 1
        if self.constant is None or self.votes[value] > self.votes[self.constant]:
            self.constant = value


class Table(Scores):
    """What an event did to one region: what it showed, perhaps beside others, and came to show."""

    __slots__ = ("after", "context", "is_hopeless")

    def __init__(self, context: tuple[int, ...]) -> None:
        super().__init__()
        self.after: dict[Key, int] = {}
        self.context = context
        self.is_hopeless = False

    def key(self, old: int, shown: Shown) -> Key:
        """Return what the outcome hangs on."""
        if not self.context:
            return old
        return (old, *(shown.get(region, ABSENT) for region in self.context))


class Group:
    """What is known of events that stand at the same kind of place."""

    def __init__(self) -> None:
        self.scores: defaultdict[int, Scores] = defaultdict(Scores)
        self.context: dict[int, tuple[int, ...]] = {}
        self.events: list[int] = []
        self.idle = Score()

    @property
    def is_idle(self) -> bool:
        """Tell whether such events seem to do nothing at all."""
        return self.idle.belief(0) > 0.7


class Habit:
    """What one event does."""

    __slots__ = ("active", "executions", "group", "tables")

    def __init__(self, group: Group) -> None:
        self.group = group
        self.tables: dict[int, Table] = {}
        self.executions: list[tuple[int, int]] = []
        self.active: list[int] | None = None


class Effects:
    """Learns what events do to regions, and predicts what they will do."""

    def __init__(self) -> None:
        self.signatures: list[int] = []
        self.state_with: dict[int, int] = {}
        self._shown: list[dict[int, int]] = []
        self._regions: dict[str, int] = {"": REST}
        self._values: dict[tuple[int, str], int] = {}
        self._weights: list[int] = []
        self._look_alikes: Counter[int] = Counter()
        self._habits: list[Habit] = []
        self._groups: dict[str | None, Group] = {}

    def meet(self, group: str | None) -> None:
        """Take in the next event; events come in the order of their numbers."""
        shared = self._groups.setdefault(group, Group()) if group is not None else Group()
        shared.events.append(len(self._habits))
        self._habits.append(Habit(shared))

    def peers(self, event: int) -> list[int]:
        """Return the events of the same group."""
        return self._habits[event].group.events

    def discover(self, regions: Mapping[str, str]) -> None:
        """Take in the next state; states come in the order of their numbers."""
        shown = {}
        signature = 0
        for name, value in regions.items():
            region = self._regions.setdefault(name, len(self._regions))
            shown[region] = number = self._value(region, value)
            signature ^= self._weights[number]
        if signature in self.state_with:
            self._look_alikes[signature] += 1
            shown[REST] = number = self._value(REST, str(self._look_alikes[signature]))
            signature ^= self._weights[number]
        self.state_with[signature] = len(self._shown)
        self.signatures.append(signature)
        self._shown.append(shown)

    def predict(self, event: int, state: int) -> Prediction:
        """Say what firing an event in a state should lead to."""
        habit = self._habits[event]
        if not habit.executions and not habit.group.is_idle:
            return FRESH
        active = habit.active
        if active is None:
            active = habit.active = self._active(habit)
        shown = self._shown[state]
        signature = self.signatures[state]
        weights = self._weights
        is_fresh = False
        for region in active:
            old = shown.get(region, ABSENT)
            new = self._after(habit, region, old, shown)
            if new is None:
                return UNCLEAR
            if new == _OWN:
                is_fresh = True
            elif new != old:
                if old >= 0:
                    signature ^= weights[old]
                if new >= 0:
                    signature ^= weights[new]
        if is_fresh:
            return FRESH
        target = self.state_with.get(signature, -1)
        return Prediction(Outlook.NEW if target < 0 else Outlook.KNOWN, target, signature)

    def learn(self, event: int, source: int, target: int) -> tuple[bool, bool]:
        """Learn from one execution; tell whether the event, and its group, are seen otherwise now.

        Nothing is seen otherwise when every region came to show what it was predicted to.
        """
        habit = self._habits[event]
        before, after = self._shown[source], self._shown[target]
        is_first = not habit.executions
        habit.executions.append((source, target))
        surprise, tie_broken = is_first, False
        if is_first:
            was_idle = habit.group.is_idle
            habit.group.idle.count(is_right=source == target)
            tie_broken = was_idle != habit.group.is_idle
        for region in before.keys() | after.keys():
            old, new = before.get(region, ABSENT), after.get(region, ABSENT)
            expected = self._after(habit, region, old, before)
            group = habit.group.scores[region]
            judged = self._judgement(group)
            self._note(habit, region, old, new, before)
            if expected != new:
                surprise = True
            if self._judgement(group) != judged:
                tie_broken = True
        if surprise or tie_broken:
            habit.active = None
        if tie_broken:
            for peer in habit.group.events:
                self._habits[peer].active = None
        return surprise, tie_broken

    def rules(self) -> Iterator[tuple[int, str, str, Mapping[str, str]]]:
        """Yield for each event and region that it changes: the hypothesis, and its values."""
        names = list(self._regions)
        texts = {number: text for (_, text), number in self._values.items()}
        texts[ABSENT] = ""
        for event, habit in enumerate(self._habits):
            for region, table in sorted(habit.tables.items()):
                changes = {key: new for key, new in table.after.items() if _first(key) != new}
                if not changes:
                    continue
                if table.is_hopeless:
                    yield event, names[region], "unclear", {}
                elif len(table.votes) == 1:
                    yield event, names[region], "sets", {"": texts[next(iter(table.votes))]}
                else:
                    maps = {texts[_first(key)]: texts[new] for key, new in table.after.items()}
                    yield event, names[region], "maps", maps

    def _value(self, region: int, text: str) -> int:
        number = self._values.get((region, text))
        if number is None:
            number = self._values[region, text] = len(self._weights)
            data = f"{region}\0{text}".encode("utf-8", "surrogatepass")
            self._weights.append(int.from_bytes(blake2b(data, digest_size=8).digest()))
        return number

    def _active(self, habit: Habit) -> list[int]:
        """Return the regions that an event may change."""
        active = []
        for region in habit.group.scores.keys() | habit.tables.keys():
            table = habit.tables.get(region)
            changes = table is not None and any(_first(k) != v for k, v in table.after.items())
            if changes or self._default(habit, region, table)[0] is not _KEEP:
                active.append(region)
        return sorted(active)

    def _after(self, habit: Habit, region: int, old: int, shown: Shown) -> int | None:
        """Return what a region should show; None: unclear."""
        table = habit.tables.get(region)
        if table is not None:
            if table.is_hopeless:
                return None
            seen = table.after.get(table.key(old, shown))
            if seen is not None:
                return seen
        kind, value, belief = self._default(habit, region, table)
        if belief < SURE:
            return None
        if kind is _KEEP:
            return old
        if value == old and habit.group.scores[region].again.belief(0.5) < SURE:
            return None  # many a control undoes what it did
        return value

    def _default(
        self, habit: Habit, region: int, table: Table | None
    ) -> tuple[object, int, float]:
        """Return what is believed where the table does not help, and how much."""
        group = habit.group.scores[region]
        keeps = group.keeps.belief(0.7)
        sets = group.sets.belief(0.5)
        if table is not None:
            keeps = table.keeps.belief(keeps)
            sets = table.sets.belief(sets)
        if keeps >= sets:
            return _KEEP, 0, keeps
        if table is not None and table.constant is not None:
            return _SET, table.constant, sets
        constant = group.constant
        if constant is not None and len(group.votes) == 1 and group.votes[constant] > 1:
            return _SET, constant, sets
        return _SET, _OWN, max(sets, SURE)

    @staticmethod
    def _judgement(group: Scores) -> tuple[bool, bool, bool]:
        keeps, sets = group.keeps.belief(0.7), group.sets.belief(0.5)
        return keeps >= sets, max(keeps, sets) >= SURE, group.again.belief(0.5) >= SURE

    def _note(self, habit: Habit, region: int, old: int, new: int, shown: Shown) -> None:
        """Note what a region showed and came to show, and score the hypotheses by it."""
        group = habit.group.scores[region]
        table = habit.tables.get(region)
        if table is None:
            table = habit.tables[region] = Table(habit.group.context.get(region, ()))
            if new != old:
                table.keeps.count(is_right=False)
                group.keeps.count(is_right=False)
            table.after[table.key(old, shown)] = new
            table.vote(new)
            group.vote(new)
            return
        key = table.key(old, shown)
        seen = table.after.get(key)
        if seen is not None:
            if seen != new and not table.is_hopeless:
                self._resolve(habit, region, table)
            return
        constant = table.constant
        if constant == old:
            group.again.count(is_right=new == old)
        else:
            for scores in (table, group):
                scores.keeps.count(is_right=new == old)
                scores.sets.count(is_right=new == constant)
        table.after[key] = new
        table.vote(new)

    def _resolve(self, habit: Habit, region: int, table: Table) -> None:
        """Find other regions that explain a contradiction, one after the other."""
        recent = habit.executions[-MEMORY:]
        candidates = sorted({r for source, _ in recent for r in self._shown[source]} - {region})
        context: tuple[int, ...] = ()
        while len(context) < MAX_CONTEXT:
            tried = [(*context, other) for other in candidates if other not in context]
            if not tried:
                break
            context = min(tried, key=lambda regions: self._conflicts(recent, region, regions))
            if not self._conflicts(recent, region, context):
                self._rebuild(table, recent, region, context)
                habit.group.context.setdefault(region, context)
                return
        table.is_hopeless = True

    def _conflicts(
        self, executions: list[tuple[int, int]], region: int, context: tuple[int, ...]
    ) -> int:
        """Count the executions that contradict another one."""
        after: dict[Key, int] = {}
        conflicts = 0
        for source, target in executions:
            shown = self._shown[source]
            key = tuple(shown.get(r, ABSENT) for r in (region, *context))
            new = self._shown[target].get(region, ABSENT)
            conflicts += after.setdefault(key, new) != new
        return conflicts

    def _rebuild(
        self,
        table: Table,
        executions: list[tuple[int, int]],
        region: int,
        context: tuple[int, ...],
    ) -> None:
        table.context = context
        table.after = {}
        for source, target in executions:
            shown = self._shown[source]
            key = table.key(shown.get(region, ABSENT), shown)
            table.after[key] = self._shown[target].get(region, ABSENT)


_KEEP, _SET = object(), object()
_OWN = -2
"""Stands for a value of its own that an event sets, which nobody has seen yet."""


def _first(key: Key) -> int:
    return key if isinstance(key, int) else key[0]
