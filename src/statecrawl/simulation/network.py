"""Processes and the network between them, in virtual time (Ben Hafaiedh et al. 2014)."""

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from statecrawl.coordination.machine import BROWSER, NEVER, STORE, Address, Machine, Output
from statecrawl.core.facts import Fact
from statecrawl.core.plan import Execution, Plan
from statecrawl.simulation.browser import SimulatedBrowser


class Timing(NamedTuple):
    """How long things take. With these a coordinator is busy all the time at about 20 crawlers."""

    event_seconds: float = 0.1
    latency_seconds: float = 0.002
    service_seconds: float = 0.0025


USUAL = Timing()
SOONEST = 0.0001
"""So long after now a process is woken at the earliest: one that wants it always gets nowhere."""


class Process:
    """One machine, what is beside it, and what it has spent its time on."""

    __slots__ = (
        "address", "alarm_at", "browser", "busy_seconds", "busy_until", "epoch", "events", "is_up",
        "longest_wait", "machine", "plans", "resets", "served", "service_seconds", "wait_seconds",
    )  # fmt: skip

    def __init__(self, address: Address, machine: Machine) -> None:
        self.address = address
        self.machine = machine
        self.browser: SimulatedBrowser | None = None
        self.service_seconds = 0.0
        self.is_up = True
        self.epoch = 0
        self.alarm_at = NEVER
        self.busy_until = self.busy_seconds = 0.0
        self.wait_seconds = self.longest_wait = 0.0
        self.plans = self.events = self.resets = self.served = 0


_Entry = tuple[float, int, Process, int, Address, Any]
"""When, in which order, to which process since which of its starts, from whom, what.

From nobody comes what is to be done: for a process, to wake it.
"""

Route = Callable[[Address, Address, Any, float], Sequence[float]]
"""Given the sender, the addressee, a message and the time: when copies of it arrive."""

Hindrance = Callable[[Address, float], float]
"""Given a crawler and the time: how much longer than usual its browser takes."""

Listener = Callable[[Address, Address, Any], None]
"""Hears a message: from whom, to whom, what."""

Watcher = Callable[[Process, Plan, Execution, float, float], None]
"""Sees what a process executed, from when to when."""


