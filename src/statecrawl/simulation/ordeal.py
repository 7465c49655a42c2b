"""Distributed crawls in a network where things go wrong, watched by checkers."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from statecrawl.coordination.machine import Address, Machine
from statecrawl.coordination.membership import Disk, Tempo
from statecrawl.coordination.recalled import Recalled, recalled_copies
from statecrawl.coordination.resolving_crawler import ResolvingCrawler
from statecrawl.coordination.ring_crawler import RingCrawler
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import Beat, Scheme, Stop
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.sessions import Endpoint, Envelope
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_messages import NodeStatus, Terminated
from statecrawl.coordination.star_node import StarNode
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.application import Application
from statecrawl.core.facts import Fact, in_order
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.resemblance import NearEquivalence
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.simulation.checkers import Checker, Hold
from statecrawl.simulation.faces import NEAR, FacedBrowser, FaceIdentity, true_state
from statecrawl.simulation.faults import Fault, Trouble, Weather, aimed_faults, draw_faults
from statecrawl.simulation.network import USUAL, Network, Process
from statecrawl.simulation.outcome import Outcome, Tally
from statecrawl.simulation.ring import coordinator_names
from statecrawl.simulation.star import HUB, new_session

PATIENCE = 120.0
"""A crawl that has not ended so many seconds after the last fault never will."""

RESEND_SECONDS = 0.3
GIVE_UP_SECONDS = 6.0
LEASE_SECONDS = 6.0
"""Longer than it takes to form a new view: a hasty one would find events in other hands."""
RETRY_SECONDS = 2.0


class Ordeal(ABC):
    """One crawl with faults from a seed. Every process speaks through sessions."""

    def __init__(
        self, application: Application, strategy: StrategyFactory, crawlers: int, seed: int
    ) -> None:
        self.application = application
        self.strategy = strategy
        self.crawlers = [f"crawler {number}" for number in range(crawlers)]
        self.network = Network(USUAL, application.reset_cost)
        self.checker = Checker(application)
        self.tally = Tally(self.network)
        self._random = Random(seed)  # noqa: S311 - chances, not secrets
        self._browser = SimulatedBrowser(application, self._random)
        self._lives: Counter[Address] = Counter()
        self._dead: set[Address] = set()

    @property
    @abstractmethod
    def coordinators(self) -> list[Address]:
        """The addresses of all coordinators."""

    @abstractmethod
    def coordinator(self, address: Address, life: int) -> Machine:
        """Return a coordinator that starts, or starts again."""

    @abstractmethod
    def crawler(self, address: Address, life: int) -> Machine:
        """Return a crawler that starts, or starts again."""

    def browser(self, machine: Machine) -> SimulatedBrowser:
        """Return a blank tab for a crawler."""
        del machine
        return self._browser.sibling()

    @abstractmethod
    def explores(self, machine: Machine) -> tuple[list[tuple[str, str]], Callable[[], float]]:
        """Return what a crawler is after, and until when it may be."""

    @abstractmethod
    def decision(self, message: object) -> int | None:
        """Return which decision to end a message tells a crawler of, if it does."""

    @abstractmethod
    def is_done(self, machine: Machine) -> bool:
        """Tell whether a crawler knows that the crawl is over."""

    def run(self, faults: int, horizon: float, *, is_aimed: bool = False) -> Outcome:
        """Crawl with so many faults that begin before the horizon, or with some that are aimed."""
        who = self.crawlers, self.coordinators
        if is_aimed:
            return self.suffer(aimed_faults(self._random, horizon, *who))
        return self.suffer(draw_faults(faults, self._random, horizon, *who))

    def suffer(self, drawn: list[Fault]) -> Outcome:
        """Crawl with these faults, and return what the checkers saw."""
        network = self.network
        weather = Weather(drawn, network.timing.latency_seconds, self._random)
        network.route, network.hindrance = weather, weather.hindrance
        network.on_fact = self._store
        network.on_execution = self._watch
        network.on_message = self._listen
        for address in self.coordinators:
            network.add_coordinator(address, self._start(address, self.coordinator))
        for address in self.crawlers:
            machine = self._start(address, self.crawler)
            network.add_crawler(address, machine, self.browser(machine.machine))
        for process in list(network.processes.values()):
            network.begin(process)
        for fault in drawn:
            if fault.trouble in (Trouble.CRAWLER, Trouble.COORDINATOR):
                self._plan_crash(fault)
        last = max((fault.end for fault in drawn), default=0.0)
        network.run(last + PATIENCE, lambda: network.now >= last and self._is_over())
        is_over = self._is_over()
        violations = self.checker.finish(is_over=is_over)
        return Outcome(self.application, network, self.tally, is_over, network.now, {}, violations)

    def _start(self, address: Address, make: Callable[[Address, int], Machine]) -> Endpoint:
        self._lives[address] += 1
        life = self._lives[address]
        return Endpoint(make(address, life), life, RESEND_SECONDS, GIVE_UP_SECONDS, (Beat,))

    def _plan_crash(self, fault: Fault) -> None:
        (address,) = fault.victims
        is_crawler = fault.trouble is Trouble.CRAWLER
        self.network.call(fault.start, lambda: self._crash(address))
        make = self.crawler if is_crawler else self.coordinator
        self.network.call(fault.end, lambda: self._revive(address, make))

    def _crash(self, address: Address) -> None:
        if address not in self._dead:
            self._dead.add(address)
            self.network.crash(self.network.processes[address])
            self.checker.died(address, self.network.now)

    def _revive(self, address: Address, make: Callable[[Address, int], Machine]) -> None:
        if address in self._dead:
            self._dead.discard(address)
            process = self.network.processes[address]
            machine = self._start(address, make)
            if process.browser is not None:
                process.browser = self.browser(machine.machine)
            self.network.restart(process, machine)

    def _store(self, address: Address, fact: object) -> None:
        del address
        if not isinstance(fact, Fact):
            raise TypeError(f"{fact!r} is no fact")
        self.checker.stored(fact)
        self.tally.take(fact)

    def _watch(
        self, process: Process, plan: Plan, execution: Execution, start: float, end: float
    ) -> None:
        self.checker.executed(process.address, plan, execution)
        pairs, deadline = self.explores(_inner(process))
        for pair in pairs:
            self.checker.held(pair, Hold(process.address, start, end, deadline))

    def _listen(self, sender: Address, to: Address, message: object) -> None:
        del sender, to
        if isinstance(message, Envelope):
            decision = self.decision(message.message)
            if decision is not None:
                self.checker.announced(decision)

    def _is_over(self) -> bool:
        processes = self.network.processes
        return not self._dead and all(
            self.is_done(_inner(processes[each])) for each in self.crawlers
        )


def _inner(process: Process) -> Machine:
    machine = process.machine
    return machine.machine if isinstance(machine, Endpoint) else machine


class StarOrdeal(Ordeal):
    """A star whose coordinator keeps its facts, and nothing else, when it crashes."""

    assignment = "hash"

    @property
    def coordinators(self) -> list[Address]:
        """Name them."""
        return [HUB]

    def coordinator(self, address: Address, life: int) -> Machine:
        """Start it with what is stored."""
        del address
        settings = StarSettings(
            self.application.all_entries,
            len(self.crawlers),
            self.application.reset_cost,
            self.assignment,
            lease_seconds=LEASE_SECONDS,
        )
        return StarCoordinator(settings, list(self.tally.facts), life)

    def crawler(self, address: Address, life: int) -> Machine:
        """Start one with a blank tab."""
        del address
        return StarNode(
            HUB, lambda credentials: new_session(credentials, self.strategy), life, RETRY_SECONDS
        )

    def explores(self, machine: Machine) -> tuple[list[tuple[str, str]], Callable[[], float]]:
        """Look at the plan that it was given; the first entry is for all to load."""
        if not isinstance(machine, StarNode) or machine.crawl is None:
            return [], lambda: 0.0
        model = machine.crawl.model
        fresh = [each for each in machine.crawl.under_way() if not each.times]
        pairs = [(model.states[each.source], each.step.event) for each in fresh]
        first = ("", f"load {self.application.all_entries[0]}")
        pairs = [pair for pair in pairs if pair != first]
        lease = machine.lease
        return pairs, lambda: lease.until

    def decision(self, message: object) -> int | None:
        """Look for the order to stop."""
        return 0 if isinstance(message, Terminated) else None

    def is_done(self, machine: Machine) -> bool:
        """Look at its state."""
        return isinstance(machine, StarNode) and machine.status is NodeStatus.TERMINATED


class RingOrdeal(Ordeal):
    """A ring whose coordinators keep nothing but what they promised when they crash."""

    near: NearEquivalence | None = None

    def __init__(
        self,
        application: Application,
        strategy: StrategyFactory,
        crawlers: int,
        seed: int,
        coordinators: int = 5,
        scheme: Scheme = Scheme.FORWARD,
    ) -> None:
        super().__init__(application, strategy, crawlers, seed)
        self._coordinators = coordinator_names(coordinators)
        self._disks = {address: Disk() for address in self._coordinators}
        self._settings = RingSettings(
            application.all_entries,
            application.reset_cost,
            scheme,
            lease_seconds=LEASE_SECONDS,
            near=self.near,
        )

    @property
    def coordinators(self) -> list[Address]:
        """Name them."""
        return self._coordinators

    def coordinator(self, address: Address, life: int) -> Machine:
        """Start it with what is stored."""
        del life
        everyone, disk = tuple(self._coordinators), self._disks[address]
        return RingMember(address, everyone, self._settings, self.strategy, disk, Tempo())

    def crawler(self, address: Address, life: int) -> Machine:
        """Start one with a blank tab."""
        known = self._known(address)
        return RingCrawler(address, known, identity, RETRY_SECONDS, LEASE_SECONDS, life)

    def _known(self, address: Address) -> tuple[Address, ...]:
        """Return the coordinators in the order in which a crawler turns to them."""
        home = self.crawlers.index(address) % len(self._coordinators)
        return (*self._coordinators[home:], *self._coordinators[:home])

    def explores(self, machine: Machine) -> tuple[list[tuple[str, str]], Callable[[], float]]:
        """Look at the plan that it was given."""
        if not isinstance(machine, RingCrawler) or machine.job is None or not machine.job.token:
            return [], lambda: 0.0
        until = machine.lease_until
        return [(machine.job.state, machine.job.event)], lambda: until

    def decision(self, message: object) -> int | None:
        """Look for the order to stop."""
        return message.epoch if isinstance(message, Stop) else None

    def is_done(self, machine: Machine) -> bool:
        """Look at its state."""
        return isinstance(machine, RingCrawler) and machine.is_over


class ResumedRingOrdeal(RingOrdeal):
    """A ring that goes on with what is stored; whoever crashes is told what is stored by then."""

    def recall(self, facts: Iterable[Fact]) -> None:
        """Take in what was stored before this part of the crawl, as far as it hangs together."""
        for fact, _ in in_order((fact, None) for fact in facts):
            self.checker.recalled(fact)
            self.tally.take(fact)

    def coordinator(self, address: Address, life: int) -> Machine:
        """Start it with what is stored."""
        del life
        stored = (fact for fact, _ in in_order((fact, None) for fact in self.tally.facts))
        everyone = tuple(self._coordinators)
        copies = recalled_copies(stored, self._settings.entries, everyone)[address]
        return RingMember(
            address,
            everyone,
            self._settings,
            self.strategy,
            self._disks[address],
            recalled=Recalled(copies),
        )


class FacedRingOrdeal(RingOrdeal):
    """A ring on an application whose states have several faces, which it has to take for one."""

    near = NEAR
    faces = 3

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.checker = Checker(self.application, true_state)
        self._identities: dict[Machine, FaceIdentity] = {}

    def crawler(self, address: Address, life: int) -> Machine:
        """Start one that was told nothing about pages."""
        told = FaceIdentity()
        known = self._known(address)
        inner = RingCrawler(address, known, told, RETRY_SECONDS, LEASE_SECONDS, life)
        machine = ResolvingCrawler(inner, address, known, told, RETRY_SECONDS)
        self._identities[machine] = told
        return machine

    def browser(self, machine: Machine) -> SimulatedBrowser:
        """Return a tab that stops at pages which its crawler does not know."""
        identity = self._identities[machine]
        return FacedBrowser(self.application, self._random, identity, self.faces)

    def explores(self, machine: Machine) -> tuple[list[tuple[str, str]], Callable[[], float]]:
        """Look at the plan that it was given."""
        return super().explores(_crawler(machine))

    def is_done(self, machine: Machine) -> bool:
        """Look at its state."""
        return super().is_done(_crawler(machine))


def _crawler(machine: Machine) -> Machine:
    return machine.crawler if isinstance(machine, ResolvingCrawler) else machine
