"""The example that the thesis on near-duplicates works through, and the error in it."""

from statecrawl.core.dom import Element
from statecrawl.core.resemblance import Page
from statecrawl.equivalences import near_equivalence

FRIENDS = Page(Element("body", {}, ["Hello friends! This is my personal website."]))
WORLD = Page(Element("body", {}, ["Hello world! This is my personal website."]))


def test_the_fingerprint_of_the_first_sentence() -> None:
    crawlhash = near_equivalence("crawlhash:bits=32").resemblance
    (found,) = crawlhash.features(FRIENDS).tolist()
    assert f"{found:032b}" == "01101100101010011110100010010100"


def test_the_second_fingerprint_is_printed_wrong_in_two_bits() -> None:
    crawlhash = near_equivalence("crawlhash:bits=32").resemblance
    (found,) = crawlhash.features(WORLD).tolist()
    printed = int("01110101001010011100110010010111", 2)
    assert f"{found:032b}" == "01110111001011011100110010010111"
    assert (found ^ printed).bit_count() == 2
    assert crawlhash.distance(crawlhash.features(FRIENDS), crawlhash.features(WORLD)) == 10


def test_three_of_seven_shingles_are_common() -> None:
    broder = near_equivalence("broder").resemblance
    one, other = broder.features(FRIENDS), broder.features(WORLD)
    assert len(one) == len(other) == 5
    assert broder.distance(one, other) == 1 - 3 / 7
