"""Excerpts: the pieces of a text that show why it was found, and where the words stand in them."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from statecrawl.search.documents import Passage
from statecrawl.search.words import Word, placed_words

MAX_CHARACTERS = 160
"""Of one passage; what stands before and after is left out."""
MAX_PASSAGES = 3
MAX_READ = 20_000
"""So much of a passage is looked through."""
MAX_MARKS = 100
_GAP = " … "


class Excerpt(NamedTuple):
    """A text, the places of the words that were looked for, and the elements that hold them."""

    text: str
    marks: tuple[tuple[int, int], ...]
    elements: tuple[str, ...]


class Find(NamedTuple):
    """A passage, and the words in it that were looked for."""

    passage: Passage
    words: list[Word]


def finds_in(passages: Sequence[Passage], wanted: Collection[str]) -> list[Find]:
    """Return the passages that have any of the words."""
    finds = []
    for passage in passages:
        text = passage.text[:MAX_READ]
        if _may_have(text, wanted):
            words = [word for word in placed_words(text) if word.text in wanted]
            if words:
                finds.append(Find(passage, words[:MAX_MARKS]))
    return finds


def excerpt(finds: Sequence[Find], wanted: Collection[str]) -> Excerpt:
    """Return the passages that together have most of the words, the best one first."""
    finds = list(finds)
    text = ""
    marks: list[tuple[int, int]] = []
    elements: list[str] = []
    missing = set(wanted)
    while finds and len(elements) < MAX_PASSAGES:
        best = max(finds, key=lambda find: len({w.text for w in find.words} & missing))
        new = {word.text for word in best.words} & missing
        if not new:
            break
        piece, places = _cut(best)
        text += _GAP if text else ""
        marks += [(start + len(text), end + len(text)) for start, end in places]
        text += piece
        elements.append(best.passage.element)
        missing -= new
        finds.remove(best)
    return Excerpt(text, tuple(marks), tuple(elements))


def _may_have(text: str, wanted: Collection[str]) -> bool:
    """Tell at a glance whether a text may have one of the words in it."""
    lower = text.lower()
    return not text.isascii() or any(word in lower for word in wanted)


def _cut(find: Find) -> tuple[str, list[tuple[int, int]]]:
    """Return the part of a passage with the most words in it, and their places."""
    text = find.passage.text
    room = MAX_CHARACTERS
    starts = [word.start for word in find.words]
    densest = max(
        starts,
        key=lambda start: len(
            {w.text for w in find.words if start <= w.start and w.end - start <= room}
        ),
    )
    first = max(0, min(densest - room // 4, len(text) - room))
    if first:  # at a word
        first = text.find(" ", first, densest) + 1 or first
    last = min(len(text), first + room)
    if last < len(text):
        last = max(text.rfind(" ", densest, last), last if " " not in text[densest:last] else 0)
    before, after = "… " if first else "", " …" if last < len(text) else ""
    by = len(before) - first
    places = [(w.start + by, w.end + by) for w in find.words if first <= w.start and w.end <= last]
    return f"{before}{text[first:last]}{after}", places
