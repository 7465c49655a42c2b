"""Who is on the ring: views that a majority agrees on, one after the other.

A coordinator that promised a new view does nothing more in older ones, and two majorities share
a member; so there is one view at a time that works, and a minority that is cut off stalls. A view
is only formed if every state of the views before is still remembered by somebody in it.

However slow the network is, or the machines are, a view is formed in the end: each attempt that
comes to nothing, and each suspicion, doubles what a coordinator waits for others, and the next view
holds as long as answers make necessary. Patience is never a matter of safety.
"""

from dataclasses import dataclass
from enum import Enum, auto

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.machine import NEVER, Address, Output
from statecrawl.coordination.ring_messages import (
    Activate,
    Beat,
    Install,
    Join,
    Outbid,
    Prepare,
    Promise,
    Ready,
    View,
)

REPLICAS = 2
"""So many successors keep what a coordinator keeps."""


@dataclass(frozen=True)
class Tempo:
    """How long coordinators wait for each other, in seconds, while everything is quick.

    A coordinator works only while a majority has answered beats that it sent less than `hold` ago,
    or as long as the view says, if that is longer. A marker that was not seen for so long is
    thought to be lost.
    """

    beat: float = 0.5
    hold: float = 1.5
    suspect: float = 2.5
    collect: float = 0.6
    marker: float = 10.0


MOST_PATIENCE = 32.0
"""So many times its usual time is the most that a coordinator waits for others."""
CALM = 0.99
"""What a beat leaves of patience, once nobody is waited for: half of it after 35 seconds."""
LONGEST_HOLD_SECONDS = 20.0
ROUND_TRIPS = 3.0
"""A view holds at least as long as so many answers take, one after the other."""
LATEST_WEIGHS = 1 / 8
"""What the latest answer counts for in how long they take; one that was held up says little."""


@dataclass
class Disk:
    """The little that survives a crash: what was promised, and the last view."""

    promised: int = 0
    view: View | None = None


class Phase(Enum):
    """How far a coordinator is on its way into a view."""

    OUTSIDE = auto()
    PROMISED = auto()
    INSTALLED = auto()  # handing over
    ACTIVE = auto()


