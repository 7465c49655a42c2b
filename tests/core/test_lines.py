"""Pages read line by line without a tree: the same as with one."""

import pytest
from hypothesis import given

from statecrawl.core.dom import Element, parse, places, visible_text, write
from statecrawl.core.lines import lines
from tests.core.trees import trees


@given(trees())
def test_lines_are_those_of_the_tree(root: Element) -> None:
    dom = write(root)
    assert "\n".join(line.text for line in lines(dom)) == visible_text(parse(dom))
    assert {line.path for line in lines(dom)} <= {place.path for place in places(parse(dom))}


@pytest.mark.parametrize(
    ("dom", "expected"),
    [
        (
            "<html><body><h1>A <b>b</b></h1>c<ul><li>d</li><li>e &amp; f</li></ul>"
            "<p>g<br>h</p></body></html>",
            [
                ("html/body[1]/h1[1]", "A  b"),
                ("html/body[1]", "c"),
                ("html/body[1]/ul[1]/li[1]", "d"),
                ("html/body[1]/ul[1]/li[2]", "e & f"),
                ("html/body[1]/p[1]", "g"),
                ("html/body[1]/p[1]", "h"),
            ],
        ),
        (
            '<html><p statecrawl-hidden="">a<i>b</i></p><p title="statecrawl-hidden">c</p>'
            '<input type="hidden" value="d"><input value="e &lt; f"></html>',
            [("html/p[2]", "c"), ("html", "e < f")],
        ),
        ("</p>before<html><p>open <b>for ever", [("html/p[1]", "open  for ever")]),
        ("<html><p>a</p></html>after<p>b</p>", [("html/p[1]", "a")]),
        ("", []),
    ],
)
def test_each_line_stands_in_its_block(dom: str, expected: list[tuple[str, str]]) -> None:
    assert [(line.path, line.text) for line in lines(dom)] == expected