class Network:
    """Carries messages, executes plans, wakes whoever wants to be woken: one thing at a time.

    A coordinator serves one message after the other; passing a message on (a hop over fingers)
    costs latency only. What is sent to the store comes to `facts`, at its time.
    """

    def __init__(self, timing: Timing, reset_cost: float) -> None:
        self.timing = timing
        self.now = 0.0
        self.processes: dict[Address, Process] = {}
        self.messages: Counter[type] = Counter()
        self.events = self.resets = 0
        self.on_fact: Callable[[Address, Fact], None] | None = None
        self.on_execution: Watcher | None = None
        self.on_message: Listener | None = None
        self.route: Route | None = None
        self.hindrance: Hindrance | None = None
        self._latency = timing.latency_seconds
        self._event_seconds = timing.event_seconds
        self._reset_seconds = reset_cost * timing.event_seconds
        self._queue: list[_Entry] = []
        self._number = 0

    def add_coordinator(self, address: Address, machine: Machine) -> Process:
        """Let a process take part that serves messages one by one."""
        process = self._add(address, machine)
        process.service_seconds = self.timing.service_seconds
        return process

    def add_crawler(self, address: Address, machine: Machine, browser: SimulatedBrowser) -> Process:
        """Let a process take part that has a browser beside it."""
        process = self._add(address, machine)
        process.browser = browser
        return process

    def _add(self, address: Address, machine: Machine) -> Process:
        process = self.processes[address] = Process(address, machine)
        return process

    def begin(self, process: Process) -> None:
        """Start a process, or start it again."""
        self._emit(process, process.machine.begin(self.now), self.now)

    def emit(self, process: Process, outputs: Sequence[Output]) -> None:
        """Carry what a process says on its own account."""
        self._emit(process, outputs, self.now)

    def call(self, at: float, action: Callable[[], None]) -> None:
        """Have something done at a time, from outside of the processes."""
        self._number += 1
        heappush(self._queue, (at, self._number, _NOBODY, 0, "", action))

    def crash(self, process: Process) -> None:
        """Stop a process: what it is sent, sees or wants to be woken for is lost."""
        process.is_up = False
        process.epoch += 1
        process.alarm_at = NEVER

    def restart(self, process: Process, machine: Machine) -> None:
        """Start another machine at the same address."""
        process.machine = machine
        process.is_up = True
        process.busy_until = self.now
        self.begin(process)

    def run(self, until: float = NEVER, is_over: Callable[[], bool] | None = None) -> None:
        """Go on until nothing is under way, or all is over."""
        collects = gc.isenabled()
        gc.disable()
        try:
            queue, step = self._queue, self._step
            while queue and queue[0][0] <= until:
                step(heappop(queue))
                if is_over is not None and is_over():
                    break
        finally:
            if collects:
                gc.enable()

    def _step(self, entry: _Entry) -> None:
        now, _, process, epoch, sender, message = entry
        self.now = now
        if epoch != process.epoch:
            return
        if process.service_seconds and sender:
            start = process.busy_until
            if start > now:
                wait = start - now
                process.wait_seconds += wait
                process.longest_wait = max(process.longest_wait, wait)
            else:
                start = now
            outputs = process.machine.on(sender, message, start)
            if len(outputs) == 1 and outputs[0][1] is message:
                self._send(process.address, outputs[0][0], message, now)  # passed on: not served
                return
            process.served += 1
            process.busy_until = start = start + process.service_seconds
            self._emit(process, outputs, start)
        elif sender:
            self._emit(process, process.machine.on(sender, message, now), now)
        elif process is _NOBODY:
            message()
        elif now == process.alarm_at:
            process.alarm_at = NEVER
            self._emit(process, process.machine.wake(now), now)

    def _emit(self, process: Process, outputs: Sequence[Output], now: float) -> None:
        for to, message in outputs:
            if to == STORE:
                if self.on_fact is not None:
                    self.on_fact(process.address, message)
            elif to == BROWSER:
                self._execute(process, message, now)
            else:
                self._send(process.address, to, message, now)
        alarm = process.machine.alarm
        if alarm < process.alarm_at:
            process.alarm_at = max(alarm, self.now + SOONEST)
            self._number += 1
            heappush(
                self._queue, (process.alarm_at, self._number, process, process.epoch, "", None)
            )

    def _send(self, sender: Address, to: Address, message: Any, now: float) -> None:
        process = self.processes.get(to)
        if process is None:
            return
        self.messages[type(message)] += 1
        if self.on_message is not None:
            self.on_message(sender, to, message)
        if self.route is None:
            self._number += 1
            at = now + self._latency
            heappush(self._queue, (at, self._number, process, process.epoch, sender, message))
            return
        for at in self.route(sender, to, message, now):
            self._number += 1
            if process.is_up:
                entry = (at, self._number, process, process.epoch, sender, message)
                heappush(self._queue, entry)

    def _execute(self, process: Process, plan: Plan, now: float) -> None:
        if process.browser is None:
            raise ValueError(f"{process.address} has no browser")
        execution: Execution = process.browser.run(plan)
        count = len(execution.snapshots)
        seconds = count * self._event_seconds
        process.plans += 1
        if plan.entry is not None:
            seconds += self._reset_seconds - self._event_seconds
            process.resets += 1
            self.resets += 1
            count -= 1
        if self.hindrance is not None:
            seconds += self.hindrance(process.address, now)
        process.events += count
        self.events += count
        process.busy_seconds += seconds
        if self.on_execution is not None:
            self.on_execution(process, plan, execution, now, now + seconds)
        self._number += 1
        heappush(
            self._queue, (now + seconds, self._number, process, process.epoch, BROWSER, execution)
        )


class _Nobody:
    """Whoever `call` is for."""

    begin = on = wake = staticmethod(lambda *_: ())
    alarm = NEVER


_NOBODY = Process("", _Nobody())
