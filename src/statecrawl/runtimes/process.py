"""One process of a distributed crawl: a machine with a clock, a way out, and perhaps a tab."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from statecrawl.coordination.machine import BROWSER, NEVER, STORE, Address, Machine, Output
from statecrawl.core.facts import Fact
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.ports import Browser

Send = Callable[[Address, Any], None]
Record = Callable[[Sequence[Fact]], None]


def _record_nothing(facts: Sequence[Fact]) -> None:
    raise ValueError(f"a process without a store was to keep {len(facts)} facts")


class Process:
    """Carries out what a machine says, and wakes it in time.

    What it has to keep is kept before anything else of the same answer leaves. `rest` is called
    when a plan was executed and there is no other at once. While it is paused, the machine does not
    hear what the tab has executed, so there is no next plan.
    """

    def __init__(
        self,
        machine: Machine,
        send: Send,
        browser: Browser | None = None,
        record: Record = _record_nothing,
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        self.machine = machine
        self._send = send
        self._browser = browser
        self._record = record
        self._rest = rest
        self._may_go_on = asyncio.Event()
        self._may_go_on.set()
        self._changed = asyncio.Event()
        self._failure: BaseException | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._executing: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the machine."""
        self._do(self.machine.begin)

    def hear(self, sender: Address, message: Any) -> None:
        """Let the machine take in a message."""
        self._do(lambda now: self.machine.on(sender, message, now))

    async def until(self, is_over: Callable[[], bool]) -> None:
        """Wait until that is so; what goes wrong in the meantime is raised here."""
        while not is_over():
            self._changed.clear()
            self.check()
            await self._changed.wait()

    def check(self) -> None:
        """Raise what went wrong, if anything did."""
        if self._failure is not None:
            raise self._failure

    def fail(self, error: Exception) -> None:
        """Go no further: what the machine relies on went wrong."""
        self._failure = error
        self._changed.set()

    def pause(self, *, is_wanted: bool) -> None:
        """Pause with the plan under way, or go on."""
        if is_wanted:
            self._may_go_on.clear()
        else:
            self._may_go_on.set()

    def look_again(self) -> None:
        """Say that something changed that somebody may wait for."""
        self._changed.set()

    async def close(self) -> None:
        """Do nothing more; a plan under way is left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._executing is not None:
            self._executing.cancel()
            await asyncio.gather(self._executing, return_exceptions=True)

    def _do(self, act: Callable[[float], Sequence[Output]]) -> None:
        if self._failure is not None:
            return
        try:
            self._carry_out(act(asyncio.get_running_loop().time()))
        except Exception as error:
            self._failure = error
        self._set_timer()
        self._changed.set()

    def _carry_out(self, outputs: Sequence[Output]) -> None:
        facts = [message for to, message in outputs if to == STORE]
        if facts:
            self._record(facts)
        for to, message in outputs:
            if to == BROWSER:
                self._executing = asyncio.create_task(self._execute(message))
            elif to != STORE:
                self._send(to, message)

    async def _execute(self, plan: Plan) -> None:
        if self._browser is None:
            raise ValueError("a process without a tab was given a plan")
        try:
            execution: Execution = await self._browser.execute(plan)
        except Exception as error:
            self.fail(error)
            return
        if not self._may_go_on.is_set():
            self._rest()
            await self._may_go_on.wait()
        self._executing = None
        self.hear(BROWSER, execution)
        if self._executing is None:
            self._rest()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.machine.alarm != NEVER and self._failure is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(self.machine.alarm, lambda: self._do(self.machine.wake))
