"""Regions split a page into parts that change on their own."""

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import Element, parse
from statecrawl.core.masks import TEXT, leaves
from statecrawl.core.regions import REST, regions
from tests.core.trees import changed, page, trees

brief = settings(max_examples=30)

SHOP = '<nav><a>Home</a></nav><main>Hello<form>Name</form></main><div id="cart">{}</div><p>{}</p>'


def shop(cart: str = "empty", rest: str = "bye") -> dict[str, str]:
    return regions(page(SHOP.format(cart, rest)))


def test_landmarks_and_elements_with_an_id_are_regions() -> None:
    assert set(shop()) == {REST, "nav", "main", "form", "div#cart"}


def test_only_the_region_changes_where_something_changed() -> None:
    before = shop()
    for after, region in ((shop(cart="1 book"), "div#cart"), (shop(rest="see you"), REST)):
        assert {name for name in before if before[name] != after[name]} == {region}


def test_regions_of_one_name_are_numbered() -> None:
    assert set(regions(page("<nav></nav><nav></nav><nav></nav>"))) == {
        REST,
        "nav",
        "nav 2",
        "nav 3",
    }


@brief
@given(tree=trees())
def test_the_same_page_has_the_same_regions(tree: Element) -> None:
    assert regions(tree) == regions(changed(tree, lambda _, element: element))


@given(
    tree=trees(tags=("p", "b"), names=("class",), depth=2),
    other=trees(tags=("p", "b"), names=("class",), depth=2),
)
@brief
def test_what_is_in_one_region_is_told_apart(tree: Element, other: Element) -> None:
    assert set(regions(tree)) == {REST}
    assert (regions(tree) == regions(other)) == (tree == other)


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

    before, after = regions(tree), regions(changed(tree, change))
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
        '<p class="a" b="c"></p>',
    ]
    assert len({regions(page(html))[REST] for html in pages}) == len(pages)


def test_half_a_character_is_no_trouble() -> None:
    assert regions(parse("<p>\ud800</p>"))
