"""A node of the star (Mirtaheri et al. 2013): it explores its parts of all states."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.machine import BROWSER, NEVER, Address, Output
from statecrawl.coordination.star_messages import (
    NEXT_STATUS,
    Alive,
    Credentials,
    Expelled,
    GetCredentials,
    GetNewStates,
    Leave,
    NodeStatus,
    Release,
    Released,
    SendNewState,
    SendNodeStatus,
    Share,
    States,
    Stay,
    Take,
    Terminated,
)
from statecrawl.core.facts import Fact, Found
from statecrawl.core.plan import Execution
from statecrawl.core.session import Crawl

SessionMaker = Callable[[Credentials], Crawl]
"""Makes the node's session. It must not follow links once, which one node alone can't judge."""

REPORT_EVERY = 50
"""So many facts are told even when no new state is among them."""

SIGNS_A_LEASE = 4
"""How often a node shows that it lives before it would be thought dead."""

_NOT_ASKED = -1


@dataclass
class NodeLease:
    """Until when a node may explore what it was given, as long as it is a member."""

    until: float


class StarNode:
    """Executes plans of its own session, tells what it learned, is told what others learned.

    A node that was started again has a larger incarnation.
    """

    def __init__(
        self,
        coordinator: Address,
        new_session: SessionMaker,
        incarnation: int = 0,
        retry_seconds: float = NEVER,
    ) -> None:
        self.status = NodeStatus.DISCONNECTED
        self.alarm = NEVER
        self.crawl: Crawl | None = None
        self.lease = NodeLease(NEVER)
        self._coordinator = coordinator
        self._attempt = incarnation * 1_000_000
        self._retry_seconds = retry_seconds
        self._new_session = new_session
        self._lease_seconds = NEVER
        self._credentials: Credentials | None = None
        self._facts: list[Fact] = []
        self._heard = 0
        self._asked_after = _NOT_ASKED
        self._executing = False
        self._leaving = False

    def begin(self, now: float) -> list[Output]:
        """Ask for credentials."""
        self._attempt += 1
        return self._ask(now)

    def _ask(self, now: float) -> list[Output]:
        self.alarm = now + self._retry_seconds
        return [(self._coordinator, GetCredentials(self._attempt))]

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in what the browser saw, or what the coordinator says."""
        if sender == BROWSER:
            return self._executed(message, now)
        if isinstance(message, Alive | Credentials | Expelled | Terminated):
            return self._membership(message, now)
        crawl, credentials = self.crawl, self._credentials
        if crawl is None or credentials is None or self.status is NodeStatus.TERMINATED:
            return []
        self._heard += 1
        if isinstance(message, Release):
            released = Released(credentials.token, tuple(crawl.hand_back(message.at_most)))
            return [*self._report(credentials), (self._coordinator, released)]
        return self._ordered(message, crawl, credentials, now)

    def _membership(
        self, message: Alive | Credentials | Expelled | Terminated, now: float
    ) -> list[Output]:
        if isinstance(message, Alive):
            self.lease.until = max(self.lease.until, message.sent_at + self._lease_seconds)
            return self._next_plan(now)
        if isinstance(message, Terminated):
            self._become(NodeStatus.TERMINATED)
            self.alarm = NEVER
            return []
        if isinstance(message, Credentials):
            return self._join(message, now)
        credentials = self._credentials
        is_ours = credentials is not None and message.token == credentials.token
        return self._rejoin(now) if is_ours else []

    def _ordered(
        self, message: Any, crawl: Crawl, credentials: Credentials, now: float
    ) -> list[Output]:
        """Do as the coordinator says."""
        asked_after, self._asked_after = self._asked_after, _NOT_ASKED
        if isinstance(message, Stay):
            return self._rest(now, is_known=self._heard == asked_after + 1)
        if isinstance(message, States):
            crawl.recall(message.facts)
            for share in message.shares:
                self._open(crawl, credentials, share)
        elif isinstance(message, Take):
            for state, event in message.pairs:
                crawl.hand_out(state, [event])
        return self._go_on(now)

    def wake(self, now: float) -> list[Output]:
        """Show that the node lives, or ask for credentials again."""
        if now < self.alarm or self.status is NodeStatus.TERMINATED:
            return []
        if self._credentials is None:
            return self._ask(now)
        self.alarm = now + self._lease_seconds / SIGNS_A_LEASE
        return [self._sign(now)]

    def lost(self, peer: Address, now: float) -> list[Output]:
        """Begin anew: the coordinator does not know all that was told."""
        del peer
        return self._rejoin(now) if self._credentials is not None else self._ask(now)

    def leave(self, now: float) -> list[Output]:
        """Go after the plan under way, if any; what was learned is told."""
        self._leaving = True
        return [] if self._executing else self._go_on(now)

    def _join(self, credentials: Credentials, now: float) -> list[Output]:
        is_member = self._credentials is not None or self.status is NodeStatus.TERMINATED
        if is_member or credentials.attempt != self._attempt:
            return []
        self._credentials = credentials
        self.crawl = self._new_session(credentials)
        self.crawl.share()
        self.crawl.hand_out("", [f"load {credentials.entries[0]}"])  # as all nodes do
        self.crawl.journal = self._facts.append
        self._heard = 0
        self._lease_seconds = credentials.lease_seconds
        # It counts from a sign of life that was answered: credentials may have come late.
        self.lease = NodeLease(now if self._lease_seconds < NEVER else NEVER)
        self.alarm = now + self._lease_seconds / SIGNS_A_LEASE
        self._become(NodeStatus.ACTIVE)
        return [self._sign(now), *self._go_on(now)]

    def _rejoin(self, now: float) -> list[Output]:
        """Begin anew: what was not told is lost, and explored again by whoever it falls to."""
        if self._credentials is None or self.status is NodeStatus.TERMINATED:
            return []
        self._credentials = self.crawl = None
        self.lease.until = min(self.lease.until, now)  # what it is after yet is for nobody
        self._facts = []
        self._asked_after = _NOT_ASKED
        self._become(NodeStatus.DISCONNECTED)
        return self.begin(now)

    def _executed(self, execution: Execution, now: float) -> list[Output]:
        self._executing = False
        crawl, credentials = self.crawl, self._credentials
        if crawl is None or credentials is None:
            return []
        if not crawl.under_way():  # a plan of a membership that is over
            crawl.place(0, "")
            return self._go_on(now)
        if now > self.lease.until:
            return self._rejoin(now)
        crawl.observe(execution)
        has_news = any(isinstance(fact, Found) for fact in self._facts)
        is_due = has_news or len(self._facts) >= REPORT_EVERY
        outputs = self._go_on(now)
        return [*self._report(credentials), *outputs] if is_due else outputs

    def _go_on(self, now: float) -> list[Output]:
        """Execute the next plan; without one tell what was learned, and ask for work, once."""
        crawl, credentials = self.crawl, self._credentials
        if self._executing or crawl is None or credentials is None:
            return []
        if self._leaving:
            self._become(NodeStatus.TERMINATED)
            self.alarm = NEVER
            return [(self._coordinator, Leave(credentials.token, self._told()))]
        plan = self._next_plan(now)
        if plan or self._asked_after != _NOT_ASKED:
            return plan
        self._asked_after = self._heard
        return [(self._coordinator, GetNewStates(credentials.token, self._told(), self._heard))]

    def _rest(self, now: float, *, is_known: bool) -> list[Output]:
        """Do what can be done; with nothing be done, which may have to be said."""
        if self._executing:
            return []
        plan = self._next_plan(now)
        if plan or self._leaving:
            return plan
        self._become(NodeStatus.DONE)
        return [] if is_known else [self._sign(now)]

    def _next_plan(self, now: float) -> list[Output]:
        """Execute what the session wants next, if the node may."""
        if self._executing or self._leaving or self.crawl is None or now > self.lease.until:
            return []
        plan = self.crawl.plan()
        if plan is None:
            return []
        self._become(NodeStatus.ACTIVE)
        self._executing = True
        return [(BROWSER, plan)]

    def _open(self, crawl: Crawl, credentials: Credentials, share: Share) -> None:
        state = crawl.model.state(share.state)
        if state is None:
            raise ValueError(f"a part of a state that was never found: {share.state}")
        events = [crawl.model.events[event].identity for event in crawl.model.enabled[state]]
        owners = ASSIGNMENTS[credentials.assignment](share.state, events, share.nodes)
        mine = [event for event, owner in zip(events, owners, strict=True) if owner == share.place]
        crawl.hand_out(share.state, mine)

    def _sign(self, now: float) -> Output:
        token = self._credentials.token if self._credentials else 0
        return self._coordinator, SendNodeStatus(token, self.status, self._heard, now)

    def _report(self, credentials: Credentials) -> list[Output]:
        facts = self._told()
        return [(self._coordinator, SendNewState(credentials.token, facts))] if facts else []

    def _told(self) -> tuple[Fact, ...]:
        facts = tuple(self._facts)
        self._facts.clear()
        return facts

    def _become(self, status: NodeStatus) -> None:
        if status is not self.status:
            if status not in NEXT_STATUS[self.status]:
                raise ValueError(f"a node that is {self.status} can't become {status}")
            self.status = status
