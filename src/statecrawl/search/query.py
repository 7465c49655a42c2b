"""Queries: what users write, as a tree.

    words next to each other      states that have all of them
    "several words"               these words in a row
    a OR b, a NOT b, a -b, ( )    either; without; together
    title: url: heading: event:   before a word or a phrase: only there

What can be understood is: a quote or a parenthesis that is never closed ends with the query, a
sign that is no word is left out. A query without words, or with too many, is an error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from statecrawl.errors import InputError
from statecrawl.search.words import words

TEXT = "text"
FIELDS = ("title", "url", "heading", "event")
MAX_WORDS = 100
MAX_DEPTH = 20
MAX_CHARACTERS = 10_000

_TOKEN = re.compile(
    rf"""(-)?(?:({"|".join(FIELDS)}):\s*)?(?:"([^"]*)"?|([()])|([^\s()"]+))|\s+""", re.IGNORECASE
)
_ALL, _EITHER, _WITHOUT = "AND", "OR", "NOT"


@dataclass(frozen=True, slots=True)
class Row:
    """Words in a row, most often one, somewhere in a field; the last may be only begun."""

    words: tuple[str, ...]
    field: str = TEXT
    is_begun: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """All of these."""

    parts: tuple["Query", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of these, or several."""

    parts: tuple["Query", ...]


@dataclass(frozen=True, slots=True)
class Without:
    """Whatever is not this."""

    part: "Query"


Query = Row | All | Either | Without


def parse_query(text: str, *, is_typed: bool = False) -> Query:
    """Return what a query asks for; while it is typed, its last word may be only begun."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"the query has {len(text):,} characters: give {MAX_CHARACTERS:,} at most")
    query = _Parser(list(_tokens(text))).query()
    count = 0 if query is None else sum(len(row.words) for row in _rows(query))
    if query is None or not count:
        raise InputError("the query has no words in it: give a word to look for")
    if count > MAX_WORDS:
        raise InputError(f"the query has {count:,} words: give {MAX_WORDS} at most")
    if not any(True for _ in wanted(query)):
        raise InputError("the query says only what is not wanted: add a word that is")
    return _begun(query) if is_typed and text[-1:].isalnum() else query


def wanted(query: Query) -> Iterator[Row]:
    """Yield all that results may have: what the query says without its NOT."""
    if isinstance(query, Row):
        yield query
    elif not isinstance(query, Without):
        for part in query.parts:
            yield from wanted(part)


def _rows(query: Query) -> Iterator[Row]:
    if isinstance(query, Row):
        yield query
    else:
        for part in (query.part,) if isinstance(query, Without) else query.parts:
            yield from _rows(part)


def _begun(query: Query) -> Query:
    """Return the same query with its last word only begun."""
    if isinstance(query, Row):
        return Row(query.words, query.field, is_begun=query.field == TEXT)
    if isinstance(query, Without):
        return query
    return type(query)((*query.parts[:-1], _begun(query.parts[-1])))


@dataclass(frozen=True, slots=True)
class _Token:
    """A sign ("AND", "OR", "NOT", "(", ")"), or words in a row."""

    sign: str = ""
    row: Row | None = None


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        minus, field, phrase, parenthesis, bare = match.groups()
        if minus:
            yield _Token(_WITHOUT)
        if parenthesis:
            yield _Token(parenthesis)
        elif bare in (_ALL, _EITHER, _WITHOUT) and not (minus or field):
            yield _Token(bare)
        elif phrase is not None or bare:
            row = tuple(words(phrase if bare is None else bare))
            if row:
                yield _Token(row=Row(row, (field or TEXT).lower()))


class _Parser:
    """Goes through the signs and words once; wherever something is missing, it goes on."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def query(self) -> Query | None:
        """Return everything there is."""
        parts = []
        while self._at < len(self._tokens):
            part = self._either(0)
            if part is not None:
                parts.append(part)
            self._take(")")  # one that nothing was opened by
        return _joined(All, parts)

    def _either(self, depth: int) -> Query | None:
        if depth > MAX_DEPTH:
            raise InputError(
                f"the query has more than {MAX_DEPTH} parentheses in each other: write it shorter"
            )
        parts = [self._all(depth)]
        while self._take(_EITHER):
            parts.append(self._all(depth))
        return _joined(Either, [part for part in parts if part is not None])

    def _all(self, depth: int) -> Query | None:
        parts = []
        while self._at < len(self._tokens) and self._tokens[self._at].sign not in (_EITHER, ")"):
            if self._take(_ALL):
                continue
            part = self._one(depth)
            if part is not None:
                parts.append(part)
        return _joined(All, parts)

    def _one(self, depth: int) -> Query | None:
        is_wanted = True
        while self._take(_WITHOUT):
            is_wanted = not is_wanted
        if self._take("("):
            part = self._either(depth + 1)
            self._take(")")
        elif self._at < len(self._tokens) and self._tokens[self._at].row is not None:
            part = self._tokens[self._at].row
            self._at += 1
        else:
            return None
        return part if is_wanted or part is None else Without(part)

    def _take(self, sign: str) -> bool:
        is_there = self._at < len(self._tokens) and self._tokens[self._at].sign == sign
        self._at += is_there
        return is_there


def _joined(kind: type[All] | type[Either], parts: list[Query]) -> Query | None:
    return parts[0] if len(parts) == 1 else kind(tuple(parts)) if parts else None
