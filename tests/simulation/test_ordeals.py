"""Crawls in which things go wrong, and protocols that are wrong: the checkers tell them apart."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from statecrawl.coordination.leases import Leases
from statecrawl.coordination.machine import NEVER, Output
from statecrawl.coordination.membership import Membership
from statecrawl.coordination.replication import Replicas
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import Activate, Scheme
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_messages import Terminated
from statecrawl.coordination.termination import Termination
from statecrawl.simulation.chance import draw_application
from statecrawl.simulation.ordeal import Ordeal, RingOrdeal, StarOrdeal
from statecrawl.strategies import STRATEGIES

FAULTS = 6
HORIZON = 4.0
REAL_SCHEMES = [scheme for scheme in Scheme if scheme is not Scheme.GLOBAL]


def star(seed: int) -> Ordeal:
    random = Random(seed)
    application = draw_application(random)
    strategy = STRATEGIES[random.choice(["greedy", "breadth_first", "menu"])]
    return StarOrdeal(application, strategy, random.randint(1, 5), seed)


def ring(seed: int) -> Ordeal:
    random = Random(seed)
    application = draw_application(random)
    scheme, coordinators = random.choice(REAL_SCHEMES), random.choice([3, 5])
    crawlers = random.randint(1, 5)
    return RingOrdeal(application, STRATEGIES["greedy"], crawlers, seed, coordinators, scheme)


@pytest.mark.parametrize("start", range(0, 60, 20))
@pytest.mark.parametrize("make", [star, ring])
def test_nothing_is_lost_held_twice_or_ended_early(
    make: Callable[[int], Ordeal], start: int
) -> None:
    for seed in range(start, start + 20):
        outcome = make(seed).run(FAULTS, HORIZON)
        assert outcome.violations == [], seed
        assert outcome.is_over


def endless(self: Leases, seconds: float, epoch: int = 0) -> None:
    del seconds
    LEASES(self, NEVER, epoch)


def hasty(self: Leases, seconds: float, epoch: int = 0) -> None:
    LEASES(self, seconds / 80, epoch)


def one_round(self: Termination, coordinators: int, epoch: int = 0) -> None:
    del coordinators
    TERMINATION(self, 0, epoch)


def no_grace(self: RingMember, sender: str, message: Activate, now: float) -> list[Output]:
    self._has_history = False
    return ACTIVATE(self, sender, message, now)


def hasty_star(self: StarCoordinator) -> list[Output]:
    members = list(self._members.values())
    if any(member.is_done for member in members):
        self.is_over = True
        return [(member.address, Terminated()) for member in members]
    return []


LEASES, TERMINATION, ACTIVATE = Leases.__init__, Termination.__init__, RingMember._activate
MUTATIONS: dict[str, tuple[Callable[[int], Ordeal], type, str, Any, str]] = {
    "leases never end": (ring, Leases, "__init__", endless, "did not end"),
    "leases end too soon": (ring, Leases, "__init__", hasty, "is held by"),
    "the marker need not come again": (ring, Termination, "__init__", one_round, "announced with"),
    "the marker leaves the busy": (
        ring, RingMember, "is_idle", property(lambda _: True), "announced with",
    ),
    "nobody keeps copies": (ring, Replicas, "keep", lambda *_: None, ""),
    "one that changed hands is given out at once": (
        ring, RingMember, "_activate", no_grace, "is held by",
    ),
    "a minority decides": (ring, Membership, "majority", property(lambda _: 1), ""),
    "one node is done": (star, StarCoordinator, "_look_around", hasty_star, "announced with"),
    "the dead keep their events": (
        star, StarCoordinator, "wake", lambda *_: [], "did not end",
    ),
}  # fmt: skip
