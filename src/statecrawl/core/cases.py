"""Cases: an event that hangs on what a region shows is taken as one event for each value.

A file's name is one event in every folder, but selects another file in each. What such an event
does is simple once it is told apart by the region that it hangs on, here the folder: in each case
it keeps a region or sets it to a constant, as any other event does.
"""

from collections import defaultdict
from collections.abc import Sequence

from statecrawl.core.contexts import Change
from statecrawl.core.habits import ABSENT, Group, Habit, Rule, Shown


class Cases:
    """One event as a group of events: one for each value that a region showed before.

    Only what it does to some regions is told apart; with the others it does the same everywhere.
    """

    __slots__ = ("_same", "_seen", "group", "habits", "region", "tangled")

    def __init__(self, region: int, tangled: frozenset[int]) -> None:
        self.region = region
        self.tangled = tangled
        self.group = Group()
        self.habits: dict[int, Habit] = {}
        # The rules for all cases, and those of them for regions that are not told apart.
        self._seen: list[Rule] = []
        self._same: list[Rule] = []

    def habit(self, shown: Shown) -> Habit:
        """Return what the event does on such pages."""
        value = shown.get(self.region, ABSENT)
        habit = self.habits.get(value)
        if habit is None:
            habit = self.habits[value] = Habit(self.group)
        return habit

    def rules(self, everywhere: Habit, shown: Shown) -> list[Rule]:
        """Return how to predict what the event does on such pages: here, and everywhere."""
        if everywhere.rules() is not self._seen:
            self._seen = everywhere.rules()
            self._same = [rule for rule in self._seen if rule.region not in self.tangled]
        return self._same + self.habit(shown).rules()

    def renewed(self) -> list[int]:
        """Work all rules out anew; return in which cases they have changed."""
        return [value for value, habit in self.habits.items() if habit.renew()]


def told_apart(changes: Sequence[Change], missed: set[int]) -> Cases | None:
    """Return the cases by which what an event did to a region is simple that was not foreseen.

    The region that tells them apart has to be one that the event itself leaves alone. The more
    regions it makes simple the better, and the fewer values it has.
    """
    regions = {region for before, after in changes for region in (*before, *after)}
    pairs = {region: _pairs(changes, region) for region in regions}
    tangled = frozenset(region for region in regions if not _is_simple(pairs[region]))
    best, cases = (0, 0), None
    for region in sorted(regions) if tangled & missed else ():
        of_value: defaultdict[int, list[Change]] = defaultdict(list)
        for change in changes:
            of_value[change[0].get(region, ABSENT)].append(change)
        healed = {
            r for r in tangled if all(_is_simple(_pairs(some, r)) for some in of_value.values())
        }
        is_supported = any(len(_pairs(some, r)) > 1 for some in of_value.values() for r in healed)
        merit = (len(healed), -len(of_value))
        if healed & missed and is_supported and merit > best:
            best, cases = merit, Cases(region, tangled)
    return cases


def _pairs(changes: Sequence[Change], region: int) -> set[tuple[int, int]]:
    return {(before.get(region, ABSENT), after.get(region, ABSENT)) for before, after in changes}


def _is_simple(pairs: set[tuple[int, int]]) -> bool:
    """Tell whether a region was always kept, or always set to the same."""
    return all(old == new for old, new in pairs) or len({new for _, new in pairs}) == 1
