"""What every equivalence has to keep to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import HIDDEN, KEPT, Element, parse, write
from statecrawl.core.identity import Equivalence, StateIdentity
from statecrawl.core.masks import Masks, volatile
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences import DEFAULT_EQUIVALENCE, EQUIVALENCES
from statecrawl.equivalences.content import content
from statecrawl.equivalences.exact import exact
from statecrawl.equivalences.structure import structure
from tests.core.trees import changed, marked, masks_of, other_words, page, tags, trees

every = pytest.mark.parametrize("equivalence", EQUIVALENCES.values(), ids=EQUIVALENCES)
brief = settings(max_examples=30)

small = trees(tags=("p", "b"), names=("class",), depth=2)


@every
@brief
@given(tree=trees())
def test_a_page_is_the_same_as_itself_however_it_came_about(
    equivalence: Equivalence, tree: Element
) -> None:
    key = equivalence(tree)
    assert equivalence(tree) == key
    assert equivalence(parse(write(tree))) == key
    turned = changed(
        tree,
        lambda _, e: Element(e.tag, dict(reversed(list(e.attributes.items()))), e.children),
    )
    assert equivalence(turned) == key


@every
@brief
@given(tree=small, other=small)
def test_exact_is_finer_than_any_other(
    equivalence: Equivalence, tree: Element, other: Element
) -> None:
    assert (exact(tree) == exact(other)) == (tree == other)
    if exact(tree) == exact(other):
        assert equivalence(tree) == equivalence(other)
    if equivalence(tree) != equivalence(other):
        assert exact(tree) != exact(other)


@every
@brief
@given(tree=trees())
def test_what_is_masked_never_counts(equivalence: Equivalence, tree: Element) -> None:
    one, other = other_words(tree, " one"), other_words(tree, " other")
    masks = Masks().plus(volatile(one, other, ""))
    assert equivalence(masks.apply(one)) == equivalence(masks.apply(other))
    everything = Masks().plus(masks_of(tree))
    assert equivalence(everything.apply(one)) == equivalence(everything.apply(other))
    ids = {StateIdentity(equivalence, masks)(Snapshot(write(page), ())) for page in (one, other)}
    assert len(ids) == 1


@every
@brief
@given(tree=trees(), number=st.integers(0, 20))
def test_whether_something_is_kept_does_not_count(
    equivalence: Equivalence, tree: Element, number: int
) -> None:
    chosen = tags(tree)[number % len(tags(tree))]
    assert equivalence(marked(tree, KEPT, lambda path: path == chosen)) == equivalence(tree)


@pytest.mark.parametrize("equivalence", [exact, structure])
@brief
@given(tree=trees(), number=st.integers(0, 20))
def test_whether_something_can_be_seen_counts_only_for_content(
    equivalence: Equivalence, tree: Element, number: int
) -> None:
    chosen = tags(tree)[number % len(tags(tree))]
    assert equivalence(marked(tree, HIDDEN, lambda path: path == chosen)) == equivalence(tree)


@every
@brief
@given(
    tree=trees(),
    one=st.sets(st.sampled_from("abc")),
    other=st.sets(st.sampled_from("abc")),
)
def test_pages_with_other_events_are_other_states(
    equivalence: Equivalence, tree: Element, one: set[str], other: set[str]
) -> None:
    identity = StateIdentity(equivalence)
    first, second = (
        identity(Snapshot(write(tree), tuple(map(Event, sorted(events)))))
        for events in (one, other)
    )
    assert (first == second) == (one == other)


@every
@brief
@given(tree=trees())
def test_nothing_is_changed_in_the_page(equivalence: Equivalence, tree: Element) -> None:
    before = write(tree)
    equivalence(tree)
    assert write(tree) == before


def test_the_default_is_one_of_them() -> None:
    assert DEFAULT_EQUIVALENCE in EQUIVALENCES


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<p>a b</p>", "<div><b>a</b> <i>b</i></div>", {"content"}),
        ("<p>a</p>", "<p>b</p>", {"structure"}),
        ('<p class="x">a</p>', '<p class="y">a</p>', {"content", "structure"}),
        ("<p>a</p><hr>", "<hr><p>a</p>", {"content"}),
        ("<p>a</p><p>b</p>", "<p>b</p><p>a</p>", {"structure"}),
        ("<p><b></b></p>", "<p></p><b></b>", {"content"}),
        (f'<p {HIDDEN}="">a</p>', "<p>a</p>", {"exact", "structure"}),
        (f'<p {HIDDEN}="">a</p>', f'<p {HIDDEN}="">b</p>', {"content", "structure"}),
        ('<input value="a">', '<input value="b">', {"structure"}),
        ('<p statecrawl-ignored=""></p>', "<p></p>", {"content", "structure"}),
    ],
)
def test_each_has_its_own_answer(one: str, other: str, same: set[str]) -> None:
    assert {
        name
        for name, equivalence in EQUIVALENCES.items()
        if equivalence(page(one)) == equivalence(page(other))
    } == same


def test_content_is_the_words_in_order() -> None:
    assert content(page("<h1>My  shop</h1><p>is <b>open</b></p>")) == "My shop is open"
