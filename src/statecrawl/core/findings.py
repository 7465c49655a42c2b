"""Findings: what is wrong with an application, in which state, after which event."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from statecrawl.core.plan import Execution, Plan
from statecrawl.core.problems import OF_STATES, FindingKind, Problem
from statecrawl.core.snapshot import Snapshot


class Passage(NamedTuple):
    """An event fired in a state, and the state it led to.

    Of a reset the source is "" and the event `load URL`.
    """

    source: str
    event: str
    state: str


class Sighting(NamedTuple):
    """A problem as a crawl met it. A page that hangs leads nowhere: its state is the source."""

    passage: Passage
    problem: Problem


class Finding(NamedTuple):
    """A problem with the shortest way to it: events, the first one of them `load URL`."""

    kind: FindingKind
    text: str
    where: str
    source: str
    event: str
    state: str
    path: tuple[str, ...]


def passages(
    plan: Plan, execution: Execution, start: str, identify: Callable[[Snapshot], str]
) -> list[Passage]:
    """Return what each executed step of a plan, its reset included, began with and led to."""
    found = []
    source = start if plan.entry is None else ""
    for (event, _), snapshot in zip(_steps(plan), execution.snapshots, strict=False):
        found.append(Passage(source, event, identify(snapshot)))
        source = found[-1].state
    return found


def sightings(
    plan: Plan, execution: Execution, start: str, identify: Callable[[Snapshot], str]
) -> list[Sighting]:
    """Return every problem that executing a plan met; nearly always there is none."""
    if execution.lost_to is None and not any(effect.problems for effect in execution.effects):
        return []
    passed = passages(plan, execution, start, identify)
    found = [
        Sighting(passage, problem)
        for passage, effect in zip(passed, execution.effects, strict=False)
        for problem in effect.problems
    ]
    if execution.lost_to is not None:
        before = passed[-1].state if passed else start if plan.entry is None else ""
        found.append(Sighting(_lost(plan, len(passed), before), execution.lost_to))
    return found


def _lost(plan: Plan, executed: int, at: str) -> Passage:
    """Return the step that a page was lost in, after so many that were seen to end.

    Nobody tells which of several it was: a step that was never taken before is the first to be
    suspected.
    """
    rest = _steps(plan)[executed:]
    source = at
    for event, expected in rest:
        if expected is None:
            return Passage(source, event, source)
        source = expected
    return Passage(at, rest[0][0], at)


def _steps(plan: Plan) -> list[tuple[str, str | None]]:
    load = [] if plan.entry is None else [(f"load {plan.entry}", plan.expected_entry)]
    return [*load, *plan.steps]


def distinct(found: Iterable[Finding]) -> list[Finding]:
    """Return of findings that say the same the one with the shortest way, the first of such.

    A problem of a step is told once for each event, one of a state once for each state.
    """
    known: dict[tuple[str, ...], Finding] = {}
    for finding in found:
        place = finding.state if finding.kind in OF_STATES else finding.event
        name = (finding.kind, finding.text, place)
        if name not in known or len(finding.path) < len(known[name].path):
            known[name] = finding
    return list(known.values())


def dead_ends(leads: Mapping[str, Iterable[str | None]]) -> list[str]:
    """Return the states that no event leads out of, given where the events of each lead.

    None is an event that nobody has explored: it may lead anywhere.
    """
    return [state for state, targets in leads.items() if all(t == state for t in targets)]
