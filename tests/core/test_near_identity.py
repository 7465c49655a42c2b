"""Identity by resemblance: what becomes of events when pages look alike."""

from dataclasses import replace

import pytest

from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.near_identity import NearIdentity
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences import near_equivalence
from statecrawl.equivalences.exact import exact


def page(text: str, *events: str) -> Snapshot:
    return Snapshot(f"<html><body><p>{text}</p></body></html>", tuple(map(Event, events)))


def identity(rule: str) -> NearIdentity:
    return NearIdentity(near_equivalence(f"broder:size=1,threshold=0.5,events={rule}"), exact)


ONE = page("a b c d", "x", "y")
ALIKE = page("a b c e", "x", "y")
MORE = page("a b c f", "x", "y", "z")
FAR = page("k l m n", "x", "y")


@pytest.mark.parametrize(("rule", "is_one"), [("same", False), ("ignore", True), ("union", False)])
def test_pages_alike_are_one_state_unless_their_events_count(rule: str, is_one: bool) -> None:
    which = identity(rule)
    assert which(ONE) == StateIdentity(exact)(ONE)
    assert which(ALIKE) == which(ONE)
    assert which(FAR) != which(ONE)
    assert (which(MORE) == which(ONE)) == is_one


def test_with_union_a_page_that_offers_more_is_kept_beside() -> None:
    which = identity("union")
    states = which(ONE), which(MORE), which(FAR)
    assert which.kin(states[1]) == states[:2]
    assert which.kin(states[2]) == states[2:]
    assert which(page("a b c g", "x", "y", "z")) == states[1]


@pytest.mark.parametrize(
    ("rule", "is_stray"), [("ignore", True), ("same", False), ("union", False)]
)
def test_a_page_that_offers_something_else_than_its_state_is_a_stray(
    rule: str, is_stray: bool
) -> None:
    which = identity(rule)
    pages = [replace(each, page=f"{n}") for n, each in enumerate((ONE, ALIKE, MORE))]
    for each in pages:
        which(each)
    assert [which.is_stray(each) for each in pages] == [False, False, is_stray]


def test_each_decision_is_kept_once_until_it_is_taken() -> None:
    which = identity("same")
    for snapshot in (ONE, ALIKE, ALIKE, FAR):
        which(snapshot)
    assert [(d.is_new, d.distance) for d, _ in which.decided] == [
        (True, 0),
        (False, pytest.approx(0.4)),
        (True, 0),
    ]


def test_other_masks_decide_anew_and_a_crawl_that_goes_on_knows_its_states() -> None:
    which = identity("same")
    first, second = which(ONE), which(FAR)
    which.masks = Masks((Mask("html/body[1]/p[1]", "text"),))
    assert which(ONE) == which(FAR)
    again = identity("same")
    again.recall([(first, ONE), (second, replace(FAR, page="p"))])
    assert again(ALIKE) == first
    assert again(FAR) == second
    assert len(again.decided) == 1
