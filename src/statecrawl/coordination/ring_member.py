"""A coordinator of a ring that outlives failures: views, replicas, leases around the protocol."""

from collections.abc import Callable
from typing import Any

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.machine import NEVER, Address, Output
from statecrawl.coordination.membership import REPLICAS, Disk, Membership, Phase, Tempo
from statecrawl.coordination.recalled import NOTHING, Recalled
from statecrawl.coordination.replication import Replicas
from statecrawl.coordination.resolution import RESOLVER, Resolutions
from statecrawl.coordination.ring_coordinator import RingCoordinator, new_ledger
from statecrawl.coordination.ring_messages import (
    Activate,
    Agreed,
    Announce,
    Beat,
    Finished,
    ForwardExploration,
    Handover,
    Hello,
    Install,
    Join,
    KeepResolution,
    KeptResolutions,
    Marker,
    Outbid,
    Prepare,
    Promise,
    Ready,
    Replicate,
    Replicated,
    RequestJob,
    Resolve,
    StateInfo,
)
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.coordination.termination import Termination
from statecrawl.core.strategy import StrategyFactory


class RingMember(RingCoordinator):
    """Works only in a view that a majority agrees on, with its states kept on two successors.

    A new state is answered for only when it is kept; until then the event that led to it is not
    acknowledged, so a coordinator that dies loses nothing. Events that changed hands are given out
    only when every lease of the coordinator before must have ended.
    """

    def __init__(
        self,
        address: Address,
        everyone: tuple[Address, ...],
        settings: RingSettings,
        strategy: StrategyFactory,
        disk: Disk,
        tempo: Tempo = Tempo(),  # noqa: B008 - it is frozen
        recalled: Recalled = NOTHING,
    ) -> None:
        ledger = new_ledger(settings, strategy, disk.promised)
        super().__init__(address, Ring(everyone), settings, ledger)
        self.membership = Membership(address, everyone, disk, tempo)
        self.replicas = Replicas(ledger)
        for copy in recalled.copies:
            self.replicas.keep(copy)
        self.resolutions = None if settings.near is None else Resolutions(settings.near)
        if self.resolutions is not None and recalled.order is not None:
            self.resolutions.adopt([recalled.order])
        self._tempo = tempo
        self._handovers: dict[int, dict[Address, Handover]] = {}
        self._early: list[tuple[Address, Replicate | KeepResolution | Marker]] = []
        self._asked: dict[Address, tuple[Address, Any]] = {}
        self._said: list[tuple[Address, Any]] = []
        self._last = 0
        self._graced: list[str] = []
        self._grace_ends = NEVER
        self._agreed: set[Address] = set()
        self._marker_due = NEVER
        self._handlers[Resolve] = self._resolve
        membership = self.membership
        self._ours: dict[type, Callable[[Address, Any, float], list[Output]]] = {
            Beat: membership.beat,
            Join: lambda sender, _, now: membership.join(sender, now),
            Prepare: membership.prepare,
            Outbid: membership.outbid,
            Promise: membership.promised,
            Install: self._install,
            Handover: self._handover,
            Ready: lambda sender, message, _: membership.is_ready(sender, message),
            Activate: self._activate,
            Replicate: self._replicate,
            Replicated: self._replicated,
            Marker: self._mark,
            Finished: self._finished,
            Agreed: self._agree,
            Announce: self._announced,
            KeepResolution: self._keep_resolution,
            KeptResolutions: self._kept_resolutions,
        }

    def begin(self, now: float) -> list[Output]:
        """Look for the others."""
        return self.membership.wake(now)

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take part in the view; what crawlers say is heard only while it is in force.

        What they say meanwhile is heard then: otherwise they wait until they ask again, and what
        they did counts for nothing. Of questions for a crawler the last one is left.
        """
        handler = self._ours.get(type(message))
        if handler is not None:
            return handler(sender, message, now) + self._hear_held(now)
        if isinstance(message, Hello) or self.membership.may_work(now):
            return super().on(sender, message, now)
        if isinstance(message, StateInfo | RequestJob | ForwardExploration):
            self._asked[message.crawler] = sender, message
        else:
            self._said.append((sender, message))
        return []

    def _hear_held(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        if (self._said or self._asked) and self.membership.may_work(now):
            held = [*self._said, *self._asked.values()]
            self._said.clear()
            self._asked.clear()
            for sender, message in held:
                outputs += super().on(sender, message, now)
        return outputs

    @property
    def alarm(self) -> float:
        """When to beat, or anything that a coordinator wakes for."""
        return min(self.membership.alarm, self._grace_ends, self._marker_due, super().alarm)

    def wake(self, now: float) -> list[Output]:
        """Do what is due, if the view is in force."""
        outputs = self.membership.wake(now)
        if now >= self._grace_ends:
            self._grace_ends = NEVER
            self._end_grace()
        if now >= self._marker_due:
            self._marker_due = now + self._tempo.marker
            if not self.termination.holds and self.membership.epoch:
                outputs += self.start_marker(now)
        if self.membership.may_work(now):
            return outputs + self._hear_held(now) + super().wake(now)
        self.postpone(now + self._tempo.beat)
        return outputs

    def _install(self, sender: Address, message: Install, now: float) -> list[Output]:
        del sender
        if not self.membership.install(message, now):
            return []
        epoch, members, _ = message.view
        self._last = message.last
        self._early.clear()
        ring = Ring(members)
        handovers = self.replicas.handovers(ring, self.address)
        order = None if self.resolutions is None else self.resolutions.order
        resolver = ring.owner(RESOLVER)
        orderly = {resolver, *ring.after(resolver, REPLICAS)}
        outputs: list[Output] = [
            (member, Handover(epoch, tuple(copies), order if member in orderly else None))
            for member, copies in handovers.items()
        ]
        return outputs + self._look_for_handovers()

    def _handover(self, sender: Address, message: Handover, now: float) -> list[Output]:
        del now
        self._handovers.setdefault(message.epoch, {})[sender] = message
        return self._look_for_handovers()

    def _look_for_handovers(self) -> list[Output]:
        """Say so when everybody has handed over what belongs here now."""
        view, phase = self.membership.view, self.membership.phase
        if view is None or phase is not Phase.INSTALLED:
            return []
        arrived = self._handovers.get(view.epoch, {})
        if set(view.members) - {self.address} - arrived.keys():
            return []
        for handover in arrived.values():
            for copy in handover.copies:
                self.replicas.keep(copy)
        if self.resolutions is not None:
            self.resolutions.adopt(each.order for each in arrived.values() if each.order)
        self._handovers.clear()
        proposer = self.membership.proposer
        return [(proposer, Ready(view.epoch))]

    def _activate(self, sender: Address, message: Activate, now: float) -> list[Output]:
        """Begin to work: with what is ours now, and later with what may be in other hands."""
        del sender
        view, is_back = self.membership.view, self.membership.active < self._last
        if view is None or not self.membership.activate(message, now):
            return []
        self.ring = Ring(view.members)
        self.termination = Termination(len(view.members), view.epoch)
        if self.resolutions is not None:
            resolver = self.ring.owner(RESOLVER)
            self.resolutions.begin(view.epoch, self.ring.after(resolver, REPLICAS))
        taken = self.replicas.resettle(self.ring, self.address)
        for state in taken:
            self.learn_path(self.ledger.records[state].path)
        had_blank = "" in self.ledger.records
        self.own_blank()
        if not had_blank and "" in self.ledger.records:
            taken.append("")
        self.exploration.resettle()
        if is_back:  # others have worked meanwhile, and gave out what was ours before
            taken = list(self.ledger.records)
        if self._last:
            for state in taken:
                self.ledger.hold_back(state)
            self._graced = [*self._graced, *taken]
            self._grace_ends = now + view.hold + self._settings.lease_seconds
        early, self._early = self._early, []
        outputs: list[Output] = []
        for peer, each in early:
            outputs += self.on(peer, each, now)
        if self.membership.over:
            return outputs + self._end(self.membership.over)
        self._marker_due = now + self._tempo.marker
        return outputs + self.start_marker(now)

    def _end_grace(self) -> None:
        """Give out events whose former leases have all ended."""
        states, self._graced = self._graced, []
        for state in states:
            record = self.ledger.records.get(state)
            for event in sorted(record.undecided) if record else ():
                if not self.ledger.leases.has((state, event)):
                    self.ledger.reopen((state, event))

    def stored(self, message: StateInfo, now: float) -> list[Output]:
        """Have a new state kept by others before it is answered for."""
        keepers = self.ring.after(self.address, REPLICAS)
        if self.replicas.await_copies(message, keepers):
            return self._answer_all(self.replicas.released(message.state), now)
        return self._copies_of(message.state, keepers)

    def revisited(self, message: StateInfo, now: float) -> list[Output]:
        """Answer for a known state, if it is kept."""
        return [] if self.replicas.is_waiting(message) else super().revisited(message, now)

    def settled(self, state: str) -> list[Output]:
        """Have what was decided kept by others; nobody needs to wait for that."""
        keepers = self.ring.after(self.address, REPLICAS)
        return self._copies_of(state, keepers) + super().settled(state)

    def _copies_of(self, state: str, keepers: tuple[Address, ...]) -> list[Output]:
        replicate = Replicate(self.membership.epoch, self.replicas.copy_of(state))
        return [(keeper, replicate) for keeper in keepers]

    def _replicate(self, sender: Address, message: Replicate, now: float) -> list[Output]:
        del now
        membership = self.membership
        if membership.phase is Phase.INSTALLED:
            self._early.append((sender, message))
        if not self._is_current(message.epoch):
            return []
        self.replicas.keep(message.copy)
        return [(sender, Replicated(message.epoch, message.copy.state))]

    def _resolve(self, sender: Address, message: Resolve, now: float) -> list[Output]:
        """Pass a question about a page on to the coordinator that decides."""
        del sender, now
        resolver = self.ring.owner(RESOLVER)
        if resolver != self.address:
            return [(self.ring.hop(self.address, resolver), message)]
        return self.resolutions.resolve(message) if self.resolutions is not None else []

    def _keep_resolution(
        self, sender: Address, message: KeepResolution, now: float
    ) -> list[Output]:
        del now
        if self.membership.phase is Phase.INSTALLED:
            self._early.append((sender, message))
        if self.resolutions is None or not self._is_current(message.epoch):
            return []
        return self.resolutions.keep(sender, message)

    def _kept_resolutions(
        self, sender: Address, message: KeptResolutions, now: float
    ) -> list[Output]:
        del now
        if self.resolutions is None or not self._is_current(message.epoch):
            return []
        return self.resolutions.kept(sender, message)

    def _mark(self, sender: Address, message: Marker, now: float) -> list[Output]:
        """Take the marker, whether or not the view is in force: that says nothing of idleness."""
        if self.membership.phase is Phase.INSTALLED:
            self._early.append((sender, message))
            return []
        self._marker_due = now + self._tempo.marker
        return self._take_marker(sender, message, now)

    def _replicated(self, sender: Address, message: Replicated, now: float) -> list[Output]:
        if not self._is_current(message.epoch):
            return []
        waiting = self.replicas.copied(sender, message.state)
        outputs = self._answer_all(waiting, now)
        return outputs + (self._pass_marker() if self.termination.holds else [])

    def _answer_all(self, waiting: list[StateInfo], now: float) -> list[Output]:
        outputs: list[Output] = []
        for number, message in enumerate(waiting):
            if self.membership.may_work(now):
                outputs += self.answer(message, now, is_new=number == 0)
        return outputs

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing is left to do in this view, nor on its way to those who keep it."""
        is_current = self._is_current(self.termination.epoch)
        return is_current and super().is_idle and self.replicas.is_settled

    def _is_current(self, epoch: int) -> bool:
        """Tell whether an epoch is that of the view that this coordinator works in."""
        return epoch != 0 and epoch == self.membership.epoch

    def announce(self) -> list[Output]:
        """Have all members know that the crawl is over before any crawler is told."""
        self.termination.is_over = False
        self.membership.over = self.membership.epoch
        self._agreed = {self.address}
        finished = Finished(self.membership.epoch)
        others = [member for member in self.ring.members if member != self.address]
        return [(other, finished) for other in others] or self._end(self.membership.over)

    def _finished(self, sender: Address, message: Finished, now: float) -> list[Output]:
        del now
        if not self._is_current(message.epoch):
            return []
        self.membership.over = message.epoch
        return [(sender, Agreed(message.epoch))]

    def _agree(self, sender: Address, message: Agreed, now: float) -> list[Output]:
        del now
        if not self._is_current(message.epoch):
            return []
        self._agreed.add(sender)
        if self._agreed < set(self.ring.members):
            return []
        announce = Announce(message.epoch)
        others = [member for member in self.ring.members if member != self.address]
        return [*((other, announce) for other in others), *self._end(message.epoch)]

    def _announced(self, sender: Address, message: Announce, now: float) -> list[Output]:
        del sender, now
        return self._end(message.epoch) if self._is_current(message.epoch) else []

    def _end(self, epoch: int) -> list[Output]:
        self.termination.is_over = True
        self.termination.epoch = epoch
        self._marker_due = NEVER
        return self.stop_crawlers()
