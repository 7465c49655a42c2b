"""Masks leave out what varies between loads, and nothing that is content."""

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import KEPT, Element, places
from statecrawl.core.masks import TEXT, Mask, Masks, counted, leaves, volatile
from tests.core.trees import marked, masks_of, other_words, page, tags, trees

brief = settings(max_examples=40)

steps = st.tuples(st.sampled_from(["ul", "li", "p"]), st.integers(1, 3))
paths = st.lists(steps, min_size=1, max_size=3).map(
    lambda way: "/".join(["html", *(f"{tag}[{number}]" for tag, number in way)])
)
found_masks = st.lists(st.builds(Mask, paths, st.sampled_from([TEXT, "id"])), max_size=5)


def covered(masks: Masks, mask: Mask) -> bool:
    """Whether a place is masked, found out by applying the masks to a tree that has it."""
    element = Element("html", {}, [])
    root = element
    for step in mask.path.split("/")[1:]:
        tag, _, number = step.removesuffix("]").partition("[")
        element.children.extend(Element(tag, {}, []) for _ in range(int(number)))
        element = [child for child in element.elements if child.tag == tag][-1]
    element.attributes = {"id": "x"}
    element.children.append("x")
    return (mask.path, mask.part) not in leaves(masks.apply(root))


@brief
@given(batches=st.lists(found_masks, max_size=4))
def test_masks_are_only_ever_added_to(batches: list[list[Mask]]) -> None:
    masks = Masks()
    for batch in batches:
        more = masks.plus(batch)
        assert more.masks[: masks.version] == masks.masks
        assert all(covered(more, mask) for mask in batch)
        assert more.plus(batch) == more
        assert more.unknown(batch) == []
        assert len({mask.place for mask in more.masks}) == more.version
        masks = more
    assert all(covered(masks, mask) for batch in batches for mask in batch)


@brief
@given(batches=st.lists(found_masks, max_size=3), mask=st.builds(Mask, paths, st.just(TEXT)))
def test_what_is_covered_already_is_no_other_version(batches: list[list[Mask]], mask: Mask) -> None:
    masks = Masks()
    for batch in batches:
        masks = masks.plus(batch)
    assert covered(masks, mask) == (masks.unknown([mask]) == [])
    if covered(masks, mask):
        assert masks.plus([mask]) == masks
    else:
        assert masks.plus([mask]).version == masks.version + 1


def test_places_of_a_list_that_vary_alike_become_one_mask() -> None:
    one, two = (Mask(f"html/ul[1]/li[{number}]/b[1]", TEXT, "why") for number in (1, 2))
    assert Masks().plus([one, two]).masks == (Mask("html/ul[1]/li[*]/b[1]", TEXT, "why"),)
    later = Masks().plus([one]).plus([two])
    assert later.masks == (one, Mask("html/ul[1]/li[*]/b[1]", TEXT, "why"))


def test_one_place_that_was_found_twice_is_no_list() -> None:
    mask = Mask("html/ul[1]/li[1]/b[1]", TEXT, "why")
    assert Masks().plus([mask, mask]).masks == (mask,)


def test_different_parts_of_a_list_are_not_alike() -> None:
    masks = [Mask("html/li[1]", TEXT), Mask("html/li[2]", "id")]
    assert Masks().plus(masks).masks == tuple(masks)


@brief
@given(tree=trees(), masks=found_masks)
def test_masks_never_change_the_structure(tree: Element, masks: list[Mask]) -> None:
    everything = Masks().plus([*masks_of(tree), *masks])
    assert tags(Masks().plus(masks).apply(tree)) == tags(tree)
    assert tags(everything.apply(tree)) == tags(tree)
    assert leaves(everything.apply(tree)) == {}
    assert everything.apply(everything.apply(tree)) == everything.apply(tree)


@brief
@given(tree=trees())
def test_no_masks_leave_everything_and_applying_changes_nothing_in_place(tree: Element) -> None:
    before = leaves(tree)
    assert Masks().apply(tree) == tree
    Masks().plus(masks_of(tree)).apply(tree)
    assert leaves(tree) == before


@brief
@given(tree=trees(), number=st.integers(0, 20))
def test_what_is_kept_is_never_masked(tree: Element, number: int) -> None:
    kept = tags(tree)[number % len(tags(tree))]
    marks = marked(tree, KEPT, lambda path: path == kept)
    left = leaves(Masks().plus(masks_of(tree)).apply(marks))
    assert left == {
        place: value
        for place, value in leaves(marks).items()
        if place[0] == kept or place[0].startswith(f"{kept}/")
    }
    found = volatile(marks, other_words(marks, "!"), "")
    assert not [m for m in found if m.path == kept or m.path.startswith(f"{kept}/")]


