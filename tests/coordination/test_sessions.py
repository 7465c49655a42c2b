"""Sessions: whatever a network does, messages arrive in order and once."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.coordination.machine import NEVER, Output
from statecrawl.coordination.sessions import Endpoint


class Talker:
    """Says numbers to a peer, one each second, and remembers what it hears."""

    def __init__(self, peer: str, count: int) -> None:
        self.heard: list[int] = []
        self.alarm = 0.0 if count else NEVER
        self._peer = peer
        self._said = 0
        self._count = count

    def begin(self, now: float) -> list[Output]:
        del now
        return []

    def on(self, sender: str, message: Any, now: float) -> list[Output]:
        del sender, now
        self.heard.append(message)
        return []

    def wake(self, now: float) -> list[Output]:
        self._said += 1
        self.alarm = now + 1 if self._said < self._count else NEVER
        return [(self._peer, self._said)]


def run(
    one: Endpoint, two: Endpoint, random: Random, start: float, end: float, fair_after: float
) -> None:
    """Let two endpoints talk over a bad network that is a good one in the end."""
    flying: list[tuple[float, str, str, Any]] = []
    ends = {"one": one, "two": two}
    now = start
    while now < end:
        outputs = [(name, output) for name in ends for output in ends[name].wake(now)]
        due = [each for each in flying if each[0] <= now]
        flying = [each for each in flying if each[0] > now]
        for _, sender, to, envelope in due:
            outputs += [(to, output) for output in ends[to].on(sender, envelope, now)]
        for sender, (to, envelope) in outputs:
            is_fair = now >= fair_after
            for _ in range(1 if is_fair else random.choice([0, 0, 1, 1, 1, 2])):
                late = 0.1 if is_fair else random.uniform(0.1, 3)
                flying.append((now + late, sender, to, envelope))
        now += 0.1


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(), count=st.integers(1, 15), back=st.integers(0, 15))
def test_all_arrive_in_order_and_once(seed: int, count: int, back: int) -> None:
    one, two = Talker("two", count), Talker("one", back)
    first, second = (Endpoint(machine, 1, 0.5, 1000) for machine in (one, two))
    run(first, second, Random(seed), 0, 40, 25)
    assert two.heard == list(range(1, count + 1))
    assert one.heard == list(range(1, back + 1))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(), count=st.integers(1, 10))
def test_one_that_starts_again_hears_only_what_is_said_to_it(seed: int, count: int) -> None:
    random = Random(seed)
    one = Endpoint(Talker("two", 10), 1, 0.5, 1000)
    run(one, Endpoint(Talker("one", count), 1, 0.5, 1000), random, 0, 5, 99)
    reborn = Talker("one", count)
    again = Endpoint(reborn, 2, 0.5, 1000)
    reborn.alarm = 5.0
    run(one, again, random, 5, 45, 25)
    said = reborn.heard
    assert said == sorted(set(said))
    assert said[-1:] in ([10], [])
    first_life = one.machine.heard if isinstance(one.machine, Talker) else []
    assert first_life[-count:] == list(range(1, count + 1))


def test_whoever_is_dead_is_given_up() -> None:
    endpoint = Endpoint(Talker("nobody", 1), 1, 0.5, 3)
    sent = [output for second in range(20) for output in endpoint.wake(second / 2)]
    assert 2 <= len(sent) <= 8
    assert endpoint.alarm == NEVER


def test_what_nobody_hears_is_said_ever_less_often_until_it_is_given_up() -> None:
    said: list[float] = []
    one = Endpoint(Talker("two", 1), 1, 1.0, 30.0)
    now = 0.0
    while now < 60:
        said += [now for _ in one.wake(now)]
        now += 0.5
    assert said == [0.0, 1.0, 3.0, 7.0, 12.0, 17.0, 22.0, 27.0]


def test_what_is_fleeting_is_said_once_and_not_acknowledged() -> None:
    two = Talker("one", 0)
    one, other = Endpoint(Talker("two", 1), 1, 1.0, 30.0, (int,)), Endpoint(two, 1, 1.0, 30.0)
    ((_, envelope),) = one.wake(0.0)
    assert other.on("one", envelope, 0.0) == []
    assert two.heard == [1]
    assert one.alarm == NEVER
