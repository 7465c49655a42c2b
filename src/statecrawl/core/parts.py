"""Which parts of a page an event has to do with: what content can be covered without combining it.

Two executions of an event agree if it did the same to every region: kept what it showed, or made
it show the same. Where two disagree the event hangs on regions that differed before: those that
explain it are taken in. Any other region that it never changed is dismissed when it showed several
things and the event did the same each time.

To fire an event is worth it where what it hangs on shows together what it never did before, or
where a region that is not dismissed shows what it never showed. Anywhere else it would only
combine known content anew.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from enum import Enum, StrEnum, auto

from statecrawl.core.model import Model

TESTS = 2
"""How often a region has to show something else, with no effect, before it is dismissed."""

PEERS = 12
"""How often so for the events of a group, before it is dismissed for all of them."""

MEMORY = 100
"""With how many executions each one is compared."""

_LOOK_ALIKE = ""
"""The region that tells states apart which show the same in all others."""

_Shown = Mapping[str, str]
_Key = tuple[str, ...]


class Coverage(StrEnum):
    """What a crawl is after."""

    FULL = "full"  # every state
    CONTENT = "content"  # everything that any state shows, not every combination of it


class Promise(Enum):
    """What firing an event somewhere may show."""

    NEW = auto()  # anything: it was never fired
    UNTRIED = auto()  # something: it was fired, but never where its part showed this
    KNOWN = auto()  # only known content, combined anew


class _Execution:
    """What regions showed before an event was fired, and after."""

    __slots__ = ("after", "before")

    def __init__(self, before: _Shown, after: _Shown) -> None:
        self.before = before
        self.after = after

    @property
    def changed(self) -> list[str]:
        """The regions that the event changed."""
        regions = {**self.before, **self.after}
        return [r for r in regions if self.before.get(r, "") != self.after.get(r, "")]

    def agrees(self, other: "_Execution") -> bool:
        """Tell whether the event did the same to every region."""
        for region in self.after.keys() | other.after.keys() | self.before.keys():
            after = self.after.get(region, "")
            if after != other.after.get(region, "") and not (
                after == self.before.get(region, "")
                and other.after.get(region, "") == other.before.get(region, "")
            ):
                return False
        return True


class _Group:
    """What is known of events that stand at the same kind of place."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()
        self.hang_on: set[str] = set()

    def dismisses(self, region: str) -> bool:
        """Tell whether none of the events seems to hang on a region."""
        return self.tests[region] >= PEERS and region not in self.hang_on


class _Part:
    """The regions that one event hangs on, and what was tried."""

    def __init__(self, group: _Group) -> None:
        self.group = group
        self.hangs_on: tuple[str, ...] = ()
        self.changes: set[str] = set()
        self.is_unclear = False
        self.executions: list[_Execution] = []
        self.tests: Counter[str] = Counter()
        self.tried: set[_Key] = set()
        self.seen: defaultdict[str, set[str]] = defaultdict(set)

    def key(self, shown: _Shown) -> _Key:
        """Return what the regions show that the event hangs on."""
        return tuple([shown.get(region, "") for region in self.hangs_on])

    def hang_on(self, regions: tuple[str, ...]) -> None:
        """Take it that the event hangs on these regions."""
        self.hangs_on = regions
        self.group.hang_on.update(regions)
        self.tried = {self.key(each.before) for each in self.executions}

    def may_hang_on(self, region: str) -> bool:
        """Tell whether what a region shows may matter, as far as is known."""
        return region in self.changes or (
            self.tests[region] < TESTS and not self.group.dismisses(region)
        )

    def has_tried(self, shown: _Shown) -> bool:
        """Tell whether the event was fired where all that may matter showed the same."""
        return self.key(shown) in self.tried and not any(
            value not in self.seen[region] and self.may_hang_on(region)
            for region, value in shown.items()
        )

    def take_in(self, execution: _Execution) -> None:
        """Note one more execution, which agrees with all others or was made to."""
        self.tried.add(self.key(execution.before))
        for region, value in execution.before.items():
            self.seen[region].add(value)


class Parts:
    """Learns what events hang on, and says what firing them may show."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._shown: list[_Shown] = []
        self._look_alikes: Counter[frozenset[tuple[str, str]]] = Counter()
        self._parts: dict[tuple[int, str], _Part] = {}
        self._groups: defaultdict[str | None, _Group] = defaultdict(_Group)

    def promise(self, state: int, event: int, url: str = "") -> Promise:
        """Tell what firing an event may show; a link to another URL is another event."""
        part = self._parts.get((event, url))
        if part is None:
            return Promise.NEW
        if part.is_unclear or not part.has_tried(self._regions(state)):
            return Promise.UNTRIED
        return Promise.KNOWN

    def learn(self, source: int, event: int, target: int, url: str = "") -> bool:
        """Learn from one execution; tell whether it may be worth it elsewhere now."""
        part = self._parts.get((event, url))
        if part is None:
            group = self._model.events[event].group
            shared = _Group() if group is None else self._groups[group]
            part = self._parts[event, url] = _Part(shared)
        execution = _Execution(self._regions(source), self._regions(target))
        before = part.hangs_on, part.is_unclear, len(part.changes)
        part.changes.update(execution.changed)
        part.executions.append(execution)
        key = part.key(execution.before)
        others = [each for each in part.executions[-MEMORY:-1] if part.key(each.before) == key]
        if not all(execution.agrees(other) for other in others):
            self._resolve(part)
        elif others:
            self._count_tests(part, execution)
        part.take_in(execution)
        return (part.hangs_on, part.is_unclear, len(part.changes)) != before

    def _count_tests(self, part: _Part, execution: _Execution) -> None:
        """Count every region that showed something else than before, with no effect."""
        for region, value in execution.before.items():
            if value not in part.seen[region]:
                part.tests[region] += 1
                part.group.tests[region] += 1

    def _resolve(self, part: _Part) -> None:
        """Take in regions, one after the other, until no executions disagree."""
        recent = part.executions[-MEMORY:]
        candidates = dict.fromkeys(region for each in recent for region in each.before)
        hangs_on = part.hangs_on
        conflicts = _conflicts(recent, hangs_on)
        while conflicts:
            tried = {
                region: _conflicts(recent, (*hangs_on, region))
                for region in candidates
                if region not in hangs_on
            }
            best = min(tried, key=lambda region: tried[region], default=None)
            if best is None or tried[best] >= conflicts:
                part.is_unclear = True
                break
            hangs_on, conflicts = (*hangs_on, best), tried[best]
        part.hang_on(hangs_on)

    def _regions(self, state: int) -> _Shown:
        """Return what the regions of a state show; no two states show the same."""
        for number in range(len(self._shown), state + 1):
            shown = self._model.regions[number] or {_LOOK_ALIKE: self._model.states[number]}
            whole = frozenset(shown.items())
            self._look_alikes[whole] += 1
            if self._look_alikes[whole] > 1:
                shown = {**shown, _LOOK_ALIKE: str(self._look_alikes[whole])}
            self._shown.append(shown)
        return self._shown[state]


def _conflicts(executions: list[_Execution], regions: tuple[str, ...]) -> int:
    """Count the executions that disagree with another one where these regions showed the same."""
    alike: defaultdict[_Key, list[_Execution]] = defaultdict(list)
    conflicts = 0
    for execution in executions:
        others = alike[tuple(execution.before.get(region, "") for region in regions)]
        conflicts += any(not execution.agrees(other) for other in others)
        others.append(execution)
    return conflicts
