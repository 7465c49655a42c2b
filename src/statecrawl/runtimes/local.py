"""A crawl in one process: any number of tabs over one model, recorded as it goes."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact
from statecrawl.core.findings import Sighting, passages, sightings
from statecrawl.core.hooks import Hooks
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Mask
from statecrawl.core.near_identity import NearIdentity
from statecrawl.core.plan import Execution, Halt, Plan, Walk
from statecrawl.core.ports import Store, Tab, Workshop
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Call, LeftAlone
from statecrawl.core.stopping import StopReason
from statecrawl.core.volatility import Volatility
from statecrawl.errors import ApplicationError
from statecrawl.runtimes.ceiling import stop_above
from statecrawl.runtimes.classifier import Classifier
from statecrawl.runtimes.control import Control
from statecrawl.runtimes.divider import Divider
from statecrawl.runtimes.follow import tell_execution, tell_plan
from statecrawl.runtimes.inspector import Inspector
from statecrawl.runtimes.lookout import Lookout
from statecrawl.runtimes.photographer import Photographer
from statecrawl.runtimes.scrutiny import Scrutiny
from statecrawl.runtimes.spending import (
    CHECKS,
    COORDINATOR,
    EXECUTION,
    IDLE,
    PROBES,
    Spending,
    together,
)
from statecrawl.runtimes.varying import Varying

MAX_LOST_IN_A_ROW = 20
"""After so many plans in a row that can't even begin, nobody is at home any more."""

MAX_LEFT_ALONE = 1000
"""So many controls that are left alone are listed; pages may be full of them."""


