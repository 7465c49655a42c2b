"""A coordinator of the ring (Ben Hafaiedh et al. 2014): keeps states, finds events to explore."""

from collections.abc import Callable, Sequence
from typing import Any

from statecrawl.coordination.book import Book, way_to
from statecrawl.coordination.chord import Ring
from statecrawl.coordination.exploration import Exploration
from statecrawl.coordination.leases import Leases
from statecrawl.coordination.ledger import Ledger
from statecrawl.coordination.machine import NEVER, STORE, Address, Output
from statecrawl.coordination.pick import reset_only
from statecrawl.coordination.ring_messages import (
    AckJob,
    Declined,
    ExecuteEvent,
    Exhausted,
    Finished,
    ForwardExploration,
    Hello,
    InVain,
    Job,
    JobFailed,
    Marker,
    RequestJob,
    Scheme,
    Start,
    StateInfo,
    Stop,
)
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.termination import Termination
from statecrawl.core.facts import Executed, Found, Refused
from statecrawl.core.model import BLANK
from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.strategy import Route, StrategyFactory

_NOWHERE = Plan(None, None, ())
_Question = tuple[Address, int, str, tuple[str, ...], tuple[Exhausted, ...], bool]
"""The crawler, its request and its state, who was asked in vain, what is known, is that new?"""


def new_ledger(settings: RingSettings, strategy: StrategyFactory, epoch: int = 0) -> Ledger:
    """Return what a coordinator begins with; with global knowledge all share one."""
    picked = reset_only if settings.scheme is Scheme.RESET_ONLY else strategy
    asks = settings.scheme is Scheme.FORWARD
    book = Book(settings.entries, picked, settings.reset_cost, asks=asks)
    return Ledger(book, Leases(settings.lease_seconds, epoch))


