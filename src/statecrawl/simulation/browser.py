"""An explicit application behind the browser port."""

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

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan in no time."""
        snapshots = []
        state = self._state
        if plan.entry is not None:
            state = self._state = plan.entry
            snapshots.append(self._snapshot(state))
            if plan.expected_entry is not None and plan.expected_entry != state:
                return Execution(tuple(snapshots), Halt.DIVERGED)
        states = self._application.states
        for event, expected in plan.steps:
            target = None if state is None else states[state].get(event)
            if state is not None and state in self._application.outcomes:
                target = self._outcome(state, event, target)
            if target is None:
                return Execution(tuple(snapshots), Halt.REFUSED)
            state = self._state = target
            snapshots.append(self._snapshot(state))
            if expected is not None and expected != state:
                return Execution(tuple(snapshots), Halt.DIVERGED)
        return Execution(tuple(snapshots))

    def _outcome(self, state: str, event: str, usual: str | None) -> str | None:
        counts = self._application.outcomes[state].get(event)
        if counts is None:
            return usual
        return self._random.choices(list(counts), list(counts.values()))[0]

    def _snapshot(self, state: str) -> Snapshot:
        snapshot = self._snapshots.get(state)
        if snapshot is None:
            groups = self._application.groups
            snapshot = self._snapshots[state] = Snapshot(
                dom=state,
                events=tuple(Event(e, groups.get(e)) for e in self._application.states[state]),
                regions=self._application.regions.get(state, {}),
            )
        return snapshot


def identity(snapshot: Snapshot) -> str:
    """Return the name of the simulated state: its whole page."""
    return snapshot.dom