class LocalCrawl:
    """Runs the one loop for several tabs; what they learn is durable before they go on."""

    def __init__(
        self,
        workshop: Workshop,
        store: Store,
        new_crawl: Callable[[], Crawl],
        identity: StateIdentity,
        volatility: Volatility,
        hooks: Hooks,
    ) -> None:
        self._hooks = hooks
        self._follows_events = hooks.follows_events
        self._workshop = workshop
        self._store = store
        self._new_crawl = new_crawl
        self._identity = identity
        self._varying = Varying(store, identity, volatility)
        self._scrutiny = Scrutiny(workshop, store, self._varying)
        self._facts: list[Fact] = []
        self._tabs: list[Tab] = []
        self._spending: list[Spending] = []
        self._busy: set[int] = set()
        self._changed = asyncio.Condition()
        self._is_held_up = False
        self._lost_in_a_row = 0
        self._trusted = len(workshop.trusted)
        self._learned = len(store.about.get("learned", {}))
        self._left_alone = {
            _look(control): control
            for control in (LeftAlone(*each) for each in store.about.get("left_alone", ()))
        }
        self._stop: StopReason | None = None
        self._before = store.counts
        self._started = monotonic()
        self.with_screenshots = True
        self._lookout = Lookout(store, hooks.warned)
        self._divider = Divider(store, identity)
        self.inspector = Inspector(())
        self.classifier: Classifier | None = None
        self._control = Control(store, self)
        self.crawl = self._recalled()

    def stop(self, reason: StopReason = StopReason.INTERRUPTED) -> None:
        """Let every tab finish its plan, then stop."""
        if self._stop is None:
            self._stop = reason

    @property
    def is_stopping(self) -> bool:
        """Tell whether somebody said stop."""
        return self._stop is not None

    @property
    def stop_reason(self) -> StopReason:
        """Why the crawl stopped."""
        if self._stop is not None and not self.crawl.is_over:
            return self._stop
        return self.crawl.stop_reason

    def counts(self, stop_reason: str = "") -> Counts:
        """Return how much was done so far, in this run and in those before."""
        tally, before = self._workshop.tally(), self._before
        failures = dict(before.failures)
        for kind, times in (*tally.failures.items(), *self.inspector.failures.items()):
            failures[kind] = failures.get(kind, 0) + times
        return Counts(
            events=self.crawl.events,
            resets=self.crawl.resets,
            seconds=before.seconds + monotonic() - self._started,
            requests=before.requests + tally.requests,
            requests_cached=before.requests_cached + tally.requests_cached,
            probe_events=before.probe_events + tally.probe_events,
            probe_resets=before.probe_resets + tally.probe_resets,
            stop_reason=stop_reason,
            not_combined=len(self.crawl.not_combined),
            passed_by=len(self.crawl.passed_by),
            failures=failures,
            spent=together([before.spent, *(each.seconds() for each in self._spending)]),
            tabs=tuple(
                self.crawl.model.states[self.crawl.where(cursor)]
                for cursor in range(len(self._tabs))
            ),
        )

    async def run(
        self, cursors: int, max_seconds: float | None, max_memory: float | None = None
    ) -> StopReason:
        """Crawl until everything is explored, somebody says stop, or a bound is reached."""
        self._control.begin()
        self._hooks.begun(self)
        self._tabs = [self._workshop.tab(cursor) for cursor in range(cursors)]
        self._spending = [Spending() for _ in self._tabs]
        timer = None
        if max_seconds is not None:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(max_seconds, self.stop, StopReason.MAX_SECONDS)
        ceiling = stop_above(max_memory or math.inf, lambda: self.stop(StopReason.MAX_MEMORY))
        watching = asyncio.create_task(ceiling)
        photographer = Photographer(self._workshop, self._store, lambda: self.crawl)
        pictures = asyncio.create_task(self._take_pictures(photographer, cursors))
        try:
            await self._work_to_the_end(cursors)
            for spending in self._spending:
                spending.end()
            if self._stop is None and self._divider.learn(self.crawl.model):
                self._divider.divide_all()
            if self.classifier is not None:
                self.classifier.finish(self._identity.masks)
            async with self._changed:
                photographer.is_alone = True
                self._changed.notify_all()
            await pictures
        except ApplicationError:
            self.stop(StopReason.APPLICATION_LOST)
            raise
        finally:
            pictures.cancel()
            watching.cancel()
            await asyncio.gather(pictures, watching, return_exceptions=True)
            if timer is not None:
                timer.cancel()
            for tab in self._tabs:
                await tab.close()
            self._store.append((), self.counts(self.stop_reason))
        self._hooks.finished(self.stop_reason)
        return self.stop_reason

    async def _take_pictures(self, photographer: Photographer, cursor: int) -> None:
        """Have a picture taken of every state, beside the crawl and after it."""
        while self.with_screenshots and self._stop is None:
            await self._control.obey()
            was_alone = photographer.is_alone
            if await photographer.take_next(cursor):
                continue
            if was_alone:
                break
            async with self._changed:
                if not photographer.is_alone:
                    await self._changed.wait()
        await photographer.close()

    async def _work_to_the_end(self, cursors: int) -> None:
        """Work until nothing is left; what is in doubt then may bring more to do."""
        await self._work_together(cursors)
        while self._stop is None and not self.crawl.left and self._scrutiny.has_doubts:
            await self._settle_doubts(0, is_all=True)
            await self._work_together(cursors)

    async def _work_together(self, cursors: int) -> None:
        """Run the loop for every tab; when one fails, all end."""
        tasks = [asyncio.create_task(self._work(cursor)) for cursor in range(cursors)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, cursor: int) -> None:
        """Run the loop for one tab."""
        spending = self._spending[cursor]
        await self._control.obey()
        while (plan := await self._next_plan(cursor)) is not None:
            start = self.crawl.model.states[self.crawl.where(cursor)]
            self._hooks.planned(self.crawl, cursor)
            if self._follows_events:
                tell_plan(self._hooks, plan, start)
            spending.turn(EXECUTION)
            seen = await self._executed(cursor, plan)
            spending.turn(COORDINATOR)
            execution = self._divider.divided(seen, self.crawl.model)
            self.crawl.observe(execution, cursor)
            self._record(plan, execution, start, cursor)
            await self._inspect(cursor, plan, execution, start)
            await self._look_closer(cursor, plan, execution)
            await self._settle_doubts(cursor)
            await self._learn_regions(cursor)
            self._lookout.look(self.crawl, self._identity.masks)
            spending.turn(IDLE)
            async with self._changed:
                self._busy.discard(cursor)
                self._changed.notify_all()
            await self._control.obey()

    async def _executed(self, cursor: int, plan: Plan) -> Execution:
        """Let a tab walk; meanwhile do what nothing waits for."""
        walk = asyncio.create_task(self._tabs[cursor].execute(plan))
        await asyncio.sleep(0)
        try:
            if self.classifier is not None:
                self.classifier.work(self._identity.masks)
            return await walk
        finally:
            walk.cancel()

    async def _next_plan(self, cursor: int) -> Plan | None:
        """Return the next plan for a tab; None when there will be none for anybody."""
        spending = self._spending[cursor]
        async with self._changed:
            while self._stop is None:
                if not self._is_held_up:
                    spending.turn(COORDINATOR)
                    plan = self.crawl.plan(cursor)
                    spending.turn(IDLE)
                    if plan is not None:
                        self._busy.add(cursor)
                        return plan
                    if not self._busy:
                        break
                await self._changed.wait()
            self._changed.notify_all()
            return None

    def _record(self, plan: Plan, execution: Execution, start: str, cursor: int) -> None:
        """Make what a plan taught durable, and show it."""
        self._note(execution)
        facts, self._facts[:] = list(self._facts), []
        told = {id(fact.effect) for fact in facts if isinstance(fact, Executed)}
        counts = self.counts()
        self._store.append(
            facts,
            counts,
            _other_calls(plan, execution, told),
            sightings(plan, execution, start, self._identity),
            Walk(cursor, plan.entry, execution.moves),
        )
        self._lookout.hear(facts, self.crawl, self._identity.masks)
        self._classify(facts)
        if self._follows_events:
            passed = passages(plan, execution, start, self._identity)
            tell_execution(self._hooks, plan, execution, passed, facts)
        if len(self._workshop.trusted) > self._trusted:
            self._trusted = len(self._workshop.trusted)
            self._store.note({"trusted": sorted(self._workshop.trusted)})
        if execution.halt is Halt.LOST and not execution.snapshots and not execution.reason:
            self._lost_in_a_row += 1
            if self._lost_in_a_row >= MAX_LOST_IN_A_ROW:
                self.stop(StopReason.APPLICATION_LOST)
        elif execution.snapshots:
            self._lost_in_a_row = 0
        self._hooks.progressed(self.crawl, counts)

    def _classify(self, facts: list[Fact]) -> None:
        """Store what was decided about pages: which state each is, and of which class."""
        if isinstance(self._identity, NearIdentity):
            decided, self._identity.decided = self._identity.decided, []
            if decided:
                self._store.decide(*self._identity.names, decided)
        if self.classifier is not None:
            self.classifier.hear(facts)

    def _note(self, execution: Execution) -> None:
        """Write down what the states to be recorded rely on, and what was left alone in them."""
        if len(self._workshop.learned) > self._learned:
            self._learned = len(self._workshop.learned)
            self._store.note({"learned": dict(self._workshop.learned)})
        known = len(self._left_alone)
        for snapshot in execution.snapshots:
            for control in snapshot.left_alone:
                if len(self._left_alone) < MAX_LEFT_ALONE:
                    self._left_alone.setdefault(_look(control), control)
        if len(self._left_alone) > known:
            self._store.note({"left_alone": list(self._left_alone.values())})

    async def _inspect(self, cursor: int, plan: Plan, execution: Execution, start: str) -> None:
        """Have the state that a plan led to checked."""
        is_there = execution.snapshots and execution.halt is not Halt.LOST
        if not self.inspector.has_checks or not is_there:
            return
        last = passages(plan, execution, start, self._identity)[-1]
        with self._spending[cursor].apart(CHECKS):
            problems = await self.inspector.look(self._tabs[cursor].sight, last.state)
        if problems:
            found = [Sighting(last, problem) for problem in problems]
            self._store.append((), self.counts(), sightings=found)

    async def _look_closer(self, cursor: int, plan: Plan, execution: Execution) -> None:
        """Check new pages for parts that vary, now or when it is their turn."""
        for snapshot in execution.snapshots:
            if snapshot.dom and self._stop is None:
                self._scrutiny.hear(self._identity(snapshot), snapshot)
                await self._learn_masks(cursor, self._varying.ticking(snapshot))
        if execution.halt is Halt.DIVERGED and self._stop is None:
            *_, last = execution.snapshots
            expected = plan.expected[len(execution.snapshots) - 1]
            found = self._varying.counted(expected, self._identity(last))
            await self._learn_masks(cursor, found)

    async def _settle_doubts(self, cursor: int, *, is_all: bool = False) -> None:
        """Go again to states that may be known ones in other words: some of them, or all."""
        scrutiny = self._scrutiny
        while self._stop is None and (
            scrutiny.is_due(self.crawl) or (is_all and scrutiny.has_doubts)
        ):
            with self._spending[cursor].apart(PROBES):
                found = await scrutiny.look(self.crawl, cursor)
            await self._learn_masks(cursor, found)
            self._hooks.progressed(self.crawl, self.counts())
        scrutiny.keep()

    async def _learn_masks(self, cursor: int, found: list[Mask]) -> None:
        """Leave out what varies from now on: states are keyed again, and some become one."""
        if not found:
            return
        async with self._alone(cursor):
            if not self._varying.is_news(found):  # another tab found the same
                return
            aliases = self._varying.learn(found)
            masks = self._identity.masks
            self._workshop.mask(masks)
            self._divider.divide_all()
            if self.classifier is not None:
                self.classifier.begin_anew(masks)
            self._begin_anew(aliases)
            self._scrutiny.revisits.rename(aliases)
            for tab in self._tabs:
                await tab.rename()

    async def _learn_regions(self, cursor: int) -> None:
        """Find out, now and then, which parts of pages change on their own."""
        if self._divider.is_due(self.crawl.model) and self._divider.learn(self.crawl.model):
            async with self._alone(cursor):
                self._divider.divide_all()
                self._begin_anew({})

    @asynccontextmanager
    async def _alone(self, cursor: int) -> AsyncIterator[None]:
        """Wait until every plan is done and recorded, as that of this tab is; hold up others."""
        with self._spending[cursor].apart(IDLE):
            async with self._changed:
                self._busy.discard(cursor)
                self._changed.notify_all()
                while self._is_held_up:
                    await self._changed.wait()
                self._is_held_up = True
                while self._busy:
                    await self._changed.wait()
        try:
            yield
        finally:
            async with self._changed:
                self._is_held_up = False
                self._changed.notify_all()

    def _begin_anew(self, aliases: Mapping[str, str]) -> None:
        """Go on with a session made of what the store knows, with every tab where it is."""
        before = self.crawl
        self.crawl = self._recalled(before)
        for number in range(len(self._tabs)):
            place = before.model.states[before.where(number)]
            self.crawl.place(number, aliases.get(place, place))

    def _recalled(self, before: Crawl | None = None) -> Crawl:
        """Return a session that knows all that the store does."""
        crawl = self._new_crawl()
        self._lookout.recall(crawl, self._identity.masks)
        counts = self._store.counts if before is None else before
        crawl.events, crawl.resets = counts.events, counts.resets
        if before is not None:
            crawl.failures = before.failures
        crawl.journal = self._facts.append
        self._facts[:] = crawl.derived()  # what the session before derived may have other names now
        return crawl


def _look(control: LeftAlone) -> LeftAlone:
    """Return what a control is to people, wherever it stands: one line for all of a list's."""
    return control._replace(locator="")


def _other_calls(plan: Plan, execution: Execution, told: set[int]) -> list[tuple[str, Call]]:
    """Return the requests that no fact speaks of, each with its event."""
    events = [step.event for step in plan.steps]
    if plan.entry is not None:
        events.insert(0, f"load {plan.entry}")
    return [
        (event, call)
        for event, effect in zip(events, execution.effects, strict=False)
        if effect.calls and id(effect) not in told
        for call in effect.calls
    ]
