"""What a result is worth: the same whether one index was asked or several.

The score of a document is (1 + BM25 + closeness) x prior. BM25 counts in how many documents of
all indexes a word occurs, and compares with the length of their average text. All sums are of
whole thousandths, which no order of adding changes, so that results from several indexes come in
exactly the order that one index would give.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import tantivy

from statecrawl.search.index import Index
from statecrawl.search.query import TEXT, All, Query, Row, Without, wanted
from statecrawl.search.schema import ONLY, PRIOR, WEIGHTS, weighed

UNIT = 1000.0
"""A score of 1, in Tantivy."""

_K1, _B = 1.2, 0.75
_IN_A_ROW, _CLOSE = 500.0, 500.0
_CLOSE_WORDS = 6
_MAX_PAIRS = 8
_MAX_CLOSE = 10_000
"""Where two words both occur in more documents, it is not looked at how close they stand."""
_MAX_ENDINGS = 30
"""So many words are tried for one that is only begun."""

_Occur, _Tantivy = tantivy.Occur, tantivy.Query
_Clause = tuple[tantivy.Occur, tantivy.Query]


class Matches(NamedTuple):
    """The documents of one index that match: how many, and the best of them with their scores."""

    total: int
    hits: list[tuple[float, tantivy.DocAddress]]


class Ranking:
    """A query, and what its words are worth in all indexes together."""

    def __init__(self, query: Query, indexes: Sequence[Index]) -> None:
        self._query = query
        self._indexes = indexes
        states = sum(index.states for index in indexes)
        length = sum(index.length for index in indexes)
        self._average = max(length / states if states else 0.0, 1.0)
        self._endings = dict(self._all_endings(query))
        rows = [row for row in wanted(query) if row.field != "url"]
        self.words = list(dict.fromkeys(word for row in rows for word in self._worded(row)))
        self._frequency: dict[str, int] = {}
        self._worth: dict[str, float] = {}
        for word in self.words:
            self._weigh(word, states)

    def search(self, index: Index, limit: int) -> Matches:
        """Return the best documents of one index; Tantivy multiplies with log2(2 + prior)."""
        clauses = [
            (_Occur.Must, _Tantivy.const_score_query(self._matching(self._query, index), UNIT)),
            *self._weights(index),
            *self._closeness(index),
        ]
        query = _Tantivy.boolean_query(clauses)
        found: Any = index.searcher.search(query, limit, weight_by_field=PRIOR)
        return Matches(found.count, found.hits)

    def _weigh(self, word: str, states: int) -> None:
        """Find out what each weight of a word is worth (BM25)."""
        counts: dict[str, int] = {}
        for index in self._indexes:
            for term, count in index.terms(f"{word}{ONLY}"):
                counts[term] = counts.get(term, 0) + count
        frequency = self._frequency[word] = sum(counts.values())
        rarity = math.log(1 + (states - frequency + 0.5) / (frequency + 0.5))
        for term in counts:
            times, length = weighed(term)
            relative = 1 - _B + _B * length / self._average
            worth = rarity * times * (_K1 + 1) / (times + _K1 * relative)
            self._worth[term] = float(round(UNIT * worth))

    def _weights(self, index: Index) -> Iterator[_Clause]:
        for word in self.words:
            for term, _ in index.terms(f"{word}{ONLY}"):
                found = _Tantivy.term_query(index.schema, WEIGHTS, term, "basic")
                yield _Occur.Should, _Tantivy.const_score_query(found, self._worth[term])

    def _closeness(self, index: Index) -> Iterator[_Clause]:
        """Yield what more it is worth that words of the query stand close to each other."""
        for pair in list(pairwise(self.words))[:_MAX_PAIRS]:
            rarest = min(self._frequency[word] for word in pair)
            if not 0 < rarest <= _MAX_CLOSE:
                continue
            for slop, worth in ((0, _IN_A_ROW), (_CLOSE_WORDS, _CLOSE)):
                row = _Tantivy.phrase_query(index.schema, TEXT, list(pair), slop)
                yield _Occur.Should, _Tantivy.const_score_query(row, worth)

    def _matching(self, query: Query, index: Index) -> tantivy.Query:
        if isinstance(query, Row):
            return self._row(query, index)
        if isinstance(query, Without):
            return _without(self._matching(query.part, index))
        occur = _Occur.Must if isinstance(query, All) else _Occur.Should
        return _Tantivy.boolean_query(
            [(occur, self._matching(part, index)) for part in query.parts]
        )

    def _row(self, row: Row, index: Index) -> tantivy.Query:
        *first, last = row.words
        ways = []
        for ending in self._endings.get(row, (last,)):
            words: list[str | tuple[int, str]] = [*first, ending]
            if first:
                ways.append(_Tantivy.phrase_query(index.schema, row.field, words))
            else:
                ways.append(_Tantivy.term_query(index.schema, row.field, ending))
        if len(ways) == 1:
            return ways[0]
        return _Tantivy.boolean_query([(_Occur.Should, way) for way in ways])

    def _worded(self, row: Row) -> tuple[str, ...]:
        return (*row.words[:-1], *self._endings.get(row, row.words[-1:]))

    def _all_endings(self, query: Query) -> Iterator[tuple[Row, tuple[str, ...]]]:
        """Yield the words that those which are only begun may become, the most frequent ones."""
        for row in wanted(query):
            if row.is_begun:
                counts: dict[str, int] = {}
                for index in self._indexes:
                    for word, count in index.terms(row.words[-1], TEXT):
                        counts[word] = counts.get(word, 0) + count
                best = sorted(counts, key=lambda word: (word != row.words[-1], -counts[word], word))
                yield row, tuple(best[:_MAX_ENDINGS]) or row.words[-1:]


def _without(query: tantivy.Query) -> tantivy.Query:
    return _Tantivy.boolean_query([(_Occur.Must, _Tantivy.all_query()), (_Occur.MustNot, query)])
