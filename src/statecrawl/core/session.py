"""The crawl session: told what a plan led to, it answers with the next plan for a cursor."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from statecrawl.core.agenda import Agenda
from statecrawl.core.attention import Attention, Turn, all_the_same
from statecrawl.core.column import Column
from statecrawl.core.combining import Combining
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, Refused
from statecrawl.core.following import Following
from statecrawl.core.frontier import Frontier
from statecrawl.core.limiting import Limiting
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.model import BLANK, Model, Recorded, Transition
from statecrawl.core.parts import Coverage
from statecrawl.core.paths import Toward, any_way
from statecrawl.core.patience import Patience
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.ports import Browser, Identity
from statecrawl.core.shelf import Shelf
from statecrawl.core.snapshot import NEW_DOCUMENT, Effect, Snapshot
from statecrawl.core.stopping import StopReason
from statecrawl.core.strategy import Knowledge, Route, StrategyFactory


class Crawl:
    """One crawl by any number of cursors over one model.

    For each cursor in turn: `plan` says what to execute, `observe` takes what was seen. While
    a plan is under way its open events are claimed, so that no two cursors explore the same.
    The journal hears every fact as it is learned; `recall` takes facts in that order.
    After `share` only those events are open that are handed out to this session. `kin` tells
    which states look like one: events that they offer, too, are not explored there again.
    `is_stray` tells whether a page is taken for a state and does not offer the same: what leads
    there is recorded, but nobody goes on from there.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - all that makes one crawl unlike another
        self,
        entries: list[str],
        strategy: StrategyFactory,
        identity: Identity,
        reset_cost: float,
        limits: Limits = NO_LIMITS,
        follows_once: bool = True,
        coverage: Coverage = Coverage.FULL,
        shelf: Shelf | None = None,
    ) -> None:
        self.limits = limits
        self.model = Model(entries, shelf)
        self.frontier = Frontier(self.model)
        self.events = 0
        self.resets = 0
        self._found_at = Column("I", self.model.shelf)
        self.failures: Counter[Halt] = Counter()
        self.reset_cost = reset_cost
        self.strategy = strategy(Knowledge(self.model, self.frontier, reset_cost))
        self._identity = identity
        self._where: dict[int, int] = {}
        self._under_way: dict[int, Route] = {}
        self._agenda = Agenda(self.model, self.frontier, self.strategy)
        self._following = Following(
            self.model, self._agenda, self._assume, self._refuse, is_once=follows_once
        )
        self._patience = Patience(self.model, self._agenda, self._following.failed, self._note)
        self._combining = Combining(
            self.model, self.frontier, self._agenda, coverage, self._following.url
        )
        self.limiting = Limiting(self.model, self._agenda, limits, self._following.url)
        self._derived: dict[Fact, None] = {}
        self._late_pages: set[str] = set()
        self.journal: Callable[[Fact], None] | None = None
        self.kin: Callable[[str], Iterable[str]] = lambda _: ()
        self._left_to_kin = False
        self.is_stray: Callable[[Snapshot], bool] = lambda _: False
        self.attention: Attention = all_the_same
        self.passed_by: dict[tuple[int, int], None] = {}
        self._agenda.add(BLANK)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing is open, or a limit reached, and no cursor is under way."""
        return not self._under_way and (self.left == 0 or self._limit is not None)

    @property
    def left(self) -> int:
        """How many events are known to be left."""
        return self._agenda.left

    @property
    def given_up(self) -> list[tuple[int, int]]:
        """The events that could not be reached any more."""
        return self._patience.given_up

    @property
    def discoveries(self) -> list[tuple[int, int]]:
        """After how many events and resets each state was found."""
        found_at = list(self._found_at)
        return list(zip(found_at[::2], found_at[1::2], strict=True))

    @property
    def not_combined(self) -> Collection[tuple[int, int]]:
        """The events that would only combine known content anew."""
        return self._combining.passed_over

    @property
    def stop_reason(self) -> StopReason:
        """Tell how a crawl that is over ended."""
        if self.left and self._limit is not None:
            return self._limit
        if self.limiting.reached is not None:
            return self.limiting.reached
        left_out = {
            StopReason.GAVE_UP: self.given_up,
            StopReason.NEAR_DUPLICATES: self._left_to_kin,
            StopReason.ENDLESS: self._agenda.barred,
            StopReason.PASSED_BY: self.passed_by,
            StopReason.CONTENT: self.not_combined,
            StopReason.DOCUMENTS: self._following.has_left_out,
        }
        return next((why for why, is_so in left_out.items() if is_so), StopReason.COMPLETE)

    @property
    def _limit(self) -> StopReason | None:
        limits = self.limits
        if limits.max_states is not None and self.model.state_count >= limits.max_states:
            return StopReason.MAX_STATES
        if limits.max_events is not None and self.events >= limits.max_events:
            return StopReason.MAX_EVENTS
        return None

    def where(self, cursor: int = 0) -> int:
        """Return the state that this cursor is in."""
        return self._where.get(cursor, BLANK)

    @property
    def nondeterministic(self) -> list[tuple[str, str]]:
        """Every state and event seen to lead to more than one state; the state of a reset: ''."""
        return [
            (self.model.states[source], self.model.events[event].identity)
            for source, event in self.model.outcomes
        ]

    def cost(self, events: int, resets: int) -> float:
        """Return the cost of so many events and resets, in events."""
        return events + resets * self.reset_cost

    def place(self, cursor: int, public_id: str) -> None:
        """Say which state a cursor is in that begins in the middle; unknown: a blank tab."""
        self._where[cursor] = self.model.state(public_id) or BLANK

    def plan_to(self, state: int, start: int = BLANK) -> Plan | None:
        """Return a plan that leads a tab to another state, over reliable transitions only."""
        way = Toward(self.model, state, self.reset_cost).way(start)
        if way is None or len(way) < 2:
            return None
        return self._plan([self.model.edge(a, b) for a, b in pairwise(way)])

    def plan_again(self, state: int) -> Plan | None:
        """Return a plan that ends with an event which led to a state once, and elsewhere, too."""
        for pair, outcomes in self.model.outcomes.items():
            transition = self.model.transition(*pair)
            if state not in outcomes or transition is None:
                continue
            if transition.source == BLANK:
                return self._plan([transition])
            way = self.plan_to(transition.source)
            if way is not None:
                return way._replace(steps=(*way.steps, transition.step))
        return None

    def under_way(self, cursor: int = 0) -> Route:
        """Return the route that a cursor was given and has not come back from; none: empty."""
        return self._under_way.get(cursor, [])

    def plan(self, cursor: int = 0) -> Plan | None:
        """Return what this cursor should execute; None while there is nothing for it to do."""
        state = self._where.get(cursor, BLANK)
        while self._limit is None and self._has_work():
            route = self.strategy.route(cursor, state) or self._last_resort(state)
            if route is not None and self._combining.pass_over(_goal(route)):
                continue
            if route is not None:
                route = self._under_way[cursor] = self._combining.most_promising(route)
                for transition in route:
                    if not transition.times:
                        self._agenda.close(transition.source, transition.event)
                return self._plan(route)
            if self._under_way:
                return None  # what the other cursors find may lead on
            self._give_up_rest()
        return None

    def postpone(self, url: str) -> None:
        """Explore what else there is before more of a page whose states seem never to end.

        When nothing else is left, it is a page like the others again.
        """
        page = self.limiting.page_of(url)
        states = self.limiting.states_of(page)
        has_others = self.frontier.total > sum(len(self.frontier.open[state]) for state in states)
        if has_others:
            self._late_pages.add(page)
            for state in states:
                self._agenda.put_off_all(state)

    def bar(self, state: str, event: str) -> None:
        """Never fire an event in a state, unless it was already."""
        source, number = self.model.state(state), self.model.event(event)
        if source is not None and not self._agenda.is_decided((source, number)):
            self._agenda.bar(source, number)

    def _has_work(self) -> bool:
        """Tell whether anything is open; what was postponed is when nothing else is under way."""
        if self.frontier.total == 0 and not self._agenda.open_next() and not self._under_way:
            self._late_pages.clear()
            self._agenda.resume()
        return self.frontier.total > 0

    def observe(self, execution: Execution, cursor: int = 0) -> None:
        """Take in what executing this cursor's plan showed."""
        route = self._under_way.pop(cursor)
        executed = len(execution.snapshots)
        at = route[0].source
        has_reset = at == BLANK and executed > 0
        self.resets += has_reset
        events_before = self.events - has_reset
        states, identify = self.model.states, self._identity
        effects = execution.effects
        is_misled = executed > 0 and not self._is_known(route[executed - 1])
        for number, snapshot in enumerate(execution.snapshots, start=1):
            transition = route[number - 1]
            public_id = identify(snapshot)
            target = transition.target
            if (
                target is not None
                and public_id == states[target]
                and transition.times
                and not self.is_stray(snapshot)
                and self.model.repeat(transition.source, transition.event)
            ):
                at = target  # a transfer that went as expected: nearly all do
            else:
                self.events = events_before + number
                effect = effects[number - 1] if effects else Effect()
                at = self._learn(cursor, transition, public_id, snapshot, effect)
        self.events = events_before + executed
        self._where[cursor] = at
        if executed and self.is_stray(execution.snapshots[-1]):
            self._where[cursor] = BLANK
            if execution.halt is Halt.REFUSED:
                execution = execution._replace(halt=Halt.DIVERGED)
        if execution.halt is not Halt.DONE:
            self._halted(cursor, route[executed:], execution, is_misled=is_misled)
        for url in execution.opened:
            self.enter(url, self.limiting.depths[at] + 1)

    def _is_known(self, transition: Transition) -> bool:
        """Tell whether anybody has seen where an event leads."""
        known = self.model.transition(transition.source, transition.event)
        return known is not None and not known.is_assumed

    def enter(self, url: str, depth: int = 0) -> None:
        """Take in another URL that a reset can go to, and how deep it was found."""
        event = self.model.add_entry(url) if self.limiting.admits(depth) else None
        if event is not None:
            self.limiting.enter(event, depth)
            self._note(EntryFound(url))
            if not self._agenda.is_shared:
                self._agenda.open(BLANK, event)

    def _halted(self, cursor: int, rest: Route, execution: Execution, *, is_misled: bool) -> None:
        """Give back what a plan did not get to; a page that is lost leaves a blank tab.

        When a guess led elsewhere, that is known better now: nothing else is to blame.
        """
        halt = execution.halt
        if halt is not Halt.DIVERGED:
            self.failures[halt] += 1
        if halt is Halt.REFUSED and rest:
            self._patience.refuse((rest[0].source, rest[0].event), execution.reason)
        elif halt is Halt.LOST:
            self._where[cursor] = BLANK
            if rest and execution.reason:
                is_hung = execution.lost_to is not None
                self._patience.blame(_suspect(rest), execution.reason, hung=is_hung)
        for transition in rest:
            if not transition.times:
                pair = transition.source, transition.event
                self._patience.release(pair, is_excused=is_misled and halt is Halt.DIVERGED)

    def _learn(
        self, cursor: int, executed: Transition, public_id: str, snapshot: Snapshot, effect: Effect
    ) -> int:
        """Record a transition, and perhaps a new state; return where it led."""
        target = self.model.state(public_id)
        is_new = target is None
        pair = executed.source, executed.event
        if target is None:
            self._note(Found(public_id, snapshot, self.events, self.resets))
            target = self._add(public_id, snapshot, pair, (self.events, self.resets))
        recorded = self.model.record(*pair, target)
        if recorded is not Recorded.REPEATED or pair in self.model.outcomes:
            source = self.model.states[executed.source]
            self._note(Executed(source, executed.step.event, public_id, effect))
        self._tell_strategy(recorded, cursor, pair, target, is_new)
        if self.is_stray(snapshot):
            self.model.distrust(*pair)
            self.strategy.rewired(executed.source)
        if recorded is Recorded.EXPLORED:
            self._follow(pair, target, effect)
            self.limiting.explored(*pair, is_new=is_new)
        if is_new:
            self._offer(target, snapshot)
            if self.limiting.page(target) in self._late_pages:
                self._agenda.put_off_all(target)
        return target

    def _tell_strategy(
        self, recorded: Recorded, cursor: int, pair: tuple[int, int], target: int, is_new: bool
    ) -> None:
        """Tell the strategy what an execution taught."""
        if recorded in (Recorded.DIVERGED, Recorded.MISLED):
            self.strategy.rewired(pair[0])
        if recorded in (Recorded.EXPLORED, Recorded.MISLED):
            self.strategy.explored(cursor, *pair, target, is_new)
            self._combining.learn(*pair, target)

    def stay(self) -> None:
        """Follow no link to another document: the entries given are explored, each for itself.

        One is loaded when nothing is left of those before it, so that no way leads back to them.
        """
        self._following.stay()
        self._agenda.line_up(BLANK)

    def _follow(self, pair: tuple[int, int], target: int, effect: Effect) -> None:
        """Take in where an event led, if it is a link or a load."""
        is_document = NEW_DOCUMENT in effect.changes
        if is_document and (url := self._following.url(pair)):
            self.enter(url, self.limiting.depths[target])
        self._following.led(pair, target, is_document=is_document)

    def _offer(self, state: int, snapshot: Snapshot) -> None:
        """Hold back and pass over what a new state offers that need not be explored."""
        if self.frontier.open[state]:
            self._following.offer(state, snapshot.events)
        self._combining.pass_over_all(state)
        self._attend(state)

    def _attend(self, state: int) -> None:
        """Put off the events of a new state that come later, and pass by those that never come."""
        for event in list(self.frontier.open[state]):
            turn = self.attention(self.model.events[event])
            if turn is Turn.LATER:
                self._agenda.put_off(state, event)
            elif turn is Turn.NEVER:
                self._agenda.close(state, event)
                self.passed_by[state, event] = None

    def _assume(self, pair: tuple[int, int], target: int) -> None:
        state, event = pair
        self._combining.decided(pair)
        self.model.assume(state, event, target)
        states, events = self.model.states, self.model.events
        self._note(Assumed(states[state], events[event].identity, states[target]))
        self.strategy.explored(0, state, event, target, False)

    def _refuse(self, pair: tuple[int, int], reason: str) -> None:
        """Take it that an event can't be fired, since others of its kind can't."""
        self._patience.refuse(pair, reason)

    def recall(self, facts: Iterable[Fact]) -> None:
        """Take in what an earlier session learned, without exploring it again.

        Not yet with a journal, which knows all this. What was given up gets another chance.
        """
        fresh: Found | None = None
        for fact in facts:
            if isinstance(fact, Found):
                fresh = fact
                continue
            if isinstance(fact, EntryFound):
                self.enter(fact.url)
                self._derived.pop(fact, None)
                continue
            source = self.model.state(fact.source)
            if source is None:
                raise ValueError(f"a fact about a state that was never found: {fact.source}")
            event = self.model.event(fact.event)
            if isinstance(fact, Executed):
                self._recall_execution(source, event, fact, fresh)
                fresh = None
            elif isinstance(fact, Refused):
                self._patience.refuse((source, event), fact.reason)
            elif isinstance(fact, Assumed):
                self._recall_assumption(source, event, fact)

    def derived(self) -> list[Fact]:
        """Return what followed from facts recalled, but was not among them."""
        return list(self._derived)

    def _recall_assumption(self, source: int, event: int, fact: Assumed) -> None:
        target = self.model.state(fact.target)
        if target is not None and not self._agenda.is_decided((source, event)):
            self._agenda.close(source, event)
            self._assume((source, event), target)
        self._derived.pop(fact, None)

    def _recall_execution(
        self, source: int, event: int, fact: Executed, fresh: Found | None
    ) -> None:
        target = self.model.state(fact.target)
        is_new = target is None
        if target is None:
            if fresh is None:
                raise ValueError(f"an event led to a state that was never found: {fact.target}")
            at = (fresh.events, fresh.resets)
            target = self._add(fact.target, fresh.snapshot, (source, event), at)
        self._agenda.close(source, event)
        recorded = self.model.record(source, event, target)
        self._tell_strategy(recorded, 0, (source, event), target, is_new)
        if recorded is Recorded.EXPLORED:
            self._follow((source, event), target, fact.effect)
            self.limiting.explored(source, event, is_new=is_new)
        if is_new and fresh is not None:
            self._offer(target, fresh.snapshot)

    def _add(
        self, public_id: str, snapshot: Snapshot, way: tuple[int, int], at: tuple[int, int]
    ) -> int:
        """Add a state that an event led to; open its events unless a limit says otherwise."""
        state = self.model.add_state(public_id, snapshot.events, snapshot.regions, way)
        self._found_at.extend(at)
        self._agenda.add(state)
        self._leave_to_kin(state)
        self.limiting.add(state, snapshot.url, way)
        return state

    def _leave_to_kin(self, state: int) -> None:
        """Close the events of a new state that known ones which look alike offer, too."""
        known = map(self.model.state, self.kin(self.model.states[state]))
        kin = [number for number in known if number is not None and number < state]
        offered = {event for number in kin for event in self.model.enabled[number]}
        for event in offered & set(self.frontier.open[state]):
            self._agenda.close(state, event)
            self._left_to_kin = True

    def _note(self, fact: Fact) -> None:
        if self.journal is not None:
            self.journal(fact)
        elif isinstance(fact, EntryFound | Assumed):
            self._derived[fact] = None

    def share(self) -> None:
        """Let other sessions explore the same application: nothing is open until handed out."""
        self._agenda.share()

    def hand_out(self, state: str, events: Iterable[str]) -> None:
        """Let events of a known state be explored by this session, unless they were."""
        number = self.model.state(state)
        if number is None:
            raise ValueError(f"events of a state that was never found: {state}")
        for event in map(self.model.event, events):
            if not self._agenda.is_decided((number, event)):
                self._agenda.open(number, event)

    def hand_back(self, count: int) -> list[tuple[str, str]]:
        """Close so many open events, those found last first, for another session to explore."""
        states, events = self.model.states, self.model.events
        pairs = self._agenda.hand_back(count)
        return [(states[state], events[event].identity) for state, event in pairs]

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
                self._patience.give_up((state, event))

    def _plan(self, route: Route) -> Plan:
        first = route[0]
        if first.source != BLANK:
            return Plan(None, None, tuple([transition.step for transition in route]))
        steps = tuple([transition.step for transition in route[1:]])
        return Plan(self.model.entries[first.event], first.step.expected, steps)


def _goal(route: Route) -> tuple[int, int]:
    """Return the event that a route is taken for."""
    return route[-1].source, route[-1].event


def _suspect(rest: Route) -> tuple[int, int]:
    """Return what lost the page, of what a plan did not get to.

    Steps are taken several at a time: one that was never taken before is the first suspect. A
    load is always alone.
    """
    first = rest[0]
    if first.source != BLANK:
        first = next((transition for transition in rest if not transition.times), first)
    return first.source, first.event


async def crawl_with(
    browser: Browser, crawl: Crawl, cursor: int = 0, until: float = math.inf
) -> None:
    """Run the one loop for one cursor until there is nothing left for it to do.

    Or until so many events and resets are done.
    """
    while crawl.events + crawl.resets < until and (plan := crawl.plan(cursor)) is not None:
        crawl.observe(await browser.execute(plan), cursor)
