"""What one event, and a group of them, was seen to do to each region of a page."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

ABSENT = -1
"""What a region shows that is not on the page."""

OWN = -2
"""Stands for a value of its own that an event sets, which nobody has seen yet."""

NOT_CLEAR = -1
"""How a signature changes by what nobody knows; all that is known is no less than 0."""

SURE = 0.6
"""How much belief a prediction needs."""

KEEPS, SETS = 0.7, 0.5
"""How much is believed in keeping and in setting before anything was seen."""

ENOUGH = 5
"""How often a table has to be right before nobody keeps count any more."""

MEMORY = 200
"""How many executions of an event, the latest, are looked at to find out what explains them."""

Shown = Mapping[int, int]
Key = int | tuple[int, ...]


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

    __slots__ = ("after", "changes", "context", "is_hopeless", "repeats")

    def __init__(self, context: tuple[int, ...]) -> None:
        super().__init__()
        self.after: dict[Key, int] = {}
        self.changes = False
        self.repeats = 0
        self.context = context
        self.is_hopeless = False

    def key(self, old: int, shown: Shown) -> Key:
        """Return what the outcome hangs on."""
        if not self.context:
            return old
        return (old, *(shown.get(region, ABSENT) for region in self.context))

    def restart(self, context: tuple[int, ...]) -> None:
        """Begin anew, with other regions in the keys."""
        self.context = context
        self.maps = Score()
        self.repeats = 0
        self.after = {}

    def give_up(self) -> None:
        """Take it that no few regions explain what happens."""
        self.is_hopeless = True
        self.changes = True
        self.after = {}

    def note(self, key: Key, old: int, new: int) -> None:
        """Write down one outcome."""
        self.after[key] = new
        self.changes = self.changes or old != new


UNTOUCHED = Table(())
"""What an event did to a region that was on no page that it was fired on, nor led to: nothing."""
UNTOUCHED.note(ABSENT, ABSENT, ABSENT)
UNTOUCHED.vote(ABSENT)


class Group:
    """What is known of events that stand at the same kind of place.

    Those that were never fired are all expected to do the same: what the `novice` does.
    """

    def __init__(self) -> None:
        self.novice = Habit(self)
        self.scores: defaultdict[int, Scores] = defaultdict(Scores)
        self.context: dict[int, tuple[int, ...]] = {}
        self.events: list[int] = []
        self.has_cases = False
        self.idle = Score()
        # Which events undo which; for states that unclear ones led to, from where.
        self.undoes: defaultdict[tuple[int, int], Score] = defaultdict(Score)
        self.unclear: list[int] = []
        self.came_from: defaultdict[int, dict[int, int]] = defaultdict(dict)

    @property
    def is_idle(self) -> bool:
        """Tell whether such events seem to do nothing at all."""
        return self.idle.belief(0) > 0.7

    def meet_first(self, *, is_idle: bool) -> bool:
        """Count the first execution of an event; tell whether that changes what it seems."""
        was_idle = self.is_idle
        self.idle.count(is_right=is_idle)
        return self.is_idle != was_idle


class Deltas(dict[int, int]):  # noqa: PLW1641 - as little to be hashed as any dict
    """How a rule changes the signature of a page, by what the region shows, as far as worked out.

    `NOT_CLEAR` and `OWN` are no changes. None of this is part of what a rule says.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deltas)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, Deltas)


class Rule(NamedTuple):
    """How to predict one region: by the table, else what it shows, else a value, else unclear."""

    region: int
    table: Table | None
    maps: bool
    keeps: bool
    value: int | None
    is_sure_again: bool
    deltas: Deltas

    def expected(self, old: int, shown: Shown) -> int | None:
        """Return what the region should come to show; None: unclear."""
        _, table, maps, keeps, value, is_sure_again, _ = self
        new = old if keeps else value
        if table is not None:
            seen = table.after.get(table.key(old, shown) if table.context else old)
            if seen is not None:
                if seen != new:
                    new = seen if maps else None
            elif new == old and not keeps and not is_sure_again:
                new = None  # many a control undoes what it did
        return new

    def hangs_on(self, old: int, shown: Shown) -> tuple[int, ...]:
        """Return what has to be shown that the same is expected of the table."""
        context = () if self.table is None else self.table.context
        return (old, *(shown.get(region, ABSENT) for region in context))


