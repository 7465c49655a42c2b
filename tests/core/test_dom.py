"""The canonical DOM is read and written without loss."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import HIDDEN, Element, PageReader, parse, places, visible_text, write
from statecrawl.equivalences import EQUIVALENCES
from tests.core.trees import marked, page, trees

brief = settings(max_examples=40)


@brief
@given(tree=trees())
def test_what_is_written_is_read_as_it_was(tree: Element) -> None:
    assert parse(write(tree)) == tree
    assert write(parse(write(tree))) == write(tree)


@brief
@given(text=st.text(min_size=1), value=st.text())
def test_any_text_survives(text: str, value: str) -> None:
    tree = Element("p", {"title": value}, [text])
    assert parse(write(tree)) == tree


@brief
@given(tree=trees(), other=trees())
def test_different_trees_are_written_differently(tree: Element, other: Element) -> None:
    assert (write(tree) == write(other)) == (tree == other)


def test_void_elements_stay_open_and_attributes_are_sorted() -> None:
    tree = Element("p", {}, ["a", Element("input", {"value": '"', "type": "text"}, []), "b"])
    assert write(tree) == '<p>a<input type="text" value="&quot;">b</p>'
    assert parse(write(tree)) == tree


@brief
@given(raw=st.text(alphabet='<>/="ab &;'))
def test_anything_is_read_as_well_as_it_goes(raw: str) -> None:
    list(places(parse(raw)))


@brief
@given(pages=st.lists(trees() | st.text(alphabet='<>/="ab &;'), min_size=2, max_size=4))
def test_a_page_is_read_the_same_whatever_was_read_before(pages: list[Element | str]) -> None:
    reader = PageReader()
    for each in pages:
        dom = each if isinstance(each, str) else write(each)
        assert reader.read(dom) == PageReader().read(dom)


@brief
@given(rows=st.lists(st.sampled_from("abc"), max_size=6), at=st.integers(0, 6))
def test_what_comes_again_is_shared_but_never_twice_in_one_page(rows: list[str], at: int) -> None:
    reader = PageReader()
    lists = [rows, [*rows[:at], "new", *rows[at:]], rows[1:], rows * 2]
    for shown in lists:
        items = "".join(f'<li class="row"><b>x</b><i>{each}</i></li>' for each in shown)
        found = list(places(reader.read(f"<html><ul>{items}</ul></html>")))
        assert len({id(element) for _, element in found}) == len(found)


def test_only_what_changed_is_read_again() -> None:
    reader = PageReader()
    dom = "<html><body><p>{}</p><ul><li>a</li><li>b</li></ul></body></html>"
    one, other = reader.read(dom.format("one")), reader.read(dom.format("other"))
    again = [element.tag for _, element in places(other) if id(element) in _ids(one)]
    assert again == ["ul", "li", "li"]


def _ids(root: Element) -> set[int]:
    return {id(element) for _, element in places(root)}


@pytest.mark.parametrize(
    ("raw", "tag"), [("", "#document"), ("just text", "#document"), ("</p><p>", "p")]
)
def test_what_is_not_canonical_still_has_a_root(raw: str, tag: str) -> None:
    assert parse(raw).tag == tag


@brief
@given(tree=trees())
def test_places_are_all_elements_in_order_each_with_a_path_of_its_own(tree: Element) -> None:
    found = list(places(tree))
    assert len({path for path, _ in found}) == len(found)
    assert [element.tag for _, element in found] == tags_of(tree)
    for path, element in found:
        assert path.rpartition("/")[2].partition("[")[0] == element.tag


def tags_of(tree: Element) -> list[str]:
    return [tree.tag, *(tag for child in tree.elements for tag in tags_of(child))]


def test_paths_number_elements_among_their_like() -> None:
    assert [path for path, _ in places(page("<p></p><a></a>x<p><a></a></p>"))] == [
        "html",
        "html/body[1]",
        "html/body[1]/p[1]",
        "html/body[1]/a[1]",
        "html/body[1]/p[2]",
        "html/body[1]/p[2]/a[1]",
    ]


def test_own_text_is_what_stands_right_there() -> None:
    assert parse("<p>a<b>c</b>d</p>").own_text == "a d"


def test_visible_text_has_a_line_for_each_block() -> None:
    tree = page(
        "<h1>Shop</h1><p>Two <b>red</b> shoes<br>for <i>you</i></p>"
        '<p> </p><input value="3" type="text"><input type="hidden" value="no">'
        "<ul><li>a</li><li>b</li></ul>"
    )
    lines = [" ".join(line.split()) for line in visible_text(tree).split("\n")]
    assert lines == ["Shop", "Two red shoes", "for you", "3", "a", "b"]


@brief
@given(tree=trees(), number=st.integers(0, 20))
def test_visible_text_leaves_out_what_is_hidden_and_nothing_else(
    tree: Element, number: int
) -> None:
    paths = [path for path, _ in places(tree)]
    hidden = paths[number % len(paths)]
    shown = visible_text(marked(tree, HIDDEN, lambda path: path == hidden))

    def gone(element: Element, path: str) -> Element:
        """The tree with nothing inside the hidden element."""
        texts = {id(e): p for p, e in places(tree)}
        children: list[Element | str] = [
            child if isinstance(child, str) else gone(child, texts[id(child)])
            for child in element.children
        ]
        return Element(element.tag, {}, [] if path == hidden else children)

    assert shown.split() == visible_text(gone(tree, tree.tag)).split()


def test_what_is_in_a_hidden_element_is_not_read_even_if_it_is_not_marked() -> None:
    assert visible_text(page(f'a<div {HIDDEN}="">b<p>c</p></div>d')).split() == ["a", "d"]


def test_pages_as_deep_as_the_agent_writes_them_are_no_trouble() -> None:
    depth = 305
    dom = "<div>" * depth + "deep" + "</div>" * depth
    tree = parse(dom)
    assert write(tree) == dom
    assert visible_text(tree) == "deep"
    assert len(list(places(tree))) == depth
    assert all(equivalence(tree) for equivalence in EQUIVALENCES.values())
