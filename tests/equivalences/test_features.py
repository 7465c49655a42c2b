"""What is taken from pages: units, strippers, words, weights."""

import io

import numpy as np
import pytest
from PIL import Image

from statecrawl.core.dom import HIDDEN, Element
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.core.snapshot import Event
from statecrawl.equivalences import near_equivalence
from statecrawl.equivalences.pieces import characters, given, sentences, words
from statecrawl.equivalences.strippers import stripped
from statecrawl.equivalences.units import UNITS, markup, visible
from statecrawl.errors import InputError


def page(html: str) -> Page:
    return Page(read_html(f"<html><body>{html}</body></html>"))


def distance(spec: str, one: str, other: str) -> float:
    made = near_equivalence(spec).resemblance
    return made.distance(made.features(page(one)), made.features(page(other)))


@pytest.mark.parametrize(
    ("unit", "html", "found"),
    [
        ("tags", "<p>a<b>c</b></p>", ["html", "body", "p", "b"]),
        ("paths", "<p>a</p>", ["/html/", "/html/body/", "/html/body/p/"]),
        ("places", '<p class="x">a', ["/html/#", "/html/body/#", "/html/body/p/#x"]),
        ("links", '<a href="/x">a</a><form action="/y"></form>', ["/x\n", "/y\n"]),
        ("anchors", "so <a>two words</a> here", ["two", "words"]),
        ("windows", "1 2 3 4 5 6 <a>here</a> 1 2 3 4 5 6", "2 3 4 5 6 here 1 2 3 4 5".split()),
        ("metadata", '<meta name="a" lang="b"><title>T</title>', ["lang=b name=a\n", "title=T\n"]),
        (
            "controls",
            '<a class="k">x</a><button>Go  on</button><input type="submit" value="Send">'
            '<input name="n" type="text">',
            [
                "/html/body/a/#k\n",
                "/html/body/button/#Go on\n",
                "/html/body/input/#Send\n",
                "/html/body/input/#text n\n",
            ],
        ),
    ],
)  # fmt: skip
def test_each_unit(unit: str, html: str, found: list[str]) -> None:
    assert UNITS[unit](page(html)) == found


def test_events_are_those_of_the_page_and_connect_it() -> None:
    here = Page(Element("html", {}, []), (Event("go", url="http://a/b"), Event("stay")))
    assert UNITS["events"](here) == ["go\n", "stay\n"]
    assert UNITS["links"](here) == ["http://a/b\n"]


def test_a_picture_hardly_changes_when_few_pixels_do() -> None:
    def shot(*, spot: bool, turned: bool = False) -> Page:
        image = Image.linear_gradient("L").rotate(90)
        image = image.rotate(180) if turned else image
        if spot:
            image.paste(255, (0, 0, 9, 9))
        stream = io.BytesIO()
        image.save(stream, "PNG")
        return Page(Element("html", {}, []), picture=stream.getvalue())

    made = near_equivalence("broder:unit=picture,size=1").resemblance
    plain, spotted, turned = (
        made.features(each)
        for each in (shot(spot=False), shot(spot=True), shot(spot=False, turned=True))
    )
    assert 0 < made.distance(plain, spotted) < 0.1
    assert made.distance(plain, turned) > 0.9
    assert UNITS["picture"](Page(Element("html", {}, []), picture=b"no picture")) == []


@pytest.mark.parametrize("cut", [words, characters, sentences])
def test_white_space_is_collapsed_first(cut: object) -> None:
    assert callable(cut)
    one, other = cut("  a \t  b  "), cut("a b")
    assert np.array_equal(one.shingles(2), other.shingles(2))


@pytest.mark.parametrize("text", ["", " \n ", "one", "\U0001f600 \U0001f600\ud800 x", "\0"])
def test_a_text_shorter_than_the_shingle_has_features_and_an_empty_one_none(text: str) -> None:
    for cut in (words, characters, sentences):
        assert (len(cut(text).shingles(9)) > 0) == bool(text.split())
    assert len(given([text]).shingles(9)) == 1


def test_sentences_end_with_marks_and_lines() -> None:
    assert len(sentences("One. Two is  here! Three\nfour")[1]) == 4


