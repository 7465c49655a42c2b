"""The words of a text, in any script: the one analyser of pages and of queries.

A word is a run of letters and digits with the marks on them. Scripts that leave no space between
words (Chinese, Japanese, Thai and others) are taken letter by letter: whoever asks for a run of
them asks for these letters in a row. Words that differ in case, width or accents are one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_LETTERS = 64
"""What goes beyond is left out of a word."""

_SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_SPACE = re.compile(r"\s")


def _marks() -> str:
    """Return all marks that are put on letters, as ranges of a character class."""
    codes = [c for c in range(0x300, 0x20000) if unicodedata.category(chr(c))[0] == "M"]
    starts = [c for before, c in zip([0, *codes], codes, strict=False) if c != before + 1]
    ends = [c for c, after in zip(codes, [*codes[1:], 0], strict=True) if after != c + 1]
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(starts, ends, strict=True))


_MARKS = f"{_marks()}\u200c\u200d"  # joiners, too: they stand inside words
_LETTERS = rf"[^\W_{_SPACELESS}]"
_WORD = re.compile(rf"{_LETTERS}+(?:[{_MARKS}]+{_LETTERS}*)*|[{_SPACELESS}](?<=[^\W_])[{_MARKS}]*")
_ASCII_WORD = re.compile(rf"([a-z0-9]{{1,{MAX_LETTERS}}})[a-z0-9]*")
"""The same where there is nothing else, and quicker."""


class Word(NamedTuple):
    """A word as it is looked for, and where it stands in the text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[str]:
    """Return the words of a text, as they are looked for."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return [_known_as(word) for word in _WORD.findall(text)]


def placed_words(text: str) -> Iterator[Word]:
    """Yield the words of a text with their places."""
    if text.isascii():
        for match in _ASCII_WORD.finditer(text.lower()):
            yield Word(match[1], *match.span())
        return
    for match in _WORD.finditer(text):
        yield Word(_known_as(match[0]), *match.span())


@lru_cache(maxsize=20_000)
def _known_as(word: str) -> str:
    if not word.isascii():
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", word)).casefold()
        word = _SPACE.sub("", unicodedata.normalize("NFKC", plain))
    return word.lower()[:MAX_LETTERS]
