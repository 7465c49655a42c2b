"""Words as information retrieval takes them: without stop words, without endings."""

from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

STOP_WORDS = frozenset(
    "a about above after again all also am an and any are as at be because been before being "
    "below between both but by can could did do does doing down during each few for from further "
    "had has have having he her here hers him his how i if in into is it its just me more most my "
    "no nor not now of off on once only or other our ours out over own same she should so some "
    "such than that the their theirs them then there these they this those through to too under "
    "until up very was we were what when where which while who whom why will with would you your "
    "yours".split()
)

_stemmer = snowballstemmer.stemmer("english")


def without_stop_words(words: Iterable[str]) -> list[str]:
    """Return the words that say something, whatever their case."""
    return [word for word in words if word.casefold() not in STOP_WORDS]


def stemmed(words: Iterable[str]) -> list[str]:
    """Return words without their (English) endings."""
    return [_stem(word) for word in words]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word))
