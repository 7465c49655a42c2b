"""Contexts: which other regions explain what an event does to a region that contradicts itself."""

from collections.abc import Mapping

from statecrawl.core.habits import ABSENT, MEMORY, Habit, Key, Shown, Table

MAX_CONTEXT = 2
"""How many regions besides itself may explain what a region comes to show."""

Change = tuple[Shown, Shown]
"""What a page showed before an event, and after it."""


def resolve(habit: Habit, region: int, shown: Mapping[int, Shown]) -> None:
    """Find other regions that explain a contradiction, one after the other."""
    recent = changes(habit, shown)
    candidates = sorted({other for before, _ in recent for other in before} - {region})
    table = habit.tables[region]
    context: tuple[int, ...] = ()
    while len(context) < MAX_CONTEXT:
        tried = [(*context, other) for other in candidates if other not in context]
        if not tried:
            break
        context = min(tried, key=lambda regions: _conflicts(recent, region, regions))
        if not _conflicts(recent, region, context):
            _rewrite(table, recent, region, context)
            habit.group.context.setdefault(region, context)
            return
    table.give_up()


def changes(habit: Habit, shown: Mapping[int, Shown]) -> list[Change]:
    """Return what pages showed before and after the latest executions of an event."""
    return [(shown[source], shown[target]) for source, target in habit.executions[-MEMORY:]]


def _conflicts(recent: list[Change], region: int, context: tuple[int, ...]) -> int:
    """Count the executions that contradict another one."""
    outcomes: dict[Key, int] = {}
    conflicts = 0
    for before, after in recent:
        key = tuple(before.get(r, ABSENT) for r in (region, *context))
        new = after.get(region, ABSENT)
        conflicts += outcomes.setdefault(key, new) != new
    return conflicts


def _rewrite(table: Table, recent: list[Change], region: int, context: tuple[int, ...]) -> None:
    """Write the table anew, with other regions in its keys."""
    table.restart(context)
    for before, after in recent:
        old = before.get(region, ABSENT)
        table.note(table.key(old, before), old, after.get(region, ABSENT))
