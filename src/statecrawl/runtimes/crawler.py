"""A crawler of a distributed crawl: its tab, and the account that it gives of its work."""

import asyncio
from dataclasses import replace

from statecrawl.core.counts import Counts
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.ports import Tab, Workshop
from statecrawl.core.snapshot import Snapshot
from statecrawl.errors import ApplicationError
from statecrawl.runtimes.spending import EXECUTION, IDLE, PROBES, Spending

MAX_LOST_IN_A_ROW = 20
"""After so many plans in a row that can't even begin, nobody is at home any more."""


class Crawler:
    """The browser of a process of a distributed crawl: a tab that counts what it executes.

    A tab gives the content of a page once. Whoever was told may have died: with
    `tells_content_again` it is given each time.
    """

    def __init__(self, workshop: Workshop, identity: StateIdentity) -> None:
        self._workshop = workshop
        self.identity = identity
        self._tab: Tab = workshop.tab()
        self._events = self._resets = 0
        self._lost_in_a_row = 0
        self._at = ""
        self._settled = Counts()
        self._alone = asyncio.Lock()
        self._pages: dict[str, Snapshot] = {}
        self.tells_content_again = False
        self.spending = Spending()

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan and return what was seen, step by step."""
        async with self._alone:
            return await self._execute(plan)

    async def _execute(self, plan: Plan) -> Execution:
        self.spending.turn(EXECUTION)
        execution = await self._tab.execute(plan)
        has_reset = plan.entry is not None and bool(execution.snapshots)
        self._resets += has_reset
        self._events += len(execution.snapshots) - has_reset
        if execution.snapshots and execution.halt is not Halt.LOST:
            self._at = self.identity(execution.snapshots[-1])
        self._look_out(execution)
        if self.tells_content_again:
            whole = tuple(map(self._whole, execution.snapshots))
            return execution._replace(snapshots=whole)
        return execution

    def rest(self) -> None:
        """Hear that there is nothing to execute just now."""
        self.spending.turn(IDLE)

    def forget(self) -> None:
        """Have the content of all pages told once more: whoever knew it may have died."""
        self._workshop.mask(self.identity.masks)

    async def visit_twice(self, way: Plan) -> tuple[Snapshot, Snapshot] | None:
        """Go a way again, between two plans, and once more with another clock and seed."""
        async with self._alone:
            with self.spending.apart(PROBES):
                visits = await self._workshop.twice(way, [len(way.steps)])
        return visits[-1] if visits else None

    async def come_to_rest(self) -> None:
        """Wait until the plan under way is done, if there is one."""
        async with self._alone:
            pass

    async def begin_anew(self, masks: Masks, told: Counts) -> None:
        """Go on under another name, and with other masks; what was told counts for the old name."""
        self._settled = self._settled.plus(told)
        self.identity.masks = masks
        self._at = ""
        async with self._alone:
            await self._tab.blank()

    def counts(self) -> Counts:
        """Return what was done so far, under the name of now."""
        total = replace(
            self._workshop.tally(),
            events=self._events,
            resets=self._resets,
            tabs=(self._at,),
            spent=self.spending.seconds(),
        )
        return total.plus(self._settled, -1)

    async def close(self) -> None:
        """Give the tab back."""
        await self._tab.close()

    def _whole(self, snapshot: Snapshot) -> Snapshot:
        """Return a page with its content, which a tab gives once only."""
        if snapshot.dom:
            self._pages[snapshot.page] = snapshot
        return self._pages.get(snapshot.page, snapshot)

    def _look_out(self, execution: Execution) -> None:
        if execution.snapshots:
            self._lost_in_a_row = 0
        elif execution.halt is Halt.LOST and not execution.reason:
            self._lost_in_a_row += 1
            if self._lost_in_a_row >= MAX_LOST_IN_A_ROW:
                raise ApplicationError("the application does not answer any more")
