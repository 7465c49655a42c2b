"""HTML as anybody writes it, and selectors over it."""

import pytest

from statecrawl.core.css import parse_selectors
from statecrawl.core.dom import Element, places
from statecrawl.core.html import MAX_DEPTH, read_html
from statecrawl.equivalences.units import markup
from statecrawl.errors import InputError


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("", "<html></html>"),
        ("<!doctype html><html><p>a  b</html>", "<html><p>a b</p></html>"),
        ("a<!-- b --><p>c", "<html>a<p>c</p></html>"),
        ("<b>x</i></b></b>", "<b>x</b>"),
        ("<p><b>x</p>y", "<html><p><b>x</b></p>y</html>"),
        ('<br/><img src=a><x/>', '<html><br><img src="a"><x></x></html>'),
        ("<script>a < b</script>", "<script>a < b</script>"),
        ("&lt;\0\x01<", "<html><\0\x01<</html>"),
    ],
)  # fmt: skip
def test_what_is_broken_is_read_as_well_as_it_goes(html: str, read: str) -> None:
    assert markup(read_html(html)) == read


def test_what_is_nested_too_deeply_is_put_side_by_side() -> None:
    root = read_html("<div>" * 5000 + "x")
    assert max(path.count("/") for path, _ in places(root)) < MAX_DEPTH


@pytest.mark.parametrize(
    ("css", "ids"),
    [
        ("p", "ac"),
        (".x", "ab"),
        ("p.x", "a"),
        ("#b", "b"),
        ("[title]", "c"),
        ("[title=t]", "c"),
        ('[title="u"]', ""),
        ("div p", "ac"),
        ("div > p", "c"),
        ("div > ul > p", "a"),
        ("ul p | #b", "ab"),
        ("*", "abcde"),
    ],
)
def test_selectors(css: str, ids: str) -> None:
    root = read_html(
        '<div id=d><ul id=e><p id=a class="x y"></p><i id=b class=x></i></ul>'
        "<p id=c title=t></p></div>"
    )
    found: list[str] = []

    def walk(element: Element, around: tuple[Element, ...]) -> None:
        if any(each.matches(element, around) for each in parse_selectors(css)):
            found.append(element.attributes["id"])
        for child in element.elements:
            walk(child, (*around, element))

    walk(root, ())
    assert sorted(found) == sorted(ids)


@pytest.mark.parametrize("css", ["p:hover", ">", "p >", "> p", "a, b", "p > > b"])
def test_selectors_that_are_not_understood(css: str) -> None:
    with pytest.raises(InputError):
        parse_selectors(css)