def test_a_million_shingles_alike_are_one() -> None:
    made = near_equivalence("broder:size=2").resemblance
    assert len(made.features(page("x " * 1_000_000))) == 1
    assert (
        len(near_equivalence("broder:size=2,count=yes").resemblance.features(page("x " * 9))) == 8
    )


@pytest.mark.parametrize(
    ("names", "html", "left"),
    [
        ("scripts", '<p onclick="x()">a<script>b</script></p>', "<p>a</p>"),
        ("styles", '<style>b</style><p style="c">a</p>', "<p>a</p>"),
        ("hidden", f'<p {HIDDEN}="">a</p><input type="hidden"><b>c</b>', "<b>c</b>"),
        ("attributes", '<p class="x" id="y">a</p>', "<p>a</p>"),
        ("head", "<title>t</title><p>a</p>", "<p>a</p>"),
        ("numbers", "<p>1,234.5 of 7%</p>", "<p>  of  </p>"),
        ("dates", "<p>2024-01-31 12:30, May 5, 2024, 3 days ago, 17</p>", "<p>   ,  ,  , 17</p>"),
    ],
)  # fmt: skip
def test_each_stripper(names: str, html: str, left: str) -> None:
    root = page(html).root
    assert markup(stripped(root, names.split("+"))) == f"<html><body>{left}</body></html>"


def test_strippers_and_selectors_together() -> None:
    html = '<p class="ad">1</p><main><p id="c">2</p><p>3 at 12:30</p></main>'
    left = stripped(page(html).root, ["numbers", "dates"], "p.ad|main > #c")
    assert visible(left).split() == ["at"]
    assert distance("broder:without=.ad,size=1", html, html.replace(">1<", ">4<")) == 0
    with pytest.raises(InputError, match="not understood"):
        stripped(page(html).root, (), "p:nth-child(2)")


def test_words_as_information_retrieval_takes_them() -> None:
    one, other = "<p>The crawlers are crawling</p>", "<p>a CRAWLER crawled</p>"
    assert distance("broder:size=1", one, other) == 1
    assert distance("broder:size=1,fold=yes,stop=yes,stem=yes", one, other) == 0


def test_weights_are_learned_and_frozen() -> None:
    pages = [page(f"<p>menu home</p><p>{word}</p>") for word in ("one", "two", "three")]
    for kind, expected in (("template", 1.0), ("none", 0.5)):
        made = near_equivalence(f"broder:size=1,weights={kind}").resemblance
        assert made.needs_weights == (kind != "none")
        if made.needs_weights:
            made = made.with_weights(made.learn(pages))
            assert not made.needs_weights
        features = [made.features(each) for each in pages]
        assert made.distance(features[0], features[1]) == pytest.approx(expected)
    idf = near_equivalence("broder:size=1,weights=idf").resemblance
    weighted = idf.with_weights(idf.learn(pages))
    found = [weighted.features(each) for each in (*pages, page("<p>menu home</p><p>new</p>"))]
    assert weighted.distance(found[0], found[3]) > 0.5
    crawlhash = near_equivalence("crawlhash:size=1,weights=template").resemblance
    heavy = crawlhash.with_weights(crawlhash.learn(pages))
    assert heavy.distance(heavy.features(pages[0]), heavy.features(page("<p>one</p>"))) == 0


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("simhash", "unknown equivalence"),
        ("broder:treshold=1", "unknown setting"),
        ("broder:size", "write size=VALUE"),
        ("broder:size=1,size=2", "twice"),
        ("broder:size=x", "not a whole number"),
        ("broder:size=0", "out of range"),
        ("broder:unit=pages", "give one of"),
        ("broder:strip=scripts+all", "give one of"),
        ("broder:threshold=1.5", "out of range"),
        ("broder:threshold=nan", "not a number"),
        ("broder:events=some", "give one of"),
        ("broder:fold=1", "give one of yes, no"),
        ("crawlhash:bits=32,threshold=33", "out of range"),
        ("blend:structure=0,controls=0", "above 0"),
    ],
)
def test_wrong_settings_get_one_line(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        near_equivalence(spec)
    assert "\n" not in str(caught.value)
