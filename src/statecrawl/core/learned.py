"""What a crawl taught about events: what each did to each region, told in texts.

The learner of the strategy effects (`core.effects`) hears the executions once more, whichever
strategy made them; here its tables are put into words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from statecrawl.core.effects import Effects
from statecrawl.core.habits import Key, Table


class Kind(StrEnum):
    """What an event does to a region."""

    KEEPS = "keeps"
    SETS = "sets"  # whatever it showed, it comes to show one thing
    MAPS = "maps"  # what it comes to show hangs on what was shown
    UNCLEAR = "unclear"  # it came to show different things, and nothing shown explains them


Shown = str | None
"""What a region shows; None: it is not on the page."""


class RegionEffect(NamedTuple):
    """What an event did to one region: by what the regions named showed, what it came to show."""

    kind: Kind
    by: tuple[str, ...] = ()
    after: Mapping[tuple[Shown, ...], Shown] = {}


class EventEffects(NamedTuple):
    """What an event did to every region, and how often it was executed."""

    event: str
    group: str | None
    times: int
    regions: Mapping[str, RegionEffect]

    def to_json(self) -> dict[str, Any]:
        """Return the effects by kind."""
        of_kind: dict[Kind, dict[str, RegionEffect]] = {kind: {} for kind in Kind}
        for region, effect in self.regions.items():
            of_kind[effect.kind][region] = effect
        return {
            "event": self.event,
            "group": self.group,
            "times": self.times,
            "keeps": list(of_kind[Kind.KEEPS]),
            "sets": {
                region: next(iter(effect.after.values()))
                for region, effect in of_kind[Kind.SETS].items()
            },
            "maps": {
                region: {
                    "by": effect.by,
                    "values": [{"from": old, "to": new} for old, new in effect.after.items()],
                }
                for region, effect in of_kind[Kind.MAPS].items()
            },
            "unclear": list(of_kind[Kind.UNCLEAR]),
        }


class GroupEffect(NamedTuple):
    """What the events of a group do to one region: how many of each kind, to how many values."""

    group: str
    events: int
    times: int
    region: str
    kinds: Mapping[Kind, int]
    values: int


def learned_effects(
    regions: Mapping[str, Mapping[str, str]],
    groups: Mapping[str, str],
    executions: Iterable[tuple[str, str, str]],
) -> list[EventEffects]:
    """Learn from executions (source, event, target) what each event does.

    Given are what the regions of each state show, and the group of each event that has one.
    """
    learner = Effects()
    states: dict[str, int] = {}
    events: dict[str, int] = {}
    for state, shown in regions.items():
        states[state] = len(states)
        learner.pages.discover(shown)
    for source, event, target in executions:
        if event not in events:
            events[event] = len(events)
            learner.meet(groups.get(event))
        learner.learn(events[event], states[source], states[target])
    names, texts = learner.pages.regions, learner.pages.texts
    return [
        EventEffects(
            event,
            groups.get(event),
            learner.times(number),
            {
                names[region]: _effect(region, table, names, texts)
                for region, table in sorted(learner.tables(number).items())
            },
        )
        for event, number in events.items()
    ]


def by_group(effects: Iterable[EventEffects]) -> list[GroupEffect]:
    """Sum up what the events of each group do to each region that some of them change.

    An event without a group is one of its own.
    """
    groups: defaultdict[str, list[EventEffects]] = defaultdict(list)
    for each in effects:
        groups[each.event if each.group is None else each.group].append(each)
    return [effect for name, members in groups.items() for effect in _summed_up(name, members)]


def _summed_up(group: str, members: list[EventEffects]) -> list[GroupEffect]:
    times = sum(each.times for each in members)
    summed = []
    for region in dict.fromkeys(region for each in members for region in each.regions):
        met = [each.regions[region] for each in members if region in each.regions]
        kinds = Counter(effect.kind for effect in met)
        values = {
            value
            for effect in met
            if effect.kind is not Kind.KEEPS
            for value in effect.after.values()
        }
        if kinds[Kind.KEEPS] < len(met):
            summed.append(GroupEffect(group, len(members), times, region, kinds, len(values)))
    return summed


def _effect(region: int, table: Table, names: list[str], texts: list[str]) -> RegionEffect:
    if table.is_hopeless:
        return RegionEffect(Kind.UNCLEAR)

    def shown(value: int) -> Shown:
        return texts[value] if value >= 0 else None

    by = tuple(names[other] for other in (region, *table.context))
    after = {tuple(map(shown, _values(key))): shown(new) for key, new in table.after.items()}
    if not table.changes:
        kind = Kind.KEEPS
    elif len(set(after.values())) == 1:
        kind = Kind.SETS
    else:
        kind = Kind.MAPS
    return RegionEffect(kind, by, after)


def _values(key: Key) -> tuple[int, ...]:
    return key if isinstance(key, tuple) else (key,)
