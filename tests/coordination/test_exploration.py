"""What coordinators tell each other in forward exploration."""

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.ring_coordinator import RingCoordinator, new_ledger
from statecrawl.coordination.ring_messages import (
    AckJob,
    ExecuteEvent,
    Exhausted,
    ForwardExploration,
    InVain,
    Job,
    StateInfo,
)
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.core.plan import Plan, Step
from statecrawl.core.snapshot import Effect, Event, Snapshot
from statecrawl.strategies import STRATEGIES

RING = Ring(["here", "there"])
SETTINGS = RingSettings(("/",), 3)
NAMES = [f"state {number}" for number in range(40)]
OURS = [name for name in NAMES if RING.owner(name) == "here"]
THEIRS = [name for name in NAMES if RING.owner(name) == "there"]


def coordinator() -> RingCoordinator:
    """Return one of two coordinators, at its beginning."""
    return RingCoordinator("here", RING, SETTINGS, new_ledger(SETTINGS, STRATEGIES["greedy"]))


def arrive(here: RingCoordinator, state: str, *events: str) -> Job:
    """Let a crawler come to a state, and return what it is to do there."""
    snapshot = Snapshot(state, tuple(map(Event, events)))
    (*_, (_, answer)) = here.on("", StateInfo(state, "crawler", 1, snapshot, "", "load /", ()), 0)
    assert isinstance(answer, ExecuteEvent)
    assert answer.job is not None
    return answer.job


def acknowledge(here: RingCoordinator, job: Job, target: str) -> None:
    """Say where the event of a job led."""
    here.on("", AckJob(job.state, job.event, job.token, target, False, Effect()), 0)


def told(here: RingCoordinator, state: str) -> tuple[Exhausted, ...]:
    """Return what the other coordinator is told when it asks for a state in vain."""
    nowhere = Plan(None, None, ())
    question = ForwardExploration(state, "crawler", 1, state, nowhere, (), (), False)
    ((to, answer), *_) = here.on("there", question, 0)
    assert to == "there"
    assert isinstance(answer, InVain)
    return answer.knowledge


def test_whoever_asks_in_vain_hears_of_all_states_that_have_nothing_left_to_give_out() -> None:
    here = coordinator()
    one, other = OURS[:2]
    acknowledge(here, arrive(here, one, "first", "second"), THEIRS[0])
    arrive(here, one)
    arrive(here, other, "only")
    known = {each.state: each for each in told(here, other)}
    assert known[one] == Exhausted(one, (Step("first", THEIRS[0]),), False, False)
    assert known[other] == Exhausted(other, (), False, False)


def test_when_the_last_event_is_acknowledged_only_where_it_led_is_told() -> None:
    here = coordinator()
    one, other = OURS[:2]
    acknowledge(here, arrive(here, one, "first", "second"), THEIRS[0])
    last = arrive(here, one)
    arrive(here, other, "only")
    told(here, other)
    acknowledge(here, last, THEIRS[1])
    assert Exhausted(one, (Step("second", THEIRS[1]),), True, False) in told(here, other)


def asked(here: RingCoordinator, state: str, now: float) -> str:
    """Let a crawler come to a used-up state, and return for which one the other is asked."""
    info = StateInfo(state, "crawler", 1, Snapshot(state, ()), "", "load /", ())
    (*_, (to, question)) = here.on("", info, now)
    assert to == "there"
    assert isinstance(question, ForwardExploration)
    return question.state


def test_crawlers_that_come_one_on_the_other_ask_for_different_states() -> None:
    here = coordinator()
    acknowledge(here, arrive(here, OURS[0], "first", "second"), THEIRS[0])
    acknowledge(here, arrive(here, OURS[0]), THEIRS[1])
    apart = {asked(here, OURS[0], seconds) for seconds in range(4)}
    assert len(apart) == 1
    close = {asked(here, OURS[0], 4 + number / 1_000) for number in range(4)}
    assert close == set(THEIRS[:2])
