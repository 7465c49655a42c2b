"""A crawler of the ring (Ben Hafaiedh et al. 2014): says where it is, does what it is told."""

from typing import Any

from statecrawl.coordination.machine import BROWSER, NEVER, STORE, Address, Output
from statecrawl.coordination.ring_messages import (
    AckJob,
    Declined,
    ExecuteEvent,
    Hello,
    Job,
    JobFailed,
    RequestJob,
    Start,
    StateInfo,
    Stop,
)
from statecrawl.core.facts import EntryFound
from statecrawl.core.plan import Execution, Halt, Plan, Step
from statecrawl.core.ports import Identity
from statecrawl.core.snapshot import Effect

_NO_EFFECT = Effect()
_DONE = Halt.DONE
REQUESTS_A_LIFE = 1_000_000_000


class RingCrawler:
    """One tab. It asks, and only acknowledges a job once the state it led to is stored.

    Whoever does not answer in time is asked again, through another coordinator. A lease counts
    from when the crawler asked, so it must be longer than that time. One that was started again
    has a larger incarnation: answers to the one before are not for it.
    """

    def __init__(
        self,
        address: Address,
        coordinators: tuple[Address, ...],
        identity: Identity,
        answer_seconds: float = NEVER,
        lease_seconds: float = NEVER,
        incarnation: int = 0,
    ) -> None:
        self.address = address
        self.is_over = False
        self.alarm = NEVER
        self.job: Job | None = None
        self.lease_until = NEVER
        self.waited_seconds = 0.0
        """How long it waited for answers, in all, that coordinators gave as soon as they could."""
        self._coordinators = coordinators
        self._identity = identity
        self._answer_seconds = answer_seconds
        self._lease_seconds = lease_seconds
        self._entries: tuple[str, ...] = ()
        self._state = ""
        self._path: tuple[Step, ...] = ()
        """The way to where the tab was before the last event, which led to its state."""
        self._event = ""
        self._request = incarnation * REQUESTS_A_LIFE
        self._asked_at = 0.0
        self._question: Any = None
        self._unacknowledged: list[tuple[Address, AckJob]] = []
        self._holder: Address = ""
        self._is_executing = False

    @property
    def _coordinator(self) -> Address:
        return self._coordinators[0]

    @property
    def _way_here(self) -> tuple[Step, ...]:
        return (*self._path, Step(self._event, self._state)) if self._event else ()

    def begin(self, now: float) -> list[Output]:
        """Ask to take part."""
        self.alarm = now + self._answer_seconds
        return [(self._coordinator, Hello())]

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in what the browser saw, or what a coordinator says."""
        if self.is_over:
            return []
        if sender == BROWSER:
            return self._executed(message, now)
        if isinstance(message, ExecuteEvent):
            return self._told(sender, message, now)
        if isinstance(message, Stop):
            self.is_over = True
            self.alarm = NEVER
            return []
        if isinstance(message, Start) and not self._entries:
            return self._start(message)
        return []

    def wake(self, now: float) -> list[Output]:
        """Ask another coordinator: this one does not answer."""
        if now < self.alarm or self._is_executing:
            return []
        self._coordinators = (*self._coordinators[1:], self._coordinators[0])
        if not self._entries:
            return self.begin(now)
        # A new request: an answer to the old one would bring a lease that began too early.
        self._request += 1
        question = self._question._replace(request=self._request)
        return [(self._coordinator, Hello()), *self._ask(question, now)]

    def _start(self, message: Start) -> list[Output]:
        self._entries = message.entries
        self.alarm = NEVER
        entry = self._entries[0]
        self.job = Job(Plan(entry, None, ()), "", f"load {entry}", 0, ())
        self._holder = self._coordinator
        return self._execute(self.job)

    def _execute(self, job: Job) -> list[Output]:
        self._is_executing = True
        self.alarm = NEVER
        return [(BROWSER, job.plan)]

    def _told(self, sender: Address, message: ExecuteEvent, now: float) -> list[Output]:
        """Acknowledge the job before, whose state is stored now, and begin the next one."""
        job = message.job
        if message.request != self._request or self._is_executing:
            return [(sender, Declined(job.state, job.event, job.token))] if job else []
        self._request += 1
        if isinstance(self._question, StateInfo):
            self.waited_seconds += now - self._asked_at
        outputs: list[Output] = [
            (to, ack._replace(is_new=message.is_new) if message.is_new else ack)
            for to, ack in self._unacknowledged
        ]
        self._unacknowledged.clear()
        if job is None:
            return outputs + self._wander(now)
        self.job = job
        self._holder = sender
        self.lease_until = self._asked_at + self._lease_seconds
        if now >= self.lease_until:
            return [
                *outputs,
                (sender, Declined(job.state, job.event, job.token)),
                *self._wander(now),
            ]
        return outputs + self._execute(job)

    def _executed(self, execution: Execution, now: float) -> list[Output]:
        self._is_executing = False
        job, self.job = self.job, None
        opened: list[Output] = [(STORE, EntryFound(url)) for url in execution.opened]
        return opened + ([] if job is None else self._done(job, execution, now))

    def _done(self, job: Job, execution: Execution, now: float) -> list[Output]:
        done = len(execution.snapshots)
        has_done_all = done == len(job.plan.steps) + (job.plan.entry is not None)
        if not has_done_all or execution.halt is not _DONE:
            return self._halted(job, execution, now)
        snapshot = execution.snapshots[-1]
        self._state = state = self._identity(snapshot)
        self._path, self._event = job.path, job.event
        if now >= self.lease_until:
            return self._wander(now)
        effect = execution.effects[-1] if execution.effects else _NO_EFFECT
        ack = AckJob(job.state, job.event, job.token, state, False, effect)
        self._unacknowledged.append((self._holder, ack))
        info = StateInfo(
            state, self.address, self._request, snapshot, job.state, job.event, job.path
        )
        return self._ask(info, now)

    def _halted(self, job: Job, execution: Execution, now: float) -> list[Output]:
        """Give a job back that was not done, and say where the tab is now."""
        steps, done = steps_of(job.plan), len(execution.snapshots)
        is_last = done == len(steps) - 1
        is_refused = execution.halt is Halt.REFUSED and is_last
        outputs = self._fail(job, (execution.reason or "refused") if is_refused else None)
        if execution.halt is Halt.LOST or (done == 0 and job.plan.entry is not None):
            self._state, self._path, self._event = "", (), ""
        if done == 0 or execution.halt is Halt.LOST:
            return outputs + self._wander(now)
        way = tuple(step for step in steps[: done - 1] if step.expected is not None)
        path = way if job.plan.entry is not None else (*self._way_here, *way)
        source = path[-1].expected or "" if path else ""
        event, snapshot = steps[done - 1].event, execution.snapshots[-1]
        self._state = state = self._identity(snapshot)
        self._path, self._event = path, event
        ack = AckJob(source, event, 0, state, False, _NO_EFFECT)
        self._unacknowledged.append((self._coordinator, ack))
        info = StateInfo(state, self.address, self._request, snapshot, source, event, path)
        return outputs + self._ask(info, now)

    def _fail(self, job: Job, refused: str | None) -> list[Output]:
        if job.token == 0:
            return []
        return [(self._holder, JobFailed(job.state, job.event, job.token, refused))]

    def _wander(self, now: float) -> list[Output]:
        """Ask for any job, from wherever the tab is."""
        request = RequestJob(self._state, self.address, self._request, self._coordinator)
        return self._ask(request, now)

    def _ask(self, question: Any, now: float) -> list[Output]:
        self._question = question
        self._asked_at = now
        self.alarm = now + self._answer_seconds
        if isinstance(question, RequestJob):
            question = question._replace(origin=self._coordinator)
        return [(self._coordinator, question)]


def steps_of(plan: Plan) -> tuple[Step, ...]:
    """Return everything that a plan does, the load included."""
    if plan.entry is None:
        return plan.steps
    return (Step(f"load {plan.entry}", plan.expected_entry), *plan.steps)