def test_masks_of_a_list_and_of_one_of_its_places_both_count() -> None:
    masks = Masks(
        (Mask("html/li[*]", TEXT), Mask("html/li[2]", "id"), Mask("html/li[2]/a[1]", "x"))
    )
    item = Element("li", {"id": "i"}, ["t", Element("a", {"x": "y"}, [])])
    assert leaves(masks.apply(Element("html", {}, [item, item]))) == {
        ("html/li[1]", "id"): "i",
        ("html/li[1]/a[1]", "x"): "y",
    }


@brief
@given(tree=trees())
def test_nothing_varies_between_equal_pages(tree: Element) -> None:
    assert volatile(tree, tree, "") == []


@brief
@given(tree=trees(), other=trees())
def test_what_varies_is_a_place_of_both_pages_that_differs(tree: Element, other: Element) -> None:
    ours, theirs = leaves(tree), leaves(other)
    for path, part, reason in volatile(tree, other, "why"):
        assert reason == "why"
        assert path in tags(tree)
        assert path in tags(other)
        assert ours.get((path, part), "") != theirs.get((path, part), "")


@brief
@given(tree=trees())
def test_other_texts_and_ids_are_masked_and_the_pages_are_the_same_then(tree: Element) -> None:
    one, other = other_words(tree, " one"), other_words(tree, " other")
    found = volatile(one, other, "")
    assert {mask.place for mask in found} == {
        place for place in leaves(tree) if place[1] in (TEXT, "id")
    }
    masks = Masks().plus(found)
    assert masks.apply(one) == masks.apply(other)


def test_texts_ids_and_references_are_found() -> None:
    one, other = (
        page(
            f'<div data-id="{load}" id="d{load}" class="c{load}"><p>now {load}</p></div>'
            f'<label for="f{load}">Name</label><i aria-owns="x{load}" class="c{load}"></i>'
        )
        for load in (1, 2)
    )
    assert {mask.place for mask in volatile(one, other, "")} == {
        ("html/body[1]/div[1]", "data-id"),
        ("html/body[1]/div[1]", "id"),  # but not the class of what has others inside
        ("html/body[1]/div[1]/p[1]", TEXT),
        ("html/body[1]/label[1]", "for"),
        ("html/body[1]/i[1]", "aria-owns"),
        ("html/body[1]/i[1]", "class"),
    }


@brief
@given(items=st.permutations("a b c d".split()))
def test_a_list_in_another_order_is_content(items: list[str]) -> None:
    one, other = (
        page("<ul>" + "".join(f'<li id="{i}">{i}</li>' for i in order) + "</ul>")
        for order in (sorted(items), items)
    )
    assert volatile(one, other, "") == []


def test_a_list_with_other_items_is_masked() -> None:
    one, other = (page(f"<ul><li>{a}</li><li>{b}</li></ul>") for a, b in ("ab", "bc"))
    assert [mask.place for mask in volatile(one, other, "")] == [
        ("html/body[1]/ul[1]/li[1]", TEXT),
        ("html/body[1]/ul[1]/li[2]", TEXT),
    ]


@brief
@given(tree=trees(), number=st.integers(0, 20))
def test_nothing_is_masked_below_a_place_whose_children_differ(tree: Element, number: int) -> None:
    everywhere = tags(tree)
    chosen = everywhere[number % len(everywhere)]
    other = other_words(tree, "!")
    for path, element in places(other):
        if path == chosen:
            element.children.append(Element("hr", {}, []))
    found = {mask.place for mask in volatile(tree, other, "")}
    assert not [path for path, _ in found if path.startswith(f"{chosen}/")]
    whole = {mask.place for mask in volatile(tree, other_words(tree, "!"), "")}
    beside = {place for place in whole if not place[0].startswith(chosen)}
    assert {place for place in found if not place[0].startswith(chosen)} == beside


def numbered(number: int, name: str = "dialog", text: str = "Sure?", active: int = 1) -> Element:
    """A dialog whose parts are numbered."""
    return page(
        f'<div id="{name}-{number}" aria-labelledby="title-{number}" '
        f'aria-activedescendant="option-{active}"><h2 id="title-{number}">{text}</h2></div>'
    )


def test_references_that_are_counted_up_are_masked() -> None:
    found = counted(numbered(1), numbered(12), "")
    assert {mask.place for mask in found} == {
        ("html/body[1]/div[1]", "id"),
        ("html/body[1]/div[1]", "aria-labelledby"),
        ("html/body[1]/div[1]/h2[1]", "id"),
    }


def test_where_more_differs_than_how_it_is_counted_nothing_is_masked() -> None:
    for other in (numbered(2, text="No?"), numbered(2, name="panel"), numbered(2, active=2)):
        assert counted(numbered(1), other, "") == []


@brief
@given(tree=trees())
def test_leaves_are_every_text_and_attribute(tree: Element) -> None:
    found = leaves(tree)
    for path, element in places(tree):
        assert found.get((path, TEXT), "") == element.own_text
        assert {part: found[path, part] for part in element.attributes} == element.attributes
    assert {path for path, _ in found} <= set(tags(tree))