class Membership:
    """One coordinator's part in forming views."""

    def __init__(
        self, address: Address, everyone: tuple[Address, ...], disk: Disk, tempo: Tempo
    ) -> None:
        self.address = address
        self.phase = Phase.OUTSIDE
        self.view: View | None = None
        self.over = 0
        self._everyone = tuple(sorted(everyone))
        self._others = tuple(each for each in self._everyone if each != address)
        self._disk = disk
        self._tempo = tempo
        self._index = self._everyone.index(address)
        self._highest = disk.promised
        self._kept: list[View] = []
        self._lost = (disk.view,) if disk.view else ()
        self.active = 0
        self._promises: dict[Address, Promise] = {}
        self._proposal = 0
        self._proposed_at = NEVER
        self._ready: set[Address] = set()
        self._heard: dict[Address, float] = {}
        self._echoed: dict[Address, float] = {}
        self._beat_at = 0.0
        self._propose_at = NEVER
        self._in_force_at = 0.0
        self._patience = 1.0
        self._round_trip = 0.0

    @property
    def majority(self) -> int:
        """How many coordinators decide."""
        return len(self._everyone) // 2 + 1

    @property
    def epoch(self) -> int:
        """The epoch of the view that this coordinator works in; 0: none."""
        return self.view.epoch if self.view and self.phase is Phase.ACTIVE else 0

    @property
    def proposer(self) -> Address:
        """Who has formed the view, by its epoch."""
        epoch = self.view.epoch if self.view else 0
        return self._everyone[epoch % len(self._everyone)]

    def may_work(self, now: float) -> bool:
        """Tell whether the view is still in force here: a majority has answered lately."""
        if self.phase is not Phase.ACTIVE or self.view is None:
            return False
        since = now - self.view.hold
        return 1 + sum(at >= since for at in self._echoed.values()) >= self.majority

    @property
    def alarm(self) -> float:
        """When to beat, or to propose a view."""
        return min(self._beat_at, self._propose_at, self._collected_at)

    @property
    def _beat_seconds(self) -> float:
        """How long it is from beat to beat: busy machines hear fewer."""
        if self.view is None or self.phase is not Phase.ACTIVE:
            return self._patience * self._tempo.beat
        return self._tempo.beat * self.view.hold / self._tempo.hold

    @property
    def _collected_at(self) -> float:
        """When promises are waited for no longer."""
        return self._proposed_at + self._patience * self._tempo.collect

    def wake(self, now: float) -> list[Output]:
        """Beat, and look whether somebody is silent."""
        outputs: list[Output] = []
        if now >= self._beat_at:
            self._beat_at = now + self._beat_seconds
            beat = Beat(self.epoch, now, is_echo=False)
            outputs += [(other, beat) for other in self._others]
            self._suspect(now)
        if now >= self._collected_at:
            outputs += self._decide(now)
        if now >= self._propose_at:
            if self._disk.promised:  # somebody was too slow, or too slow for us
                self._patience = min(2 * self._patience, MOST_PATIENCE)
            outputs += self._propose(now)
        return outputs

    def _suspect(self, now: float) -> None:
        """Plan to propose a view if a member is silent, or there is none."""
        if self._is_fine(now):
            self._propose_at = NEVER
            self._patience = max(1.0, CALM * self._patience)
        elif self._propose_at == NEVER and self._proposed_at == NEVER:
            is_first = self._disk.view is None
            self._propose_after(0.0 if is_first or self.phase is Phase.ACTIVE else 1.0, now)

    def _is_fine(self, now: float) -> bool:
        """Tell whether there is a view, its members were all heard lately, and it was in force."""
        if self.phase is not Phase.ACTIVE or self.view is None:
            return False
        if self.may_work(now):
            self._in_force_at = now
        slowness = self._patience * self.view.hold / self._tempo.hold
        since = now - slowness * self._tempo.suspect
        members = set(self.view.members) - {self.address}
        is_heard = all(self._heard.get(member, now) >= since for member in members)
        return is_heard and self._in_force_at >= since

    def _propose_after(self, silences: float, now: float) -> None:
        """Plan to propose a view; not when others do who have the same reason."""
        wait = silences * self._tempo.suspect + self._index * self._tempo.collect
        self._propose_at = now + self._patience * wait

    def beat(self, sender: Address, beat: Beat, now: float) -> list[Output]:
        """Take in a sign of life, or an answer to one.

        Who lives outside of the view has left it, as far as those inside are concerned.
        """
        if self.phase is not Phase.ACTIVE or beat.epoch == self.epoch:
            self._heard[sender] = now
        self._highest = max(self._highest, beat.epoch)
        if beat.is_echo:
            if beat.epoch == self.epoch:
                self._echoed[sender] = max(self._echoed.get(sender, 0.0), beat.sent_at)
                self._round_trip += LATEST_WEIGHS * (now - beat.sent_at - self._round_trip)
            return []
        outputs: list[Output] = []
        if beat.epoch == self.epoch:
            outputs.append((sender, beat._replace(is_echo=True)))
        elif beat.epoch > self.epoch and self.phase is not Phase.INSTALLED:
            self._propose_after(2.0, now)
            outputs.append((sender, Join()))
        return outputs

    def join(self, sender: Address, now: float) -> list[Output]:
        """Hear that somebody wants to be in the view; its first other member sees to it.

        That may be one of the view which has lost its memory.
        """
        if self.phase is not Phase.ACTIVE or self.view is None or self._proposed_at < NEVER:
            return []
        others = [member for member in self.view.members if member != sender]
        return self._propose(now) if others[:1] == [self.address] else []

    def _propose(self, now: float) -> list[Output]:
        """Begin to form a view, with an epoch that nobody else can choose."""
        size = len(self._everyone)
        self._highest = self._proposal = (self._highest // size + 1) * size + self._index
        self._promises = {}
        self._proposed_at = now
        self._propose_at = NEVER
        prepare = Prepare(self._proposal)
        own = self.prepare(self.address, prepare, now)
        for _, message in own:
            self._promises[self.address] = message
        outputs: list[Output] = [(other, prepare) for other in self._others]
        return outputs if self._others else outputs + self._decide(now)

    def prepare(self, sender: Address, message: Prepare, now: float) -> list[Output]:
        """Promise not to work in an older view, unless a newer one was promised."""
        self._heard[sender] = now
        self._highest = max(self._highest, message.epoch)
        if message.epoch <= self._disk.promised:
            return [(sender, Outbid(self._disk.promised))]
        self._disk.promised = message.epoch
        self.phase = Phase.PROMISED
        self._echoed.clear()
        if sender != self.address:
            self._proposed_at = NEVER
            self._propose_after(1.0, now)
        kept, lost = tuple(self._kept), tuple(self._lost)
        return [(sender, Promise(message.epoch, kept, lost, self.active, self.over))]

    def outbid(self, sender: Address, message: Outbid, now: float) -> list[Output]:
        """Try again later with a larger epoch."""
        self._heard[sender] = now
        self._highest = max(self._highest, message.epoch)
        if self._proposed_at < NEVER:
            self._proposed_at = NEVER
            self._propose_at = now + self._patience * (1 + self._index) * self._tempo.collect
        return []

    def promised(self, sender: Address, message: Promise, now: float) -> list[Output]:
        """Collect promises; with those of all there is nothing to wait for."""
        self._heard[sender] = now
        if message.epoch != self._proposal or self._proposed_at == NEVER:
            return []
        self._promises[sender] = message
        return self._decide(now) if len(self._promises) == len(self._everyone) else []

    def _decide(self, now: float) -> list[Output]:
        """Install the view if a majority has promised and nothing would be forgotten."""
        self._proposed_at = NEVER
        self._propose_after(1.0, now)
        is_current = self._proposal == self._disk.promised
        if not is_current or len(self._promises) < self.majority or not self._is_remembered():
            if self._disk.view is None:  # at the start: others may have come meanwhile
                self._propose_after(0.5, now)
            return []
        promises = self._promises.values()
        needed = min(ROUND_TRIPS * self._round_trip, LONGEST_HOLD_SECONDS)
        before = (view.hold for each in promises for view in (*each.kept, *each.lost))
        hold = max(self._tempo.hold, needed, *before)
        view = View(self._proposal, Ring(self._promises).members, hold)
        lost = (each.epoch for promise in promises for each in promise.lost)
        last = max(*(promise.active for promise in promises), *lost, 0)
        install = Install(view, last, max(promise.over for promise in promises))
        self._ready = set()
        return [(member, install) for member in view.members]

    def _is_remembered(self) -> bool:
        """Tell whether each state of earlier views is kept by somebody who promised."""
        promises = self._promises.values()
        active = max(promise.active for promise in promises)
        views = {view for promise in promises for view in (*promise.kept, *promise.lost)}
        for view in views:
            if view.epoch < active or self._is_void(view):
                continue
            keepers = {each for each, promise in self._promises.items() if view in promise.kept}
            ring = Ring(view.members)
            for member in view.members:
                if not keepers & {member, *ring.after(member, REPLICAS)}:
                    return False
        return True

    def _is_void(self, view: View) -> bool:
        """Tell whether nobody ever worked in a view: one of its members has not installed it.

        That one has promised a newer view now, so it never will; and whoever works waits for all.
        """
        newest = {
            member: max((known.epoch for known in (*promise.kept, *promise.lost)), default=0)
            for member, promise in self._promises.items()
        }
        return any(newest.get(member, view.epoch) < view.epoch for member in view.members)

    def install(self, message: Install, now: float) -> bool:
        """Take a view over that was promised; False: another one was promised since."""
        if message.view.epoch != self._disk.promised or self.phase is not Phase.PROMISED:
            return False
        self.view = self._disk.view = message.view
        self.phase = Phase.INSTALLED
        self.over = max(self.over, message.over)
        self._kept.append(message.view)
        self._propose_after(1.0, now)
        return True

    def is_ready(self, sender: Address, message: Ready) -> list[Output]:
        """Let all work in the view once they are all ready."""
        view = self.view
        if view is None or message.epoch != view.epoch or self._proposal != view.epoch:
            return []
        self._ready.add(sender)
        if self._ready != set(view.members):
            return []
        return [(member, Activate(view.epoch)) for member in view.members]

    def activate(self, message: Activate, now: float) -> bool:
        """Begin to work in the view; False: it is not the one that was installed."""
        view = self.view
        if view is None or message.epoch != view.epoch or self.phase is not Phase.INSTALLED:
            return False
        self.phase = Phase.ACTIVE
        self.active = view.epoch
        self._kept = [view]
        self._lost = ()
        self._propose_at = NEVER
        self._in_force_at = now
        self._heard = dict.fromkeys(view.members, now)
        self._echoed.clear()
        self._beat_at = now
        return True