class Outcome(NamedTuple):
    """What a page should come to: its signature, without the region that is unclear, if any.

    `is_own`: something should come to show what nobody has seen yet.
    """

    signature: int
    unclear: int | None
    is_own: bool
    is_muddled: bool
    """Whether more than one region is unclear."""


class Habit:
    """What one event does, or all of a group that were never fired."""

    __slots__ = ("_rules", "executions", "group", "outcomes", "tables", "times")

    def __init__(self, group: Group) -> None:
        self.group = group
        # What the novice should do in states: many events ask for the same.
        self.outcomes: dict[int, Outcome] = {}
        self.tables: dict[int, Table] = {}
        self.executions: list[tuple[int, int]] = []
        self.times = 0
        self._rules: list[Rule] | None = None

    def execute(self, source: int, target: int) -> None:
        """Note one more execution; only the latest are kept."""
        self.times += 1
        self.executions.append((source, target))
        if len(self.executions) > 2 * MEMORY:
            del self.executions[:MEMORY]

    def rules(self) -> list[Rule]:
        """Return how to predict each region that the event may change."""
        if self._rules is None:
            regions = sorted(self.group.scores.keys() | self.tables.keys())
            self._rules = [
                rule
                for rule in map(self.rule, regions)
                if not rule.keeps or (rule.table is not None and rule.table.changes)
            ]
        return self._rules

    def renew(self, ignored: frozenset[int] = frozenset()) -> bool:
        """Work the rules out anew, if anybody asked for them; tell whether they have changed.

        Those for some regions may be ignored.
        """
        before, self._rules = self._rules, None
        if before is None:
            return False
        now = self.rules()
        if now == before:
            self._rules = before  # so that nobody takes them for others
            for rule in before:
                rule.deltas.clear()  # the table may say more than it did
            return False
        self.outcomes.clear()
        if not ignored:
            return True
        return [rule for rule in now if rule.region not in ignored] != [
            rule for rule in before if rule.region not in ignored
        ]

    def rule(self, region: int) -> Rule:
        """Return how to predict a region."""
        group = self.group.scores[region]
        table = self.tables.get(region, UNTOUCHED if self.executions else None)
        keeps, sets = group.keeps.belief(KEEPS), group.sets.belief(SETS)
        if table is not None:
            keeps, sets = table.keeps.belief(keeps), table.sets.belief(sets)
        value: int | None = None
        if keeps < sets:
            value = group.constant if table is None else table.constant
            if table is None and (len(group.votes) > 1 or group.votes[value or 0] < 2):
                value = OWN
        is_sure = max(keeps, sets) >= SURE or value == OWN
        maps = table is not None and (len(table.votes) == 1 or table.maps.belief(0.5) >= SURE)
        return Rule(
            region,
            table,
            maps,
            is_sure and keeps >= sets,
            value if is_sure else None,
            group.again.belief(0.5) >= SURE,
            Deltas(),
        )

    def is_settled(self, region: int, old: int, new: int, shown: Shown) -> bool:
        """Tell whether one more such outcome would teach nothing."""
        table = self.tables.get(region)
        return (
            table is not None
            and table.repeats > ENOUGH
            and table.after.get(table.key(old, shown)) == new
        )

    def note(self, region: int, old: int, new: int, shown: Shown) -> bool:
        """Note what a region showed and came to show; tell whether that is a contradiction."""
        group = self.group.scores[region]
        table = self.tables.get(region)
        if table is None:
            table = self.tables[region] = Table(self.group.context.get(region, ()))
            if new != old:
                table.keeps.count(is_right=False)
                group.keeps.count(is_right=False)
            group.vote(new)
        elif table.is_hopeless:
            return False
        elif (seen := table.after.get(table.key(old, shown))) is not None:
            table.repeats += 1
            if len(table.votes) > 1:
                table.maps.count(is_right=seen == new)
            return seen != new
        elif table.constant == old:
            # Where such controls are not known to undo what they did, it goes on to something else.
            if new != old and group.again.belief(0.5) >= 0.5:
                table.sets.count(is_right=False)
            group.again.count(is_right=new == old)
        else:
            for scores in (table, group):
                scores.keeps.count(is_right=new == old)
                scores.sets.count(is_right=new == table.constant)
        table.note(table.key(old, shown), old, new)
        table.vote(new)
        return False
