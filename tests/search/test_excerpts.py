"""The pieces of a text that show why it was found."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.search.documents import Passage
from statecrawl.search.excerpts import MAX_CHARACTERS, MAX_PASSAGES, excerpt, finds_in
from statecrawl.search.words import words

WORDS = st.sampled_from(["cat", "dog", "Émile", "東京", "a", "supercalifragilistic" * 3, "—"])
TEXTS = st.lists(WORDS, max_size=60).map(" ".join)


@given(st.lists(TEXTS, max_size=5), st.sets(st.sampled_from(["cat", "dog", "emile", "東"])))
def test_what_is_marked_is_what_was_looked_for(texts: list[str], wanted: set[str]) -> None:
    passages = [Passage(str(number), text) for number, text in enumerate(texts)]
    found = excerpt(finds_in(passages, wanted), wanted)
    there = {word for text in texts for word in words(text)} & wanted
    marked = [found.text[start:end] for start, end in found.marks]
    assert {word for each in marked for word in words(each)[:1]} <= there
    assert bool(marked) == bool(there)
    assert len(found.elements) <= MAX_PASSAGES
    assert len(found.text) <= MAX_PASSAGES * (MAX_CHARACTERS + 10)


def test_the_passage_with_most_of_the_words_comes_first_and_only_as_many_as_needed() -> None:
    passages = [Passage("1", "one cat"), Passage("2", "cat and dog"), Passage("3", "a dog")]
    assert excerpt(finds_in(passages, {"cat", "dog"}), {"cat", "dog"}).elements == ("2",)


def test_a_passage_without_end_is_looked_through_only_so_far() -> None:
    found = excerpt(finds_in([Passage("1", "cat " * 1_000_000)], {"cat"}), {"cat"})
    assert found.text.startswith("cat cat")
    assert len(found.text) < MAX_CHARACTERS + 10
