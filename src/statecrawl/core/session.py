"""The crawl session: told what a plan led to, it answers with the next plan for a cursor."""

from collections import Counter
from enum import StrEnum

from statecrawl.core.frontier import Frontier
from statecrawl.core.model import BLANK, Model, Recorded, Transition
from statecrawl.core.paths import any_way
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.ports import Browser, Identity
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.strategy import Knowledge, Route, StrategyFactory

MAX_ATTEMPTS = 5
"""How often a cursor may set out for the same open event and not arrive, before the crawl
gives it up: what bounds a crawl of an application that never does the same thing twice."""


class StopReason(StrEnum):
    """Why a crawl is over."""

    COMPLETE = "complete"  # every enabled event of every state was explored
    GAVE_UP = "gave_up"  # some could not be reached any more


class Crawl:
    """One crawl by any number of cursors over one model.

    For each cursor in turn: `plan` says what to execute, `observe` takes what was seen. While
    a plan is under way its open events are claimed, so that no two cursors explore the same.
    """

    def __init__(
        self,
        entries: list[str],
        strategy: StrategyFactory,
        identity: Identity,
        reset_cost: float,
    ) -> None:
        self.model = Model(entries)
        self.frontier = Frontier(self.model)
        self.events = 0
        self.resets = 0
        self.discoveries: list[tuple[int, int]] = []
        self.failures: Counter[Halt] = Counter()
        self.given_up: list[tuple[int, int]] = []
        self.reset_cost = reset_cost
        self.strategy = strategy(Knowledge(self.model, self.frontier, reset_cost))
        self._identity = identity
        self._where: dict[int, int] = {}
        self._under_way: dict[int, Route] = {}
        self._attempts: Counter[tuple[int, int]] = Counter()
        self._take_in(BLANK)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing is open and no cursor is under way."""
        return self.frontier.total == 0 and not self._under_way

    @property
    def stop_reason(self) -> StopReason:
        """Tell how a crawl that is over ended."""
        return StopReason.GAVE_UP if self.given_up else StopReason.COMPLETE

    @property
    def nondeterministic(self) -> list[tuple[str, str]]:
        """Every state and event seen to lead to more than one state; the state of a reset: ''."""
        return [
            (self.model.states[transition.source], transition.step.event)
            for transition in self.model.nondeterministic
        ]

    def cost(self, events: int, resets: int) -> float:
        """Return the cost of so many events and resets, in events."""
        return events + resets * self.reset_cost

    def plan(self, cursor: int = 0) -> Plan | None:
        """Return what this cursor should execute; None while there is nothing for it to do."""
        state = self._where.get(cursor, BLANK)
        while self.frontier.total:
            route = self.strategy.route(cursor, state) or self._last_resort(state)
            if route is not None:
                self._under_way[cursor] = route
                for transition in route:
                    if not transition.times:
                        self._close(transition.source, transition.event)
                return self._plan(route)
            if self._under_way:
                return None  # what the other cursors find may lead on
            self._give_up_rest()
        return None

    def observe(self, execution: Execution, cursor: int = 0) -> None:
        """Take in what executing this cursor's plan showed."""
        route = self._under_way.pop(cursor)
        executed = len(execution.snapshots)
        at = route[0].source
        has_reset = at == BLANK and executed > 0
        self.resets += has_reset
        events_before = self.events - has_reset
        states, identify = self.model.states, self._identity
        for number, snapshot in enumerate(execution.snapshots, start=1):
            transition = route[number - 1]
            public_id = identify(snapshot)
            target = transition.target
            if (
                target is not None
                and public_id == states[target]
                and transition.times
                and transition.outcomes is None
            ):
                transition.times += 1  # a transfer that went as expected: nearly all do
                at = target
            else:
                self.events = events_before + number
                at = self._learn(cursor, transition, public_id, snapshot)
        self.events = events_before + executed
        self._where[cursor] = at
        if execution.halt is not Halt.DONE:
            self._halted(cursor, route[executed:], execution.halt)

    def _halted(self, cursor: int, rest: Route, halt: Halt) -> None:
        """Give back what a plan did not get to; a page that is lost leaves a blank tab."""
        if halt is not Halt.DIVERGED:
            self.failures[halt] += 1
        if halt is Halt.REFUSED and rest:
            self._refuse(rest[0].source, rest[0].event)
        elif halt is Halt.LOST:
            self._where[cursor] = BLANK
        for transition in rest:
            if not transition.times:
                self._release(transition.source, transition.event)

    def _learn(self, cursor: int, executed: Transition, public_id: str, snapshot: Snapshot) -> int:
        """Record a transition, and perhaps a new state; return where it led."""
        target = self.model.state(public_id)
        is_new = target is None
        if target is None:
            target = self.model.add_state(public_id, snapshot.events, snapshot.regions)
            self.discoveries.append((self.events, self.resets))
            self._take_in(target)
        recorded = self.model.record(executed, target)
        if recorded is Recorded.EXPLORED:
            self.strategy.explored(cursor, executed.source, executed.event, target, is_new)
        elif recorded is Recorded.DIVERGED:
            self.strategy.distrusted(executed.source)
        return target

    def _take_in(self, state: int) -> None:
        self.frontier.add_state(state)
        self.strategy.discovered(state)

    def _close(self, state: int, event: int) -> None:
        if self.frontier.close(state, event):
            self.strategy.closed(state, event)

    def _refuse(self, state: int, event: int) -> None:
        self.model.refuse(state, event)
        self._close(state, event)
        self.strategy.distrusted(state)

    def _release(self, state: int, event: int) -> None:
        """Open an event again that its cursor did not get to, unless that keeps happening."""
        pair = (state, event)
        if event in self.model.delta[state] or pair in self.model.refused:
            return
        self._attempts[pair] += 1
        if self._attempts[pair] < MAX_ATTEMPTS:
            self.frontier.reopen(state, event)
            self.strategy.reopened(state, event)
        else:
            self.given_up.append(pair)

    def _last_resort(self, state: int) -> Route | None:
        """Return a route over transitions that are not reliable, when no others lead on."""
        open_events = self.frontier.open
        found = any_way(self.model, state, lambda s: bool(open_events[s]), self.reset_cost)
        if found is None:
            return None
        goal, way = found
        return [*way, self.model.uncertain(goal, next(iter(open_events[goal])))]

    def _give_up_rest(self) -> None:
        """Close every open event: no way at all leads to any of them."""
        for state, events in enumerate(self.frontier.open):
            for event in list(events):
                self._close(state, event)
                self.given_up.append((state, event))

    def _plan(self, route: Route) -> Plan:
        first = route[0]
        if first.source != BLANK:
            return Plan(None, None, tuple([transition.step for transition in route]))
        steps = tuple([transition.step for transition in route[1:]])
        return Plan(self.model.entries[first.event], first.step.expected, steps)


async def crawl_with(browser: Browser, crawl: Crawl, cursor: int = 0) -> None:
    """Run the one loop for one cursor until there is nothing left for it to do."""
    while (plan := crawl.plan(cursor)) is not None:
        crawl.observe(await browser.execute(plan), cursor)
