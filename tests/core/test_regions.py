"""Regions divide a page into parts that change on their own, and lose nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import HIDDEN, KEPT, Element, parse, write
from statecrawl.core.masks import TEXT, leaves
from statecrawl.core.regions import ABSENT, REST, Cut, Names, content_of, regions
from statecrawl.equivalences.exact import exact
from tests.core.trees import changed, marked, page, trees

brief = settings(max_examples=30)

SHOP = '<nav><a>Home</a></nav><main>Hello<p>{}</p></main><div id="cart">{}</div><p>{}</p>'
SHOP_CUT: Cut = ("div#cart", "html/body/main", "html/body/main/p")


def shop(offer: str = "pears", cart: str = "empty", rest: str = "bye") -> dict[str, str]:
    return regions(page(SHOP.format(offer, cart, rest)), SHOP_CUT)


def names(root: Element) -> list[str]:
    """The names of all elements of a page but the root."""
    given = Names()

    def below(element: Element, name: str) -> list[str]:
        found = []
        for child_name, child in given.children(element, name):
            if isinstance(child, Element):
                found += [child_name, *below(child, child_name)]
        return found

    return below(root, root.tag)


@st.composite
def divided(draw: st.DrawFn) -> tuple[Element, Element, Cut]:
    """Two small pages, and a cut for them."""
    few = {"tags": ("p", "div"), "names": ("id",), "depth": 2}
    one, other = draw(trees(**few)), draw(trees(**few))  # type: ignore[arg-type]
    known = sorted({*names(one), *names(other)})
    known += [content_of(name) for name in ("html", *known)]
    cut = draw(st.sets(st.sampled_from(known)))
    return one, other, tuple(sorted(cut))


def test_only_the_region_changes_where_something_changed() -> None:
    before = shop()
    assert set(before) == {REST, *SHOP_CUT}
    for after, region in (
        (shop(offer="figs"), "html/body/main/p"),
        (shop(cart="1 book"), "div#cart"),
        (shop(rest="see you"), REST),
    ):
        assert {name for name in before if before[name] != after[name]} == {region}


def test_a_list_can_be_divided_from_its_frame() -> None:
    views = ("icons", "x"), ("list", "x"), ("icons", "y")
    shown = [
        regions(page(f'<ul class="{view}"><li>{item}</li></ul>'), ("html/body/ul/*",))
        for view, item in views
    ]
    assert [each["html/body/ul/*"] == shown[0]["html/body/ul/*"] for each in shown] == [1, 1, 0]
    assert [each[REST] == shown[0][REST] for each in shown] == [1, 0, 1]


def test_what_comes_and_goes_leaves_the_rest_as_it_is() -> None:
    cut = ("html/body/dialog", "html/body/p[2]")
    page_of = "<h1>Shop</h1><p>a</p><p>{}</p>{}<footer>b</footer>"
    without = regions(page(page_of.format("x", "")), cut)
    shown = regions(page(page_of.format("x", "<dialog>Sure?</dialog>")), cut)
    assert without["html/body/dialog"] == ABSENT != shown["html/body/dialog"]
    assert without | {"html/body/dialog": ""} == shown | {"html/body/dialog": ""}


@settings(max_examples=150)
@given(divided())
def test_pages_with_equal_regions_are_equal(given: tuple[Element, Element, Cut]) -> None:
    one, other, cut = given
    assert (regions(one, cut) == regions(other, cut)) == (exact(one) == exact(other))


@settings(max_examples=60)
@given(divided(), st.randoms(use_true_random=False))
def test_children_in_another_order_are_another_page(
    given: tuple[Element, Element, Cut], lot: object
) -> None:
    one, _, cut = given

    def shuffle(_: str, element: Element) -> Element:
        lot.shuffle(element.children)  # type: ignore[attr-defined]
        return element

    other = changed(one, shuffle)
    assert (regions(one, cut) == regions(other, cut)) == (exact(one) == exact(other))


MOVED = {
    "behind another element": ("<b>1</b><p>x</p>", "<p>x</p><b>1</b>", ["html/body/p"]),
    "behind a text": ("a<p>x</p>b", "<p>x</p>ab", ["html/body/p"]),
    "between two texts": ("a<p>x</p>b", "ab<p>x</p>", ["html/body/p"]),
    "into another parent": (
        '<div><p id="a">x</p></div><div></div>',
        '<div></div><div><p id="a">x</p></div>',
        ["p#a"],
    ),
    "past another part": (
        "<p>x</p><b>y</b>",
        "<b>y</b><p>x</p>",
        ["html/body/b", "html/body/p"],
    ),
    "out of the content": (
        "<div><b>y</b></div><div></div>",
        "<div></div><div><b>y</b></div>",
        ["html/body/div/*", "html/body/div[2]/*"],
    ),
}


@pytest.mark.parametrize(("html", "other", "cut"), MOVED.values(), ids=MOVED)
def test_a_part_that_stands_elsewhere_makes_another_page(
    html: str, other: str, cut: list[str]
) -> None:
    assert regions(page(html), tuple(cut)) != regions(page(other), tuple(cut))


@brief
@given(tree=trees())
def test_no_two_elements_share_a_name(tree: Element) -> None:
    found = names(tree)
    assert len(found) == len(set(found))
    assert REST not in found


@brief
@given(tree=trees())
def test_our_marks_do_not_count(tree: Element) -> None:
    cut = tuple(sorted(names(tree)[::2]))
    for mark in (HIDDEN, KEPT):
        assert regions(marked(tree, mark, lambda _: True), cut) == regions(tree, cut)


@brief
@given(tree=trees(), number=st.integers(0, 50))
def test_any_other_text_or_attribute_changes_exactly_one_region(tree: Element, number: int) -> None:
    places = [place for place in leaves(tree) if place[1] != "id"]
    if not places:
        return
    where, part = places[number % len(places)]

    def change(path: str, element: Element) -> Element:
        if path == where and part == TEXT:
            element.children = [f"{c}!" if isinstance(c, str) else c for c in element.children]
        elif path == where:
            element.attributes = {**element.attributes, part: element.attributes[part] + "!"}
        return element

    cut = tuple(sorted(names(tree)[::2]))
    before, after = regions(tree, cut), regions(changed(tree, change), cut)
    assert set(before) == set(after)
    assert sum(before[name] != after[name] for name in before) == 1


def test_text_that_looks_like_markup_is_text() -> None:
    pages = [
        "<p><b></b></p>",
        "<p>&lt;b&gt;</p>",
        "<p>&lt;b&gt;&lt;/&gt;</p>",
        "<p>a</p>/b",
        "<p>a/</p>b",
        '<p class="a b=c"></p>',
        '<p b="c" class="a"></p>',
        '<p class="a&quot; b=&quot;c"></p>',
    ]
    assert len({regions(page(html), ())[REST] for html in pages}) == len(pages)
    assert regions(page('<p class="a" b="c"></p>'), ()) == regions(page(pages[6]), ())


def test_half_a_character_is_no_trouble() -> None:
    assert regions(parse(write(parse("<p>\ud800</p>"))), ())
