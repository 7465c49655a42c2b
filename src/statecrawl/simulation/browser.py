"""An explicit application behind the browser port."""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from statecrawl.core.application import Application, Regions
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.snapshot import Event, Snapshot


class _Page(NamedTuple):
    """What the application is in one state."""

    snapshot: Snapshot
    targets: Mapping[str, str | None]
    outcomes: Mapping[str, Mapping[str, int]]


_DONE = Halt.DONE
_BLANK_PAGE = _Page(Snapshot("", ()), {}, {})


class SimulatedBrowser:
    """One tab over an application: a state's name is its page.

    Where the application has outcomes, an event leads to one of them by chance, as often as
    they were counted; the chances come from the generator given. An event whose target is
    None can't be fired.
    """

    def __init__(self, application: Application, random: Random) -> None:
        self._application = application
        self._regions = application.regions
        self._random = random
        self._pages: dict[str, _Page] = {}
        self._page = _BLANK_PAGE
        self._events: dict[str, Event] = {}

    def sibling(self) -> "SimulatedBrowser":
        """Return another blank tab over the same application, with the same pages at hand."""
        sibling = SimulatedBrowser(self._application, self._random)
        sibling._pages = self._pages
        sibling._events = self._events
        return sibling

    def divide(self, regions: Regions) -> None:
        """Show other regions from now on."""
        self._regions = regions
        self._pages.clear()

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan in no time."""
        return self.run(plan)

    def run(self, plan: Plan) -> Execution:
        """Execute the plan, for those who don't wait."""
        if plan.entry is not None:
            self._page = self._load(plan.entry)
            if plan.expected_entry not in (None, plan.entry):
                return Execution((self._page.snapshot,), Halt.DIVERGED)
        pages, page = self._pages, self._page
        snapshots = [] if plan.entry is None else [page.snapshot]
        halt = _DONE
        for event, expected in plan.steps:
            target = page.targets.get(event)
            if page.outcomes:
                target = self._outcome(page.outcomes.get(event), target)
            if target is None:
                halt = Halt.REFUSED
                break
            page = pages.get(target) or self._load(target)
            snapshots.append(page.snapshot)
            if expected is not None and expected != target:
                halt = Halt.DIVERGED
                break
        self._page = page
        return Execution(tuple(snapshots), halt)

    def _outcome(self, counts: Mapping[str, int] | None, usual: str | None) -> str | None:
        """Return where an event leads this time."""
        if counts is None:
            return usual
        return self._random.choices(list(counts), list(counts.values()))[0]

    def _load(self, state: str) -> _Page:
        page = self._pages.get(state)
        if page is None:
            targets = self._application.states[state]
            events = tuple(map(self._event, targets))
            snapshot = Snapshot(state, events, regions=self._regions.get(state, {}))
            outcomes = self._application.outcomes.get(state, {})
            page = self._pages[state] = _Page(snapshot, targets, outcomes)
        return page

    def _event(self, identity: str) -> Event:
        event = self._events.get(identity)
        if event is None:
            group = self._application.groups.get(identity)
            event = self._events[identity] = Event(identity, group)
        return event


def identity(snapshot: Snapshot) -> str:
    """Return the name of the simulated state: its whole page."""
    return snapshot.dom
