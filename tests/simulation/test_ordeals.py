"""Crawls in which things go wrong, and protocols that are wrong: the checkers tell them apart."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.faults import AIMED, near, resumed, ring, star
from statecrawl.compose.choices import load_application
from statecrawl.coordination.leases import Leases
from statecrawl.coordination.ledger import Ledger
from statecrawl.coordination.machine import NEVER, Output
from statecrawl.coordination.membership import Membership, Tempo
from statecrawl.coordination.ownership import Ownership
from statecrawl.coordination.replication import Replicas
from statecrawl.coordination.resolution import Resolutions
from statecrawl.coordination.ring_member import RingMember
from statecrawl.coordination.ring_messages import KeepResolution, KeptResolutions, Resolve
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_messages import Terminated
from statecrawl.coordination.termination import Termination
from statecrawl.core.facts import Executed, Fact
from statecrawl.simulation import ordeal
from statecrawl.simulation.faults import Fault, Trouble
from statecrawl.simulation.network import Timing
from statecrawl.simulation.ordeal import Ordeal, RingOrdeal
from statecrawl.strategies import STRATEGIES

COMPANY = load_application("company")
SMALL_COMPANY = load_application("company:products=2,services=2,articles=2")
FAULTS = 6
HORIZON = 4.0


@pytest.mark.parametrize("start", range(0, 30, 10))
@pytest.mark.parametrize("make", [star, ring, near, resumed])
def test_nothing_is_lost_held_twice_or_ended_early(
    make: Callable[[int], Ordeal], start: int
) -> None:
    for seed in range(start, start + 10):
        outcome = make(seed).run(FAULTS, HORIZON, is_aimed=seed % AIMED == 0)
        assert outcome.violations == [], seed
        assert outcome.is_over


WENT_WRONG = [
    (ring, 1930),  # a coordinator alone in its view that waited for ever
    *((star, seed) for seed in (880, 2438, 2591)),  # messages given up within a lease
    (star, 2909),  # a node was given events of a state that it was not told of: that was given up
    (near, 125),  # a plan that went on when its lease had run out
    (resumed, 2381),  # a view that one coordinator had installed kept all from another one
    (near, 279),  # a coordinator came back, and gave out what others had given out meanwhile
]


@pytest.mark.parametrize(("make", "seed"), WENT_WRONG)
def test_what_once_went_wrong_does_not(make: Callable[[int], Ordeal], seed: int) -> None:
    outcome = make(seed).run(FAULTS, HORIZON, is_aimed=seed % AIMED == 0)
    assert outcome.violations == []


def endless(self: Leases, seconds: float, epoch: int = 0) -> None:
    del seconds
    LEASES(self, NEVER, epoch)


def hasty(self: Leases, seconds: float, epoch: int = 0) -> None:
    LEASES(self, seconds / 80, epoch)


def one_round(self: Termination, coordinators: int, epoch: int = 0) -> None:
    del coordinators
    TERMINATION(self, 0, epoch)


def hasty_star(self: StarCoordinator) -> list[Output]:
    members = list(self._members.values())
    if any(member.is_done for member in members):
        self.is_over = True
        return [(member.address, Terminated()) for member in members]
    return []


def resolved_anywhere(self: RingMember, sender: str, message: Resolve, now: float) -> list[Output]:
    del sender, now
    assert self.resolutions is not None
    return self.resolutions.resolve(message)


def forgetful(self: Resolutions, sender: str, message: KeepResolution) -> list[Output]:
    del self
    return [(sender, KeptResolutions(message.epoch, message.number + 1))]


LEASES, TERMINATION = Leases.__init__, Termination.__init__
MUTATIONS: dict[str, tuple[Callable[[int], Ordeal], type, str, Any, str]] = {
    "leases never end": (ring, Leases, "__init__", endless, "did not end"),
    "leases end too soon": (ring, Leases, "__init__", hasty, "is held by"),
    "the marker need not come again": (ring, Termination, "__init__", one_round, "announced with"),
    "the marker leaves the busy": (
        ring, RingMember, "is_idle", property(lambda _: True), "announced with",
    ),
    "no pause before events are given to others": (
        ring, Ledger, "hold_back", lambda *_: None, "is held by",
    ),
    "a minority decides": (ring, Membership, "majority", property(lambda _: 1), "is held by"),
    "nobody keeps what was resolved": (near, Resolutions, "keep", forgetful, "was stored as"),
    "every coordinator resolves": (
        near, RingMember, "_resolve", resolved_anywhere, "was stored as",
    ),
    "one node is done": (star, StarCoordinator, "_look_around", hasty_star, "announced with"),
    "the dead keep their events": (
        star, Ownership, "release_all", lambda *_: None, "did not end",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_broken_protocol_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, broken, attribute, replacement, symptom = MUTATIONS[name]
    monkeypatch.setattr(ordeal, "PATIENCE", 30.0)
    monkeypatch.setattr(broken, attribute, replacement)
    seen: list[str] = []
    for seed in range(30):
        for is_aimed in (True, False):
            seen += make(seed).run(FAULTS, HORIZON, is_aimed=is_aimed).violations
        if seen:
            break
    assert any(symptom in violation for violation in seen)


def crash_one(coordinator: int) -> list[str]:
    """Let one of three coordinators die in the middle of a crawl, and come back."""
    trial = RingOrdeal(COMPANY, STRATEGIES["greedy"], 4, coordinator, 3)
    victim = frozenset({trial.coordinators[coordinator]})
    # Late enough that what is lost without copies is not found again by chance.
    return trial.suffer([Fault(Trouble.COORDINATOR, 5.0, 7.0, victim)]).violations


def test_any_coordinator_may_die(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [crash_one(each) for each in range(3)] == [[], [], []]
    monkeypatch.setattr(ordeal, "PATIENCE", 30.0)
    monkeypatch.setattr(Replicas, "keep", lambda *_: None)
    assert all(crash_one(each) for each in range(3))  # without copies it may not


def when_stored(trial: Ordeal) -> list[float]:
    """Note when each fact is stored."""
    stored: list[float] = []
    take = trial.tally.take

    def noted(fact: Fact) -> None:
        stored.append(trial.network.now)
        take(fact)

    trial.tally.take = noted  # type: ignore[method-assign]
    return stored


def test_a_minority_stalls_and_goes_on() -> None:
    trial = RingOrdeal(COMPANY, STRATEGIES["greedy"], 2, 0, 3)
    one, two, three = trial.coordinators
    cut = [
        Fault(Trouble.PARTITION, 2.0, 30.0, frozenset({one})),
        Fault(Trouble.PARTITION, 2.0, 30.0, frozenset({two})),
        Fault(Trouble.PARTITION, 2.0, 30.0, frozenset({three})),
    ]
    stored = when_stored(trial)
    outcome = trial.suffer(cut)
    assert outcome.violations == []
    # A lease may be settled while the last answers of the others count.
    assert not [at for at in stored if 2.0 + Tempo().hold < at < 30.0]
    assert [at for at in stored if at > 30.0]


@pytest.mark.parametrize(
    "timing",
    [Timing(latency_seconds=0.4), Timing(latency_seconds=1.5), Timing(service_seconds=0.15)],
    ids=["slow network", "very slow network", "busy machines"],
)
def test_however_slow_all_are_a_ring_forms_and_crawls(
    timing: Timing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordeal, "USUAL", timing)
    monkeypatch.setattr(ordeal, "PATIENCE", 1_000.0)
    as_on_a_cluster = {"RESEND": 1.0, "GIVE_UP": 30.0, "RETRY": 10.0, "LEASE": 30.0}
    for name, seconds in as_on_a_cluster.items():
        monkeypatch.setattr(ordeal, f"{name}_SECONDS", seconds)
    outcome = RingOrdeal(SMALL_COMPANY, STRATEGIES["greedy"], 2, 0, 3).suffer([])
    assert outcome.violations == []
    assert outcome.is_over


@pytest.mark.parametrize("seed", range(14))
def test_a_ring_does_nothing_again_that_is_stored(seed: int) -> None:
    facts = resumed(seed).suffer([]).tally.facts
    pairs = [(fact.source, fact.event) for fact in facts if isinstance(fact, Executed)]
    again = {pair for pair in pairs if pairs.count(pair) > 1}
    assert again <= {pair for pair in pairs if not pair[0]}  # every crawler loads the first entry


def test_who_asks_before_there_is_a_view_is_answered_as_soon_as_there_is() -> None:
    """A crawler asks again after a while, which is long where it is not simulated."""
    trial = RingOrdeal(COMPANY, STRATEGIES["greedy"], 3, 1, 3)
    apart = [
        Fault(Trouble.PARTITION, 0.0, 1.0, frozenset({each})) for each in trial.coordinators[:2]
    ]
    stored = when_stored(trial)
    assert trial.suffer(apart).violations == []
    assert stored[0] < ordeal.RETRY_SECONDS
