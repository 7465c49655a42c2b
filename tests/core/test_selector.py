"""Selectors for places; whether they select that in a browser is tested in one."""

import pytest
from hypothesis import given

from statecrawl.core.dom import Element, places
from statecrawl.core.selector import elements_at, selector
from tests.core.trees import page, trees


@pytest.mark.parametrize(
    ("body", "path", "expected"),
    [
        ('<p id="clock">1</p>', "p[1]", "#clock"),
        ('<p class="big clock">1</p><p class="big">2</p>', "p[1]", ".clock"),
        ('<p class="x">1</p><div class="x">2</div>', "p[1]", "p.x"),
        ('<p id="1x:y" class="a:b">1</p>', "p[1]", "html > body > p:nth-of-type(1)"),
        ('<p id="twice">1</p><p id="twice">2</p>', "p[2]", "html > body > p:nth-of-type(2)"),
        ('<div id="top"><p>1</p><p>2</p></div>', "div[1]/p[2]", "#top > p:nth-of-type(2)"),
        ('<div id="top"><p>1</p><p>2</p></div>', "div[1]/p[*]", "#top > p"),
        ('<ul><li class="row">1</li><li class="row">2</li></ul>', "ul[1]/li[*]", ".row"),
        ("<p>1</p>", "p[7]", ""),
        ("<x:y>1</x:y>", "x:y[1]", ""),
        ('<template shadowrootmode="open"><p id="in">1</p></template>', "template[1]/p[1]", ""),
    ],
)
def test_the_best_name_is_taken(body: str, path: str, expected: str) -> None:
    assert selector(page(body), f"html/body[1]/{path}") == expected


@given(tree=trees())
def test_every_place_has_a_selector_of_its_own(tree: Element) -> None:
    found = [selector(tree, path) for path, _ in places(tree)]
    assert len(set(found)) == len(found)
    assert all(found)
    assert not any(set(each) & set("'\"\\<\n") for each in found)


@given(tree=trees())
def test_a_path_leads_to_its_element(tree: Element) -> None:
    assert all(elements_at(tree, path) == [element] for path, element in places(tree))
