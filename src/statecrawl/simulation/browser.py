"""An explicit application behind the browser port."""

from collections.abc import Mapping
from random import Random

from statecrawl.core.application import Application
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.snapshot import Event, Snapshot


class SimulatedBrowser:
    """One tab over an application: a state's name is its page.

    Where the application has outcomes, an event leads to one of them by chance, as often as
    they were counted; the chances come from the generator given. An event whose target is
    None can't be fired.
    """

    def __init__(self, application: Application, random: Random) -> None:
        self._application = application
        self._random = random
        self._state: str | None = None
        self._snapshots: dict[str, Snapshot] = {}
        self._events: dict[str, Event] = {}

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan in no time."""
        snapshots = []
        states, outcomes = self._application.states, self._application.outcomes
        known = self._snapshots
        state = self._state
        halt = Halt.DONE
        if plan.entry is not None:
            state = plan.entry
            snapshots.append(self._snapshot(state))
            if plan.expected_entry not in (None, state):
                halt = Halt.DIVERGED
        for event, expected in plan.steps if halt is Halt.DONE else ():
            target = None if state is None else states[state].get(event)
            if state is not None and state in outcomes:
                target = self._outcome(outcomes[state].get(event), target)
            if target is None:
                halt = Halt.REFUSED
                break
            state = target
            snapshots.append(known.get(state) or self._snapshot(state))
            if expected is not None and expected != state:
                halt = Halt.DIVERGED
                break
        self._state = state
        return Execution(tuple(snapshots), halt)

    def _outcome(self, counts: Mapping[str, int] | None, usual: str | None) -> str | None:
        """Return where an event leads this time."""
        if counts is None:
            return usual
        return self._random.choices(list(counts), list(counts.values()))[0]

    def _snapshot(self, state: str) -> Snapshot:
        snapshot = self._snapshots.get(state)
        if snapshot is None:
            snapshot = self._snapshots[state] = Snapshot(
                dom=state,
                events=tuple(map(self._event, self._application.states[state])),
                regions=self._application.regions.get(state, {}),
            )
        return snapshot

    def _event(self, identity: str) -> Event:
        event = self._events.get(identity)
        if event is None:
            group = self._application.groups.get(identity)
            event = self._events[identity] = Event(identity, group)
        return event


def identity(snapshot: Snapshot) -> str:
    """Return the name of the simulated state: its whole page."""
    return snapshot.dom
