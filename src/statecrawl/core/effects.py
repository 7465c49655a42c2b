"""What events do to the regions of a page, learned from what they did.

For each event and region there are three hypotheses: the event keeps what the region shows,
sets it to a constant, or maps what it shows to something else. What a region showed and came
to show is noted in a table, and is believed when it comes again. For anything else keeping and
setting are weighed by how often each was right where they disagreed: for this event, and, while
little is known of it, for its group (the events that stand at the same kind of place).

Where one event of a group undoes another (next and previous), it is predicted to do so again.

Where the table contradicts itself the outcome hangs on other regions too: those that resolve
the contradiction are taken into it. What no few regions explain is unclear.

A state is known by the regions it shows: by the exclusive or of their hashes, so that what an
event changes is put in and taken out without looking at the rest. States that show the same
in every region are told apart by one more region of ours.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from enum import Enum, auto
from hashlib import blake2b
from typing import NamedTuple

ABSENT = -1
"""What a region shows that is not on the page."""

OWN = -2
"""Stands for a value of its own that an event sets, which nobody has seen yet."""

REST = 0
"""The region that tells states apart which show the same in all others."""

SURE = 0.6
"""How much belief a prediction needs."""

KEEPS, SETS = 0.7, 0.5
"""How much is believed in keeping and in setting before anything was seen."""

MAX_CONTEXT = 2
"""How many regions besides itself may explain what a region comes to show."""

ENOUGH = 5
"""How often a table has to be right before nobody keeps count any more."""

MEMORY = 200
"""How many executions of an event are looked at to find such regions."""

Shown = Mapping[int, int]
Key = int | tuple[int, ...]


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
    """The scores of keeping and setting, and the constants, for an event or a group of them."""

    __slots__ = ("again", "constant", "keeps", "maps", "sets", "votes")

    def __init__(self) -> None:
        self.keeps = Score()
        self.sets = Score()
        self.again = Score()
        self.maps = Score()
        self.votes: Counter[int] = Counter()
        self.constant: int | None = None

    def vote(self, value: int) -> None:
        """Note that a region came to show a value."""
        self.votes[value] += 1
        if self.constant is None or self.votes[value] > self.votes[self.constant]:
            self.constant = value

    def judgement(self) -> tuple[bool, bool, bool]:
        """Return what the scores come to: keeps or sets, surely or not, also a second time."""
        keeps, sets = self.keeps.belief(KEEPS), self.sets.belief(SETS)
        return (
            keeps >= sets,
            max(keeps, sets) >= SURE,
            self.again.belief(0.5) >= SURE,
        )


class Table(Scores):
    """What an event did to one region: what it showed, perhaps beside others, and came to show."""

    __slots__ = ("after", "changes", "context", "is_hopeless")

    def __init__(self, context: tuple[int, ...]) -> None:
        super().__init__()
        self.after: dict[Key, int] = {}
        self.changes = False
        self.context = context
        self.is_hopeless = False

    def key(self, old: int, shown: Shown) -> Key:
        """Return what the outcome hangs on."""
        if not self.context:
            return old
        return (old, *(shown.get(region, ABSENT) for region in self.context))

    def note(self, key: Key, old: int, new: int) -> None:
        """Write down one outcome."""
        self.after[key] = new
        self.changes = self.changes or old != new


class Group:
    """What is known of events that stand at the same kind of place."""

    def __init__(self) -> None:
        self.scores: defaultdict[int, Scores] = defaultdict(Scores)
        self.context: dict[int, tuple[int, ...]] = {}
        self.events: list[int] = []
        self.idle = Score()
        # Which events undo which, and for those that are not clear, where they came from.
        self.undoes: defaultdict[tuple[int, int], Score] = defaultdict(Score)
        self.unclear: list[int] = []
        self.came_from: dict[tuple[int, int], int] = {}

    @property
    def is_idle(self) -> bool:
        """Tell whether such events seem to do nothing at all."""
        return self.idle.belief(0) > 0.7


class Rule(NamedTuple):
    """How to predict one region: by the table, else what it shows, else a value, else unclear."""

    region: int
    table: Table | None
    maps: bool
    keeps: bool
    value: int | None
    is_sure_again: bool


class Habit:
    """What one event does."""

    __slots__ = ("executions", "group", "rules", "tables")

    def __init__(self, group: Group) -> None:
        self.group = group
        self.tables: dict[int, Table] = {}
        self.executions: list[tuple[int, int]] = []
        self.rules: list[Rule] | None = None


class Effects:
    """Learns what events do to regions, and predicts what they will do."""

    def __init__(self) -> None:
        self.signatures: list[int] = []
        self.state_with: dict[int, int] = {}
        self.showing: list[list[int]] = []
        self._shown: list[dict[int, int]] = []
        self._regions: dict[str, int] = {"": REST}
        self._values: dict[tuple[int, str], int] = {}
        self._weights: list[int] = []
        self._look_alikes: Counter[int] = Counter()
        # For each region that was unclear: how many states, and pages that are anticipated,
        # show the same but for that region.
        self._fitting: dict[int, Counter[int]] = {}
        self._awaited: dict[int, Counter[int]] = {}
        self._anticipated: dict[int, dict[int, int]] = {}
        self._fresh: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._habits: list[Habit] = []
        self._groups: dict[str | None, Group] = {}

    @property
    def event_count(self) -> int:
        """How many events there are."""
        return len(self._habits)

    @property
    def regions(self) -> list[str]:
        """The names of the regions, by number; that of `REST` is empty."""
        return list(self._regions)

    @property
    def texts(self) -> list[str]:
        """What regions show, by the number of the value."""
        return [text for _, text in self._values]

    def tables(self, event: int) -> Mapping[int, Table]:
        """Return what an event was seen to do to each region."""
        return self._habits[event].tables

    def times(self, event: int) -> int:
        """Return how often an event was executed."""
        return len(self._habits[event].executions)

    def expected(self, event: int, state: int) -> dict[str, str]:
        """Say what an event should do in a state to each region that it should change."""
        habit, shown = self._habits[event], self._shown[state]
        names = self.regions
        effects = {}
        for rule in habit.rules or self._rules(habit):
            old = shown.get(rule.region, ABSENT)
            new = _expected(rule, old, shown)
            if new is None and habit.group.unclear:
                new = self._undone(event, state, rule.region)
            if new is None:
                effects[names[rule.region]] = "unclear"
            elif new != old:
                is_map = rule.table is not None and new != rule.value
                effects[names[rule.region]] = "maps" if is_map else "sets"
        return effects

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
        state = len(self._shown)
        self.state_with[signature] = state
        self.signatures.append(signature)
        self._shown.append(shown)
        for number in shown.values():
            self.showing[number].append(state)
        for region, fitting in self._fitting.items():
            fitting[self._without(state, region)] += 1

    def predict(self, event: int, state: int) -> Prediction:
        """Say what firing an event in a state should lead to."""
        habit = self._habits[event]
        is_fresh = not habit.executions and not habit.group.is_idle
        shown = self._shown[state]
        signature = self.signatures[state]
        weights = self._weights
        unclear: int | None = None
        for rule in habit.rules or self._rules(habit):
            region = rule.region
            old = shown.get(region, ABSENT)
            new = _expected(rule, old, shown)
            if new == old:
                continue
            if new is None and habit.group.unclear:
                new = self._undone(event, state, region)
            if new is None:
                if unclear is not None:
                    return FRESH if is_fresh else UNCLEAR
                unclear = region
                new = ABSENT
            elif new == OWN:
                if unclear is not None:
                    return FRESH
                is_fresh = True
                unclear = region
                new = ABSENT
            if new != old:
                if old >= 0:
                    signature ^= weights[old]
                if new >= 0:
                    signature ^= weights[new]
        if is_fresh:
            return FRESH if unclear is None else Prediction(Outlook.FRESH, -1, signature, unclear)
        if unclear is not None:
            return self._guess(state, unclear, signature)
        target = self.state_with.get(signature, -1)
        return Prediction(Outlook.NEW if target < 0 else Outlook.KNOWN, target, signature)

    def _undone(self, event: int, state: int, region: int) -> int | None:
        """Return what a region showed before another event that this one is known to undo."""
        group = self._habits[event].group
        for other in group.unclear:
            source = group.came_from.get((other, state))
            if source is not None and group.undoes[event, other].belief(0.5) >= SURE:
                return self._shown[source].get(region, ABSENT)
        return None

    def undoing(self, event: int) -> list[int]:
        """Return the events that are known to undo this one."""
        group = self._habits[event].group
        if event not in group.unclear:
            return []
        scores = group.undoes
        return [e for e in group.unclear if (e, event) in scores and scores[e, event].right]

    def _remember(self, event: int, source: int, target: int) -> None:
        """Note which events an unclear one undid, and did not."""
        habit = self._habits[event]
        group, tables = habit.group, habit.tables
        regions = [r for r, table in tables.items() if table.context or table.is_hopeless]
        if not regions:
            return
        if event not in group.unclear:
            group.unclear.append(event)
        after = self._shown[target]
        for other in group.unclear:
            origin = group.came_from.get((other, source))
            if origin is not None and other != event:
                before = self._shown[origin]
                undone = all(after.get(r, ABSENT) == before.get(r, ABSENT) for r in regions)
                group.undoes[event, other].count(is_right=undone)
        if source != target:
            group.came_from[event, target] = source

    def _guess(self, state: int, region: int, rest: int) -> Prediction:
        """Say whether some other state fits what is clear."""
        fitting = self._fitting.get(region)
        if fitting is None:
            states = range(len(self._shown))
            fitting = Counter(self._without(other, region) for other in states)
            self._fitting[region] = fitting
            self._awaited[region] = awaited = Counter()
            for page, shown in self._anticipated.items():
                awaited[self._strip(page, shown, region)] += 1
        known = fitting[rest] - (self._without(state, region) == rest)
        if known <= 0:
            return UNSEEN
        return LIKELY if self._awaited[region][rest] + self._fresh[region][rest] > 0 else GUESS

    def await_fresh(self, prediction: Prediction, by: int) -> None:
        """Count a fresh page in or out, so that it counts where something is unclear."""
        if prediction.region >= 0:
            self._fresh[prediction.region][prediction.signature] += by

    def anticipate(self, event: int, state: int, signature: int) -> None:
        """Take in a page that is predicted, so that it counts where something is unclear."""
        shown = dict(self._shown[state])
        habit = self._habits[event]
        for rule in habit.rules or self._rules(habit):
            new = _expected(rule, shown.get(rule.region, ABSENT), self._shown[state])
            if new is not None:
                shown[rule.region] = new
        self._anticipated[signature] = shown
        for region, awaited in self._awaited.items():
            awaited[self._strip(signature, shown, region)] += 1

    def dismiss(self, signature: int) -> None:
        """Take out a page that is anticipated no more, or was found."""
        shown = self._anticipated.pop(signature)
        for region, awaited in self._awaited.items():
            awaited[self._strip(signature, shown, region)] -= 1

    def _without(self, state: int, region: int) -> int:
        """Return the signature of a state without a region."""
        return self._strip(self.signatures[state], self._shown[state], region)

    def _strip(self, signature: int, shown: Shown, region: int) -> int:
        value = shown.get(region, ABSENT)
        return signature ^ (self._weights[value] if value >= 0 else 0)

    def learn(self, event: int, source: int, target: int) -> Lesson:
        """Learn from one execution, and say what is to be seen otherwise now.

        That is nothing when every region came to show what it was predicted to.
        """
        habit = self._habits[event]
        before, after = self._shown[source], self._shown[target]
        is_first = not habit.executions
        habit.executions.append((source, target))
        rebuilt, rejudged = is_first, False
        values = []
        if is_first:
            was_idle = habit.group.is_idle
            habit.group.idle.count(is_right=source == target)
            rejudged = was_idle != habit.group.is_idle
        for region in before.keys() | after.keys():
            old, new = before.get(region, ABSENT), after.get(region, ABSENT)
            table = habit.tables.get(region)
            if table is not None and table.after.get(table.key(old, before)) == new:
                if table.maps.right > ENOUGH:
                    continue
            group = habit.group.scores[region]
            judged, rule = group.judgement(), self._rule(habit, region)
            expected = _expected(rule, old, before)
            self._note(habit, region, old, new, before)
            if group.judgement() != judged:
                rejudged = True
            if (now := self._rule(habit, region)) != rule:
                rebuilt = True
            elif _expected(now, old, before) != expected:
                values.append(old)
        self._remember(event, source, target)
        if rebuilt or rejudged:
            habit.rules = None
        if rejudged:
            for peer in habit.group.events:
                self._habits[peer].rules = None
        return Lesson(rebuilt, rejudged, tuple(values))

    def _value(self, region: int, text: str) -> int:
        number = self._values.get((region, text))
        if number is None:
            number = self._values[region, text] = len(self._weights)
            data = f"{region}\0{text}".encode("utf-8", "surrogatepass")
            self._weights.append(int.from_bytes(blake2b(data, digest_size=8).digest()))
            self.showing.append([])
        return number

    def _rules(self, habit: Habit) -> list[Rule]:
        """Return how to predict each region that an event may change."""
        regions = sorted(habit.group.scores.keys() | habit.tables.keys())
        rules = [self._rule(habit, region) for region in regions]
        habit.rules = [
            rule
            for rule in rules
            if not rule.keeps or (rule.table is not None and rule.table.changes)
        ]
        return habit.rules

    def _rule(self, habit: Habit, region: int) -> Rule:
        """Return how to predict a region."""
        group = habit.group.scores[region]
        table = habit.tables.get(region)
        keeps, sets = group.keeps.belief(KEEPS), group.sets.belief(SETS)
        if table is not None:
            keeps, sets = table.keeps.belief(keeps), table.sets.belief(sets)
        value: int | None = None
        if keeps < sets:
            value = group.constant if table is None else table.constant
            if table is None and (len(group.votes) > 1 or group.votes[value or 0] < 2):
                value = OWN
        is_sure = max(keeps, sets) >= SURE or value == OWN
        is_sure_again = group.again.belief(0.5) >= SURE
        if not is_sure:
            value = None
        maps = table is not None and (len(table.votes) == 1 or table.maps.belief(0.5) >= SURE)
        return Rule(region, table, maps, is_sure and keeps >= sets, value, is_sure_again)

    def _note(self, habit: Habit, region: int, old: int, new: int, shown: Shown) -> None:
        """Note what a region showed and came to show, and score the hypotheses by it."""
        group = habit.group.scores[region]
        table = habit.tables.get(region)
        if table is None:
            table = habit.tables[region] = Table(habit.group.context.get(region, ()))
            if new != old:
                table.keeps.count(is_right=False)
                group.keeps.count(is_right=False)
            group.vote(new)
        elif table.is_hopeless:
            return
        elif (seen := table.after.get(table.key(old, shown))) is not None:
            if len(table.votes) > 1 and seen != old:
                table.maps.count(is_right=seen == new)
            if seen != new:
                self._resolve(habit, region, table)
            return
        elif table.constant == old:
            group.again.count(is_right=new == old)
        else:
            for scores in (table, group):
                scores.keeps.count(is_right=new == old)
                scores.sets.count(is_right=new == table.constant)
        table.note(table.key(old, shown), old, new)
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
                self._rewrite(table, recent, region, context)
                if region not in habit.group.context:
                    habit.group.context[region] = context
                return
        table.is_hopeless = True
        table.changes = True
        table.after = {}

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

    def _rewrite(
        self,
        table: Table,
        executions: list[tuple[int, int]],
        region: int,
        context: tuple[int, ...],
    ) -> None:
        """Write the table anew, with other regions in its keys."""
        table.context = context
        table.maps = Score()
        table.after = {}
        for source, target in executions:
            shown = self._shown[source]
            old, new = shown.get(region, ABSENT), self._shown[target].get(region, ABSENT)
            table.note(table.key(old, shown), old, new)


def _expected(rule: Rule, old: int, shown: Shown) -> int | None:
    """Return what a region should come to show by a rule; None: unclear."""
    _, table, maps, keeps, value, is_sure_again = rule
    new = old if keeps else value
    if table is not None:
        seen = table.after.get(table.key(old, shown) if table.context else old)
        if seen is not None:
            if seen != new:
                new = seen if maps else None
        elif new == old and not keeps and not is_sure_again:
            new = None  # many a control undoes what it did
    return new
