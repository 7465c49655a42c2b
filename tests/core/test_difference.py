"""What differs between two pages."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.difference import MAX_ALIGNED, Changed, common_place, difference
from statecrawl.core.dom import Element, places, visible_text
from statecrawl.core.masks import TEXT, leaves
from tests.core.trees import changed, page, tags, trees


@given(one=trees(), other=trees())
def test_nothing_differs_only_between_pages_with_the_same_places_and_values(
    one: Element, other: Element
) -> None:
    found = difference(one, other)
    is_same = (tags(one), leaves(one)) == (tags(other), leaves(other))
    assert (found == ((), (), ())) == is_same
    assert (found.place == "") == is_same


@given(tree=trees(), number=st.integers(0))
def test_one_value_that_changed_is_found_at_its_place(tree: Element, number: int) -> None:
    everywhere = list(places(tree))
    path, element = everywhere[number % len(everywhere)]

    def titled(at: str, copy: Element) -> Element:
        if at == path:
            copy.attributes = {**copy.attributes, "title": "another"}
        return copy

    found = difference(tree, changed(tree, titled))
    was = element.attributes.get("title", "")
    assert found.place == path
    assert found == ((Changed(path, "title", was, "another"),), (), ())


@given(st.lists(st.sampled_from(["a/b[1]", "a/b[1]/c[1]", "a/b[10]", "a", "a/b[1]/c[2]"])))
def test_the_common_place_is_around_all(paths: list[str]) -> None:
    around = common_place(paths)
    assert all(f"{path}/".startswith(f"{around}/") for path in paths)
    if paths:
        step = around.count("/") + 1
        deeper = {tuple(path.split("/")[: step + 1]) for path in paths}
        assert len(deeper) > 1 or deeper == {tuple(around.split("/"))}


def items(*texts: str) -> Element:
    return page("<ul>" + "".join(f"<li>{text}</li>" for text in texts) + "</ul><p>end</p>")


def test_rows_that_came_or_went_are_not_taken_for_others() -> None:
    found = difference(items("a", "b", "c"), items("x", "a", "b", "c"))
    assert not found.changed
    assert not found.gone
    (row,) = found.come
    assert (row.parent, visible_text(row.element), row.is_row) == ("html/body[1]/ul[1]", "x", True)
    found = difference(items("a", "b", "c"), items("a", "c"))
    assert [visible_text(row.element) for row in found.gone] == ["b"]
    assert found.place == "html/body[1]/ul[1]"


def test_a_part_without_its_like_is_no_row() -> None:
    (part,) = difference(page("<p>a</p>"), page("<p>a</p><div>b</div>")).come
    assert not part.is_row


def test_long_lists_are_compared_in_order_and_in_time() -> None:
    texts = [str(n) for n in range(2 * MAX_ALIGNED)]
    found = difference(items(*texts), items(*texts, "more"))
    assert [visible_text(row.element) for row in found.come] == ["more"]
    assert not found.changed


def test_the_place_is_around_everything_that_differs() -> None:
    one = page("<main><h1>May</h1><table><tr><td>1</td></tr></table></main><p>x</p>")
    other = page("<main><h1>June</h1><table><tr><td>2</td></tr></table></main><p>x</p>")
    assert difference(one, other).place == "html/body[1]/main[1]"
    assert {change.part for change in difference(one, other).changed} == {TEXT}