class RingCoordinator:
    """Serves crawlers wherever they are, each through whatever coordinator it is attached to."""

    def __init__(
        self, address: Address, ring: Ring, settings: RingSettings, ledger: Ledger
    ) -> None:
        self.address = address
        self.ring = ring
        self.ledger = ledger
        self.termination = Termination(len(ring.members))
        self.exploration = Exploration(ledger)
        self.crawlers: dict[Address, None] = {}
        self._settings = settings
        self._overhears = settings.scheme is Scheme.SHARED
        self._asks = settings.scheme is Scheme.FORWARD
        self._cursors: dict[Address, int] = {}
        self._placed: set[str] = {""}
        self._idle: dict[Address, RequestJob] = {}
        self._retry_at = NEVER
        self._asked_at: dict[str, float] = {}
        self._handlers: dict[type, Callable[[Address, Any, float], list[Output]]] = {
            Hello: self._hello,
            StateInfo: self._state_info,
            AckJob: self._ack_job,
            JobFailed: self._job_failed,
            Declined: self._declined,
            RequestJob: self._request_job,
            ForwardExploration: self._forward,
            InVain: self._in_vain,
            Marker: self._take_marker,
            Finished: self._finish,
        }

    def begin(self, now: float) -> list[Output]:
        """Keep the blank tab, whose events are the entries, if it belongs here."""
        self.own_blank()
        # Every crawler loads the first entry anyway.
        first = self.ledger.book.model.event(f"load {self._settings.entries[0]}")
        self.ledger.book.close(BLANK, first)
        return self.start_marker(now)

    def own_blank(self) -> None:
        """Take in the blank tab, if it belongs here."""
        if self.ring.owner("") == self.address and "" not in self.ledger.records:
            events = tuple(Event(f"load {entry}") for entry in self._settings.entries)
            self.ledger.store("", Snapshot("", events), ())

    def start_marker(self, now: float) -> list[Output]:
        """Send the marker on its way; the first coordinator of a ring does."""
        if self.ring.members[0] != self.address:
            return []
        return self._take_marker(self.address, self.termination.new_marker(), now)

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in what a crawler or another coordinator says."""
        return self._handlers[type(message)](sender, message, now)

    @property
    def alarm(self) -> float:
        """When a lease ends, or idle crawlers are offered around again."""
        lease_ends = self.ledger.leases.alarm
        return lease_ends if lease_ends < self._retry_at else self._retry_at

    def wake(self, now: float) -> list[Output]:
        """Take back what leases have run out on, and look for work for idle crawlers."""
        for pair in self.ledger.leases.expired(now):
            self.ledger.reopen(pair)
        outputs: list[Output] = []
        if now >= self._retry_at:
            self._retry_at = NEVER
            waiting, self._idle = self._idle, {}
            for request in waiting.values():
                outputs += self._request_job(request.crawler, request, now)
        return outputs

    def postpone(self, until: float) -> None:
        """Put off what idle crawlers wait for."""
        if self._retry_at < NEVER:
            self._retry_at = max(self._retry_at, until)
        self.ledger.leases.postpone(until)

    def _hello(self, sender: Address, message: Hello, now: float) -> list[Output]:
        del message, now
        self.crawlers[sender] = None
        if self.termination.is_over:
            return [(sender, Stop(self.termination.epoch))]
        return [(sender, Start(self._settings.entries, self.ring.members))]

    def _state_info(self, sender: Address, message: StateInfo, now: float) -> list[Output]:
        del sender
        state = message.state
        owner = self.ring.owner(state)
        if self._overhears:
            self._overhear(message)
        if owner != self.address:
            return [(self.ring.hop(self.address, owner), message)]
        if self.termination.is_over:
            return [(message.crawler, Stop(self.termination.epoch))]
        if state in self.ledger.records:
            return self.revisited(message, now)
        path = (*message.path, Step(message.event, state))
        self.learn_path(path)
        self.ledger.store(state, message.snapshot, path)
        outputs: list[Output] = [(STORE, Found(state, message.snapshot, 0, 0))]
        if self._idle:
            self._retry_at = now
        if self._asks and not message.snapshot.events:
            self.exploration.used_up(state)
        return outputs + self.stored(message, now)

    def revisited(self, message: StateInfo, now: float) -> list[Output]:
        """Go on after a crawler came to a known state."""
        return self.answer(message, now, is_new=False)

    def stored(self, message: StateInfo, now: float) -> list[Output]:
        """Go on after a new state was taken in."""
        return self.answer(message, now, is_new=True)

    def answer(self, message: StateInfo, now: float, *, is_new: bool) -> list[Output]:
        """Tell a crawler what to do next."""
        route = self.ledger.book.route(self._cursor(message.crawler), message.state)
        if route is None:
            return [(message.crawler, ExecuteEvent(message.request, None, is_new))]
        if self._asks and self.ledger.book.is_ask(route[-1]):
            known = self.exploration.under_way(message.state)
            question = (message.crawler, message.request, message.state, (), known, is_new)
            return self._ask(route, question, now)
        job = self._job(route, now)
        return [(message.crawler, ExecuteEvent(message.request, job, is_new))]

    def _overhear(self, message: StateInfo) -> None:
        """Learn the transitions in a message that passes by."""
        book = self.ledger.book
        if message.source not in self._placed:
            self.learn_path(message.path)
        book.learn(book.number(message.source), message.event, book.number(message.state))

    def learn_path(self, path: Sequence[Step]) -> None:
        """Learn the transitions on a way from a blank tab, but for those up to a known state.

        The way to a state is the one it was found on, and begins with that to the state before.
        """
        book, placed = self.ledger.book, self._placed
        known = len(path)
        while known and path[known - 1].expected not in placed:
            known -= 1
        source = book.number(path[known - 1].expected or "") if known else BLANK
        for event, target in path[known:]:
            if target is not None:
                number = book.number(target)
                book.learn(source, event, number)
                placed.add(target)
                source = number

    def _job(self, route: Route, now: float) -> Job:
        """Give away the event at the end of a route."""
        ledger = self.ledger
        last = route[-1]
        state = ledger.book.model.states[last.source]
        event = last.step.event
        plan = ledger.book.plan(route)
        ledger.book.close(last.source, last.event)
        self._given_out(state)
        token = ledger.leases.grant((state, event), now)
        return Job(plan, state, event, token, ledger.records[state].path)

    def _ack_job(self, sender: Address, message: AckJob, now: float) -> list[Output]:
        del sender, now
        state, event = message.state, message.event
        owner = self.ring.owner(state)
        if owner != self.address:
            return [(self.ring.hop(self.address, owner), message)]
        ledger = self.ledger
        record = ledger.records.get(state)
        if record is None or not self._may_say(message, event in record.undecided):
            return []
        fact = Executed(state, event, message.target, message.effect)
        is_news = ledger.executed(fact, is_new=message.is_new)
        settled = self.settled(state)
        return [(STORE, fact), *settled] if is_news else settled

    def _may_say(self, message: AckJob, is_undecided: bool) -> bool:
        """Tell whether a crawler held the lease. A load needs none, nor does a known transition."""
        if self.ledger.leases.settle((message.state, message.event), message.token):
            return True
        return message.token == 0 and (message.state == "" or not is_undecided)

    def settled(self, state: str) -> list[Output]:
        """Go on after an event was decided."""
        if self._asks and not self.ledger.records[state].undecided:
            self.exploration.used_up(state)
        return self._pass_marker() if self.termination.holds else []

    def _job_failed(self, sender: Address, message: JobFailed, now: float) -> list[Output]:
        del now, sender
        pair = (message.state, message.event)
        owner = self.ring.owner(message.state)
        if owner != self.address:
            return [(self.ring.hop(self.address, owner), message)]
        if not self.ledger.leases.settle(pair, message.token):
            return []
        fact = None
        if message.refused is None:
            fact = self.ledger.fail(pair)
        elif self.ledger.decide(refused := Refused(*pair, message.refused)):
            fact = refused
        outputs: list[Output] = [(STORE, fact)] if fact else []
        return outputs + self.settled(message.state)

    def _declined(self, sender: Address, message: Declined, now: float) -> list[Output]:
        del sender, now
        pair = (message.state, message.event)
        if self.ledger.leases.settle(pair, message.token):
            self.ledger.reopen(pair)
        return []

    def _request_job(self, sender: Address, message: RequestJob, now: float) -> list[Output]:
        if self.termination.is_over:
            return [(message.crawler, Stop(self.termination.epoch))]
        job = self._any_job(message, now)
        if job is not None:
            return [(message.crawler, ExecuteEvent(message.request, job, False))]
        marker = self._pass_marker() if self.termination.holds else []
        following = self.ring.next(self.address)
        came_round = self.address == message.origin and sender != message.crawler
        if came_round or following == self.address:
            self._idle[message.crawler] = message
            self._retry_at = min(self._retry_at, now + self._settings.retry_seconds)
            return marker
        return [*marker, (following, message)]

    def _any_job(self, message: RequestJob, now: float) -> Job | None:
        """Return an event of an own state, if one is open."""
        ledger = self.ledger
        if not self._asks:
            route = ledger.book.route(self._cursor(message.crawler), message.state)
            if route is not None:
                return self._job(route, now)
        state = ledger.any_open()
        if state is None:
            return None
        path = ledger.records[state].path
        way = way_to(path) if path else _NOWHERE
        return self._last_step(way, state, now)

    def _last_step(self, way: Plan, state: str, now: float) -> Job:
        """Give away the first open event of a state that this way leads to."""
        ledger = self.ledger
        event = ledger.first_open(state)
        ledger.book.close(ledger.book.number(state), ledger.book.model.event(event))
        self._given_out(state)
        token = ledger.leases.grant((state, event), now)
        if state == "":
            plan = Plan(event.removeprefix("load "), None, ())
        else:
            plan = Plan(way.entry, way.expected_entry, (*way.steps, Step(event, None)))
        return Job(plan, state, event, token, ledger.records[state].path)

    def _given_out(self, state: str) -> None:
        """Let others be told when that was the last event of a state."""
        if self._asks and not self.ledger.is_open(state):
            self.exploration.given_out(state)

    def _ask(self, route: Route, question: _Question, now: float) -> list[Output]:
        """Ask the coordinator of the state at the end of a route for an event there."""
        book = self.ledger.book
        state = book.model.states[route[-1].source]
        owner = self.ring.owner(state)
        crawler, request, root, visited, known, is_new = question
        knowledge = (*self.exploration.untold(owner), *known)
        way = book.plan(route)
        if now - self._asked_at.get(state, -NEVER) < self._settings.question_seconds:
            book.take_turns(route)
        self._asked_at[state] = now
        asked = ForwardExploration(state, crawler, request, root, way, visited, knowledge, is_new)
        return [(owner, asked)]

    def _forward(self, sender: Address, message: ForwardExploration, now: float) -> list[Output]:
        exploration = self.exploration
        exploration.learn(message.knowledge)
        state, crawler = message.state, message.crawler
        on_the_way = (message.root, *message.visited)
        carried = tuple(
            each for each in message.knowledge if not each.is_complete and each.state in on_the_way
        )
        outputs: list[Output] = []
        if state in self.ledger.records:
            if self.ledger.is_open(state):
                job = self._last_step(message.way, state, now)
                return [(crawler, ExecuteEvent(message.request, job, message.is_new))]
            carried += exploration.under_way(state)
            outputs.append((sender, InVain(exploration.lacking(sender, state))))
        visited = (*message.visited, state)
        route = self.ledger.book.route(self._cursor(crawler), message.root, visited)
        if route is not None and self.ledger.book.is_ask(route[-1]):
            question = (crawler, message.request, message.root, visited, carried, message.is_new)
            return outputs + self._ask(route, question, now)
        found = None if route is None else self._job(route, now)
        return [*outputs, (crawler, ExecuteEvent(message.request, found, message.is_new))]

    def _in_vain(self, sender: Address, message: InVain, now: float) -> list[Output]:
        """Learn from a question that it asked in vain, so that it is not asked again."""
        del sender, now
        self.exploration.learn(message.knowledge)
        return []

    def _take_marker(self, sender: Address, message: Marker, now: float) -> list[Output]:
        del sender, now
        self.termination.take(message)
        return self._pass_marker()

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is left to do in the states kept here."""
        return self.ledger.left == 0

    def _pass_marker(self) -> list[Output]:
        if not self.is_idle:
            return []
        marker = self.termination.pass_on(self.ledger.changes)
        if marker is not None:
            return [(self.ring.next(self.address), marker)]
        return self.announce() if self.termination.is_over else []

    def announce(self) -> list[Output]:
        """Say that the crawl is over."""
        finished = Finished(self.termination.epoch)
        others = [member for member in self.ring.members if member != self.address]
        return [*((member, finished) for member in others), *self.stop_crawlers()]

    def _finish(self, sender: Address, message: Finished, now: float) -> list[Output]:
        del sender, message, now
        self.termination.is_over = True
        return self.stop_crawlers()

    def stop_crawlers(self) -> list[Output]:
        """Tell all crawlers that have come here."""
        self._idle.clear()
        self._retry_at = NEVER
        return [(crawler, Stop(self.termination.epoch)) for crawler in self.crawlers]

    def _cursor(self, crawler: Address) -> int:
        return self._cursors.setdefault(crawler, len(self._cursors))
