"""Which state a page is."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.dom import Element
from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import TEXT, Mask, Masks
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences.exact import exact

CLOCK = Masks((Mask("html/p[1]", TEXT),))


def snapshot(text: str, *events: str, page: str = "") -> Snapshot:
    return Snapshot(f"<html><p>{text}</p></html>", tuple(map(Event, events)), page=page)


identities = st.lists(st.sampled_from("abcd"), unique=True)


@given(one=identities, other=identities)
def test_states_differ_by_their_enabled_events_in_any_order(
    one: list[str], other: list[str]
) -> None:
    identity = StateIdentity(exact)
    first, second = identity(snapshot("x", *one)), identity(snapshot("x", *other))
    assert (first == second) == (set(one) == set(other))


@given(one=st.sampled_from("ab"), other=st.sampled_from("ab"))
def test_what_is_masked_does_not_count(one: str, other: str) -> None:
    plain, masked = StateIdentity(exact), StateIdentity(exact, CLOCK)
    assert (plain(snapshot(one)) == plain(snapshot(other))) == (one == other)
    assert masked(snapshot(one)) == masked(snapshot(other))


def test_an_id_is_short_and_the_same_in_every_session() -> None:
    ids = {StateIdentity(exact)(snapshot("Grüße \ud800", "go")) for _ in range(3)}
    assert len(ids) == 1
    assert len(ids.pop()) == 16


def test_only_the_identity_of_an_event_counts() -> None:
    identity = StateIdentity(exact)
    one, other = Event("go", "menu", label="Go"), Event("go", "list", label="Los")
    assert identity(Snapshot("<p></p>", (one,))) == identity(Snapshot("<p></p>", (other,)))


def test_a_page_that_was_named_before_needs_no_content() -> None:
    identity = StateIdentity(exact)
    first = identity(snapshot("one", "go", page="p1"))
    assert identity(Snapshot("", (), page="p1")) == first
    assert identity(Snapshot("", (), page="p2")) != first


def test_a_page_is_looked_at_once() -> None:
    seen: list[Element] = []

    def watching(root: Element) -> str:
        seen.append(root)
        return exact(root)

    identity = StateIdentity(watching)
    for _ in range(3):
        identity(snapshot("one", page="p1"))
    assert len(seen) == 1
    for _ in range(2):
        identity(snapshot("one"))
    assert len(seen) == 3


def test_other_masks_are_another_look_at_every_page() -> None:
    identity = StateIdentity(exact)
    one, other = snapshot("10:00", page="p1"), snapshot("10:01", page="p2")
    assert identity.masks == Masks()
    assert identity(one) != identity(other)
    identity.masks = CLOCK
    assert identity.masks == CLOCK
    assert identity(one) == identity(other)
