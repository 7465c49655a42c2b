"""The ring: one owner for every key, and few hops to it."""

from collections import Counter
from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.chord import Ring

MEMBERS = st.sets(st.text(min_size=1, max_size=6), min_size=1, max_size=40)


@given(members=MEMBERS, key=st.text())
def test_fingers_lead_to_the_owner(members: set[str], key: str) -> None:
    ring = Ring(members)
    owner = ring.owner(key)
    assert owner in members
    for start in members:
        at, hops = start, 0
        while at != owner:
            at = ring.hop(at, owner)
            hops += 1
        assert hops <= 2 * ceil(log2(len(members) + 1)) + 2


@given(members=MEMBERS, keys=st.lists(st.text(), max_size=30), gone=st.integers(0))
def test_when_one_goes_only_its_keys_move(members: set[str], keys: list[str], gone: int) -> None:
    ring = Ring(members)
    leaver = ring.members[gone % len(members)]
    if len(members) == 1:
        assert ring.next(leaver) == leaver
        return
    smaller = Ring(members - {leaver})
    for key in keys:
        before = ring.owner(key)
        assert before == leaver or smaller.owner(key) == before


def test_keys_are_spread_evenly() -> None:
    ring = Ring([f"coordinator {number}" for number in range(20)])
    owned = Counter(ring.owner(f"state {number}") for number in range(20_000))
    assert max(owned.values()) < 1.5 * 1_000
    assert min(owned.values()) > 0.6 * 1_000


@given(members=MEMBERS)
def test_successors_are_others(members: set[str]) -> None:
    ring = Ring(members)
    for member in members:
        after = ring.after(member, 2)
        assert len(set(after)) == len(after) == min(2, len(members) - 1)
        assert member not in after
