"""Facts that many told are put into the order in which one session would have learned them."""

import random

from hypothesis import given
from hypothesis.strategies import integers

from statecrawl.core.facts import EntryFound, Executed, Fact, Found, in_order
from statecrawl.core.snapshot import Event, Snapshot

EVENTS = ("a", "b", "c")


def learned(states: int, chances: random.Random) -> list[Fact]:
    """Facts of one session over a random graph, in the order of learning."""
    page = Snapshot("", tuple(map(Event, EVENTS)))
    facts: list[Fact] = [Found("s0", page, 0, 1), Executed("", "load u", "s0")]
    known = ["s0"]
    for number in range(1, states):
        source, name = chances.choice(known), f"s{number}"
        facts += [Found(name, page, number, 1), Executed(source, chances.choice(EVENTS), name)]
        known.append(name)
        facts.append(Executed(name, "back", chances.choice(known)))
    return [*facts, EntryFound("v")]


@given(states=integers(1, 12), seed=integers(0, 10_000))
def test_any_order_becomes_one_that_a_session_takes(states: int, seed: int) -> None:
    chances = random.Random(seed)
    facts = learned(states, chances)
    found = [fact for fact in facts if isinstance(fact, Found)]
    others = [fact for fact in facts if not isinstance(fact, Found)]
    chances.shuffle(others)
    told = [fact for fact, _ in in_order((each, 0.0) for each in (*found, *others))]
    assert sorted(map(repr, told)) == sorted(map(repr, facts))
    reached = {""}
    for number, fact in enumerate(told):
        if isinstance(fact, Executed):
            assert fact.source in reached
            before = told[number - 1]
            if fact.target not in reached:
                assert isinstance(before, Found)
                assert before.state == fact.target
                reached.add(fact.target)


@given(states=integers(1, 12), seed=integers(0, 10_000))
def test_what_one_session_told_stays_as_it_is(states: int, seed: int) -> None:
    facts = learned(states, random.Random(seed))
    assert [fact for fact, _ in in_order((each, 0.0) for each in facts)] == facts
