"""Crawls in which things go wrong, and protocols that are wrong: the checkers tell them apart."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from statecrawl.coordination.leases import Leases
from statecrawl.coordination.membership import Membership
from statecrawl.coordination.replication import Replicas
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.termination import Termination
from statecrawl.simulation.chance import draw_application
from statecrawl.simulation.ordeal import Ordeal, RingOrdeal, StarOrdeal
from statecrawl.strategies import STRATEGIES

FAULTS = 6
HORIZON = 12.0
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


def caught(make: Callable[[int], Ordeal], seeds: int) -> str:
    """Return the first violation of a protocol that was broken."""
    for seed in range(seeds):
        violations = make(seed).run(FAULTS, HORIZON).violations
        if violations:
            return violations[0]
    return ""


MUTATIONS: dict[str, tuple[Callable[[int], Ordeal], Any, str, Any, str]] = {
    "leases never end": (ring, Leases, "expired", lambda *_: [], "did not end"),
    "leases end at once": (
        ring, Leases, "__init__",
        lambda self, seconds, epoch, begin=Leases.__init__: begin(self, 0.05, epoch),
        "is held by",
    ),
    "the marker goes around once": (
        ring, Termination, "__init__",
        lambda self, count, epoch=0, begin=Termination.__init__: begin(self, 0, epoch),
        "announced with",
    ),
    "busy coordinators pass the marker on": (
        ring, RingMember, "is_idle", property(lambda _: True), "announced with",
    ),
    "nobody waits for copies": (
        ring, Replicas, "await_copies", lambda *_: True, "",
    ),
    "nothing is kept on successors": (
        ring, Replicas, "keep", lambda *_: None, "",
    ),
    "a minority decides": (ring, Membership, "majority", property(lambda _: 1), ""),
    "events that changed hands are given out at once": (
        ring, RingMember, "_activate", None, "is held by",
    ),
    "the star ends when one node is done": (
        star, StarCoordinator, "_look_around", None, "announced with",
    ),
    "dead nodes keep their events": (
        star, StarCoordinator, "wake", lambda *_: [], "did not end",
    ),
}  # fmt: skip
