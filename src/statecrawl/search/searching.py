"""Search over the indexes of several crawls: one query goes to all, their results are merged."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import tantivy

from statecrawl.errors import InputError
from statecrawl.search.documents import (
    Hop,
    Stored,
    document_of,
    unpacked_passages,
    without_numbers,
)
from statecrawl.search.excerpts import Excerpt, Find, excerpt, finds_in
from statecrawl.search.index import Index
from statecrawl.search.query import parse_query
from statecrawl.search.ranking import UNIT, Matches, Ranking
from statecrawl.search.schema import tilted_prior

MAX_RESULTS = 1000
PER_URL = 3
"""So many states of one URL are shown before those of others."""
_LOOKED_AT = 5
"""For each result that is wanted, so many of the best states are looked at."""
_LEAST_LOOKED_AT = 50
_MAX_HOPS = 10_000


@dataclass(frozen=True, slots=True)
class Result:
    """A state that was found: where it is, why it was found, and how to get there.

    `alike` is how many more of the states looked at show the same, or are near-duplicates of it
    that have the words in the same passages.
    """

    crawl: Path
    url: str
    state: str
    title: str
    score: float
    excerpt: Excerpt
    entry: str
    path: tuple[Hop, ...]
    alike: int

    def to_json(self) -> dict[str, Any]:
        """Return what the command line prints."""
        return {
            "url": self.url,
            "state": self.state,
            "score": self.score,
            "title": self.title,
            "snippet": self.excerpt.text,
            "path": [hop.event for hop in self.path],
            "marks": [list(mark) for mark in self.excerpt.marks],
            "elements": list(self.excerpt.elements),
            "entry": self.entry,
            "labels": [hop.label for hop in self.path],
            "alike": self.alike,
            "crawl": str(self.crawl),
        }


class Results(NamedTuple):
    """What was found: how many states match in all, and the best of them."""

    total: int
    words: tuple[str, ...]
    best: tuple[Result, ...]


@dataclass(frozen=True)
class Candidate:
    """A document that matches, with its score."""

    score: float
    stored: Stored
    index: Index
    passages: bytes
    words: frozenset[str]

    @cached_property
    def finds(self) -> list[Find]:
        """Where in the document the words are."""
        return finds_in(unpacked_passages(self.passages), self.words)

    @property
    def shown(self) -> tuple[str, ...]:
        """The same for states that have the words in the same passages, but for numbers."""
        return tuple([without_numbers(find.passage.text) for find in self.finds])


def search(indexes: Sequence[Index], text: str, limit: int, *, is_typed: bool = False) -> Results:
    """Return the best states for a query, in the order that one index of them all would give."""
    if not 1 <= limit <= MAX_RESULTS:
        raise InputError(f"--limit {limit}: give a number from 1 to {MAX_RESULTS:,}")
    ranking = Ranking(parse_query(text, is_typed=is_typed), indexes)
    total, candidates = best_states(ranking, indexes, max(_LEAST_LOOKED_AT, limit * _LOOKED_AT))
    chosen = _by_url(_distinct(candidates), limit)
    best = tuple(_result(candidate, alike) for candidate, alike in chosen)
    return Results(total, tuple(ranking.words), best)


def best_states(
    ranking: Ranking, indexes: Sequence[Index], count: int
) -> tuple[int, list[Candidate]]:
    """Return how many documents match, and the best of them; equal ones by URL and state."""
    total = 0
    found: list[tuple[float, int, Index, tantivy.DocAddress]] = []
    for index in indexes:
        matches = _reading(index, ranking, count)
        total += matches.total
        found += [(-score, index.key(address), index, address) for score, address in matches.hits]
    found.sort(key=lambda each: each[:2])
    words = frozenset(ranking.words)
    best = [
        _candidate(-score, key, *index.document(address), index, words)
        for score, key, index, address in found[:count]
    ]
    return total, sorted(best, key=lambda each: (-each.score, each.stored.url, each.stored.state))


def _candidate(
    score: float, key: int, stored: Stored, passages: bytes, index: Index, words: frozenset[str]
) -> Candidate:
    """Take the trifle out of a score that tells equal ones apart."""
    worth = round(score / tilted_prior(stored.prior, key))
    return Candidate(worth * stored.prior, stored, index, passages, words)


def _reading(index: Index, ranking: Ranking, count: int) -> Matches:
    """Return the best documents of one index, and all that are as good as the last of them."""
    limit = count + 1
    try:
        while True:
            found = ranking.search(index, limit)
            hits = found.hits
            if len(hits) < limit or hits[count - 1][0] > hits[-1][0]:
                least = hits[min(count, len(hits)) - 1][0] if hits else 0.0
                return Matches(found.total, [hit for hit in hits if hit[0] >= least])
            limit *= 4
    except ValueError as error:
        raise InputError(
            f"the index of {str(index.crawl)[:200]!r} can't be read: remove its folder `index`, "
            "and `statecrawl index` makes it anew"
        ) from error


def _distinct(candidates: Sequence[Candidate]) -> list[tuple[Candidate, int]]:
    """Return the best of those that show the same, each with how many more there are."""
    documents = Counter(map(_near, candidates))
    first: dict[Hashable, int] = {}
    kept: list[tuple[Candidate, int]] = []
    for candidate in candidates:
        keys: list[Hashable] = [candidate.stored.alike]
        if candidate.stored.near and documents[_near(candidate)] > 1:
            keys.append((_near(candidate), candidate.shown))
        at = min([first[key] for key in keys if key in first], default=len(kept))
        if at == len(kept):
            kept.append((candidate, 0))
        else:
            kept[at] = (kept[at][0], kept[at][1] + 1)
        first |= {key: at for key in keys if key not in first}
    return kept


def _near(candidate: Candidate) -> tuple[str, str]:
    """Return what near-duplicates in one document have in common."""
    return candidate.stored.near, document_of(candidate.stored.url)


def _by_url(candidates: Sequence[tuple[Candidate, int]], limit: int) -> list[tuple[Candidate, int]]:
    """Return the best, those of one URL together; of each a few, and more if there is room."""
    groups: dict[str, list[int]] = {}
    is_more = []
    for number, (candidate, _) in enumerate(candidates):
        group = groups.setdefault(candidate.stored.url, [])
        is_more.append(len(group) >= PER_URL)
        group.append(number)
    chosen = set(sorted(range(len(candidates)), key=lambda each: (is_more[each], each))[:limit])
    return [candidates[each] for group in groups.values() for each in group if each in chosen]


def _result(candidate: Candidate, alike: int) -> Result:
    stored, index = candidate.stored, candidate.index
    way = list(_way(stored, index))[::-1]
    return Result(
        index.crawl,
        stored.url,
        stored.state,
        stored.title,
        round(candidate.score / UNIT, 3),
        excerpt(candidate.finds, candidate.words),
        way[0].event.removeprefix("load ") if way and not way[0].source else "",
        tuple(way[1:]),
        alike,
    )


def _way(stored: Stored, index: Index) -> Iterator[Hop]:
    """Yield the events on the way to a state, from the last one to the load of a URL."""
    for _ in range(_MAX_HOPS):
        if stored.hop is None:
            return
        yield stored.hop
        before = index.find(stored.hop.source) if stored.hop.source else None
        if before is None:
            return
        stored = before
