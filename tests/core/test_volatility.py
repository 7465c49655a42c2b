"""Which pages are looked at twice, and what is learned from it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import Element, write
from statecrawl.core.masks import TEXT, Mask, Masks, leaves
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.volatility import (
    MAX_SUSPICIONS,
    REASON_LOADS,
    REASON_TIMER,
    Volatility,
)
from tests.core.trees import other_words, page, trees

NONE = Masks()
brief = settings(max_examples=30)


def of(tree: Element) -> Snapshot:
    return Snapshot(write(tree), ())


def shop(clock: str = "10:00", item: str = "shoe", structure: str = "p") -> Snapshot:
    return of(page(f"<{structure}>{clock}</{structure}><ul><li>{item}</li></ul>"))


def test_the_first_page_is_suspect_and_then_known() -> None:
    volatility = Volatility()
    assert volatility.is_suspect(shop(), NONE)
    assert not volatility.is_suspect(shop(), NONE)


@brief
@given(tree=trees())
def test_a_known_page_is_never_suspect(tree: Element) -> None:
    volatility = Volatility()
    assert volatility.is_suspect(of(tree), NONE)
    assert not any(volatility.is_suspect(of(tree), NONE) for _ in range(3))


def test_another_structure_is_another_page() -> None:
    volatility = Volatility()
    volatility.is_suspect(shop(), NONE)
    assert not volatility.is_suspect(shop(structure="div"), NONE)


def test_the_same_structure_with_another_text_is_suspect_until_compared() -> None:
    volatility = Volatility()
    volatility.is_suspect(shop(), NONE)
    assert volatility.is_suspect(shop("10:01"), NONE)
    assert volatility.is_suspect(shop("10:02"), NONE)
    assert volatility.compare(shop("10:02"), shop("10:02"), NONE) == []
    assert not volatility.is_suspect(shop("10:03"), NONE)


def test_an_attribute_that_came_or_went_is_suspect() -> None:
    for one, other in (('<p class="x">a</p>', "<p>a</p>"), ("<p>a</p>", '<p class="x">a</p>')):
        volatility = Volatility()
        volatility.is_suspect(of(page(one)), NONE)
        assert volatility.is_suspect(of(page(other)), NONE)


def test_what_is_content_in_one_place_of_a_list_is_content_in_all() -> None:
    volatility = Volatility()
    one, other, third = (
        of(page(f"<ul><li>{a}</li><li>{b}</li></ul>")) for a, b in ("ab", "xb", "ay")
    )
    volatility.is_suspect(one, NONE)
    assert volatility.is_suspect(other, NONE)
    volatility.compare(other, other, NONE)
    assert not volatility.is_suspect(third, NONE)


@given(clocks=st.lists(st.text("0123456789", min_size=1), max_size=12))
@brief
def test_no_structure_is_suspected_too_often(clocks: list[str]) -> None:
    volatility = Volatility()
    volatility.is_suspect(shop(), NONE)
    suspicions = sum(volatility.is_suspect(shop(clock), NONE) for clock in clocks)
    assert suspicions == min(MAX_SUSPICIONS, len(clocks))
    volatility.is_suspect(shop(structure="div"), NONE)
    assert volatility.is_suspect(shop("other", structure="div"), NONE)


def test_what_differs_between_loads_is_masked_and_suspect_no_more() -> None:
    volatility = Volatility()
    volatility.is_suspect(shop(), NONE)
    found = volatility.compare(shop("10:00"), shop("23:59"), NONE)
    assert found == [Mask("html/body[1]/p[1]", TEXT, REASON_LOADS)]
    masks = NONE.plus(found)
    assert not volatility.is_suspect(shop("10:01"), masks)
    assert not volatility.is_suspect(shop("10:02"), masks)
    assert not volatility.is_suspect(shop("10:02", "sock"), masks)  # compared, and content
    assert volatility.compare(shop("10:00"), shop("23:59"), masks) == []


def test_masks_are_not_the_end_of_suspicion() -> None:
    volatility = Volatility()
    volatility.is_suspect(shop(structure="div"), NONE)
    masks = NONE.plus(volatility.compare(shop(structure="div"), shop("1", structure="div"), NONE))
    assert not volatility.is_suspect(shop(), masks)
    assert volatility.is_suspect(shop("10:01"), masks)


@brief
@given(tree=trees())
def test_after_a_comparison_no_such_page_is_suspect_whatever_differs(tree: Element) -> None:
    """What differed is masked, what did not is content: either way it has been checked."""
    volatility = Volatility()
    one, again = (of(other_words(tree, suffix)) for suffix in (" one", " again"))
    volatility.is_suspect(one, NONE)
    masks = NONE.plus(volatility.compare(one, again, NONE))
    volatility.is_suspect(one, masks)
    for suffix in ("!", "?"):
        assert not volatility.is_suspect(of(other_words(tree, suffix)), masks)
    same = Volatility()
    same.is_suspect(one, NONE)
    assert same.compare(one, one, NONE) == []
    assert not same.is_suspect(again, NONE)


def test_made_up_attributes_that_differ_are_masked() -> None:
    one, again = (
        Snapshot(
            "<html><p>x</p></html>",
            (),
            made_up=(("html/p[1]", "id", value), ("html", "id", "same")),
        )
        for value in ("a1", "b2")
    )
    volatility = Volatility()
    found = volatility.compare(one, again, NONE)
    assert found == [Mask("html/p[1]", "id", REASON_LOADS)]
    assert volatility.compare(one, one, NONE) == []
    nothing = Snapshot(again.dom, ())
    assert volatility.compare(one, nothing, NONE) == []


def test_what_timers_change_is_masked_once() -> None:
    ticking = [("html/ul[1]/li[1]", TEXT), ("html/ul[1]/li[2]", TEXT), ("html/p[1]", "title")]
    snapshot = Snapshot("<html></html>", (), volatile=tuple(ticking))
    found = Volatility.ticking(snapshot, NONE)
    assert found == [Mask(path, part, REASON_TIMER) for path, part in ticking]
    masks = NONE.plus(found)
    assert Volatility.ticking(snapshot, masks) == []
    longer = Snapshot("<html></html>", (), volatile=(("html/ul[1]/li[7]", TEXT),))
    assert Volatility.ticking(longer, masks) == []  # the whole list is masked


@brief
@given(tree=trees())
def test_what_is_masked_is_never_suspect(tree: Element) -> None:
    volatility = Volatility()
    masks = NONE.plus(Mask(*place) for place in leaves(tree))
    volatility.is_suspect(of(tree), masks)
    assert not volatility.is_suspect(of(other_words(tree, "!")), masks)
