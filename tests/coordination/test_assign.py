"""ASSIGN and who owns what: disjoint and complete, whoever joins or leaves."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.ownership import NOBODY, Ownership
from statecrawl.core.facts import Executed, Found
from statecrawl.core.snapshot import Event, Snapshot

EVENTS = st.lists(st.text(max_size=8), unique=True, max_size=30)


@given(name=st.sampled_from(sorted(ASSIGNMENTS)), events=EVENTS, nodes=st.integers(1, 40))
def test_every_event_has_one_owner(name: str, events: list[str], nodes: int) -> None:
    owners = ASSIGNMENTS[name]("state", events, nodes)
    assert len(owners) == len(events)
    assert all(0 <= owner < nodes for owner in owners)
    assert owners == ASSIGNMENTS[name]("state", events, nodes)


@given(events=EVENTS, nodes=st.integers(1, 40))
def test_parts_are_even(events: list[str], nodes: int) -> None:
    for name in ASSIGNMENTS:
        owners = ASSIGNMENTS[name]("state", events, nodes)
        parts = [owners.count(node) for node in range(nodes)]
        assert max(parts) - min(parts) <= 1
    assert ASSIGNMENTS["range"]("state", events, nodes) == sorted(
        ASSIGNMENTS["range"]("state", events, nodes)
    )


STEPS = st.lists(st.tuples(st.sampled_from("join leave find decide give".split()), st.integers(0)))


@given(name=st.sampled_from(sorted(ASSIGNMENTS)), steps=STEPS)
def test_what_is_left_is_owned_by_members_after_joins_and_leaves(
    name: str, steps: list[tuple[str, int]]
) -> None:
    ownership = Ownership(name)
    ownership.roster = (1,)
    left: set[tuple[str, str]] = set()
    members, next_token = {1}, 2
    for what, number in steps:
        if what == "join":
            members.add(next_token)
            next_token += 1
        elif what == "leave" and len(members) > 1:
            gone = sorted(members)[number % len(members)]
            members.discard(gone)
            ownership.release_all(gone)
            ownership.deal(sorted(members))
        elif what == "find":
            state = f"s{number}"
            events = tuple(Event(f"e{i}") for i in range(number % 7))
            if ownership.learn(Found(state, Snapshot("", events), 0, 0)):
                left |= {(state, event.identity) for event in events}
        elif what == "decide" and left:
            pair = sorted(left)[number % len(left)]
            assert ownership.learn(Executed(*pair, "s"))
            assert not ownership.learn(Executed(*pair, "s"))
            left.discard(pair)
        elif what == "give":
            giver = sorted(members)[number % len(members)]
            owned = [pair for pair in sorted(left) if ownership.owner(*pair) == giver]
            ownership.release(giver, owned[: number % 5])
            ownership.deal(sorted(members))
        ownership.roster = tuple(sorted(members))
        owners = {pair: ownership.owner(*pair) for pair in left}
        assert set(owners.values()) <= members
        assert ownership.left == len(left)
        assert sum(map(ownership.load, members)) == len(left)
        assert ownership.load(NOBODY) == 0
