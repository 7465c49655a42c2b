"""What every resemblance has to keep to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.dom import Element, parse, write
from statecrawl.core.masks import Masks, volatile
from statecrawl.core.resemblance import Features, Near, Page, Resemblance
from statecrawl.equivalences import RESEMBLANCES, near_equivalence
from statecrawl.equivalences.spec import split
from statecrawl.storage.encoding import pack_features, unpack_features
from tests.core.trees import other_words, trees

SPECS = [
    *RESEMBLANCES,
    "blend:text=0.5,structure=0.3,controls=0.2",
    "crawlhash:bits=32,size=1",
    "crawlhash:unit=chars,size=4,of=dom,strip=none",
    "broder:size=1,fold=yes,stop=yes,stem=yes",
    "broder:unit=places,size=1,count=yes",
    "broder:unit=sentences,size=1,strip=dates+numbers",
    "broder:size=1,together=2",
    "buckets:buckets=5,size=1",
]
every = pytest.mark.parametrize("spec", SPECS)
brief = settings(max_examples=25)
sets = st.lists(st.integers(0, 40), max_size=12)


def resemblance_of(spec: str) -> Resemblance:
    return near_equivalence(spec).resemblance


@every
@brief
@given(one=trees(), other=trees())
def test_a_distance_is_one(spec: str, one: Element, other: Element) -> None:
    made = resemblance_of(spec)
    first, second = made.features(Page(one)), made.features(Page(other))
    assert np.array_equal(first, made.features(Page(parse(write(one)))))
    assert made.distance(first, first) == 0
    assert made.distance(first, second) == made.distance(second, first)
    assert 0 <= made.distance(first, second) <= made.farthest
    assert 0 <= made.default_threshold <= made.farthest
    assert made.distances(first, [second, first]).tolist() == [made.distance(first, second), 0]
    assert made.distances(first, []).tolist() == []
    assert np.array_equal(unpack_features(pack_features(first)), first)


@every
def test_short_pages_with_nothing_in_common_are_not_near(spec: str) -> None:
    made = resemblance_of(spec)
    empty, short, other = (
        made.features(Page(parse(f"<html><body>{body}</body></html>")))
        for body in ("", "<p>the quick brown fox</p>", '<a href="/">Naive cafes, closed</a>')
    )
    for one, two in ((empty, short), (empty, other), (short, other)):
        assert made.distance(one, two) > made.default_threshold


@every
@brief
@given(tree=trees())
def test_what_is_masked_never_counts(spec: str, tree: Element) -> None:
    made = resemblance_of(spec)
    one, other = other_words(tree, " one"), other_words(tree, " other")
    masks = Masks().plus(volatile(one, other, ""))
    pages = [made.features(Page(masks.apply(page))) for page in (one, other)]
    assert made.distance(*pages) == 0


@every
def test_its_name_says_all_of_it(spec: str) -> None:
    made = resemblance_of(spec)
    assert resemblance_of(made.name) == made
    assert split(made.name)[0] == split(spec)[0]


@every
@settings(max_examples=25, deadline=None)
@given(data=st.data(), share=st.floats(0, 1))
def test_an_index_finds_what_a_look_at_all_would(
    spec: str, data: st.DataObject, share: float
) -> None:
    made = resemblance_of(spec)
    known = [_features(made, data.draw(sets)) for _ in range(data.draw(st.integers(0, 40)))]
    threshold = share * made.farthest
    index = made.index(threshold)
    for key, features in enumerate(known):
        index.add(2 * key, features)
        asked = known[data.draw(st.integers(0, key))] if data.draw(st.booleans()) else None
        asked = _features(made, data.draw(sets)) if asked is None else asked
        assert index.nearest(asked) == _look_at_all(made, known[: key + 1], threshold, asked)


def _features(made: Resemblance, numbers: list[int]) -> Features:
    """Pages that have much in common: words and elements are drawn from few."""
    children: list[Element | str] = [
        Element("p" if n % 2 else "a", {"class": f"c{n // 3}"}, [f"word{n}"]) for n in numbers
    ]
    return made.features(Page(Element("html", {}, [Element("body", {}, children)])))


def _look_at_all(
    made: Resemblance, known: list[Features], threshold: float, asked: Features
) -> Near | None:
    found = [Near(2 * key, made.distance(asked, each)) for key, each in enumerate(known)]
    near = [each for each in found if each.distance <= threshold]
    return min(near, key=lambda each: (each.distance, each.key), default=None)
