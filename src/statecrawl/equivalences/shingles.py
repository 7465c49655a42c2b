"""Shingles: every so many words, characters or other pieces of a page in a row, hashed."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, Self

import numpy as np

from statecrawl.core.resemblance import Features, Page
from statecrawl.equivalences import pieces
from statecrawl.equivalences.hashing import BASE, as_set, mixed
from statecrawl.equivalences.spec import OneOf, Range, SomeOf, Yes
from statecrawl.equivalences.strippers import STRIPPERS, stripped
from statecrawl.equivalences.units import UNITS, body, markup, visible
from statecrawl.equivalences.vocabulary import stemmed, without_stop_words
from statecrawl.equivalences.weights import WEIGHINGS, Weights

_TEXTS = {"text": visible, "body": body, "dom": markup}
_CUTS = {"words": pieces.words, "chars": pieces.characters, "sentences": pieces.sentences}


@dataclass(frozen=True)
class Shingling:
    """What is taken from a page, and how many pieces in a row are one feature.

    Words, characters and sentences are cut from a text: what can be read, or the HTML of the body
    or of all. Words may have their case folded, stop words left out, endings taken off.
    """

    unit: Annotated[str, OneOf((*_CUTS, *UNITS))] = "words"
    size: Annotated[int, Range(1, 1000)] = 3
    of: Annotated[str, OneOf(tuple(_TEXTS))] = "text"
    strip: Annotated[tuple[str, ...], SomeOf(tuple(STRIPPERS))] = ("scripts", "styles", "head")
    without: str = ""
    fold: Yes = False
    stop: Yes = False
    stem: Yes = False
    weights: Annotated[str, OneOf(WEIGHINGS)] = "none"
    learned: Weights | None = field(default=None, init=False, compare=False)

    @property
    def needs_weights(self) -> bool:
        """Tell whether weights have to be learned before anything is decided."""
        return self.weights != "none" and self.learned is None

    def with_weights(self, weights: Features) -> Self:
        """Return the same with weights that were learned before."""
        made = replace(self)
        object.__setattr__(made, "learned", Weights.unpacked(self.weights, weights))
        return made

    def learn(self, pages: Iterable[Page]) -> Features:
        """Return weights learned from some pages."""
        sets = (as_set(self.shingles(page)) for page in pages)
        return Weights.learned(self.weights, sets).packed()

    def shingles(self, page: Page, base: int = BASE) -> Features:
        """Return the hash of every shingle in order, repeated ones too."""
        return self._pieces(page).shingles(self.size, base)

    def _pieces(self, page: Page) -> pieces.Pieces:
        root = stripped(page.root, self.strip, self.without)
        if self.unit in UNITS:
            found = UNITS[self.unit](page._replace(root=root))
            return pieces.given([text.casefold() for text in found] if self.fold else found)
        text = _TEXTS[self.of](root)[: pieces.MAX_CHARACTERS]
        if self.fold:
            text = text.casefold()
        if self.unit == "words" and (self.stop or self.stem):
            said = without_stop_words(text.split()) if self.stop else text.split()
            return pieces.given(stemmed(said) if self.stem else said)
        return _CUTS[self.unit](text)


def counted(hashes: Features) -> Features:
    """Return a hash for the first, the second, the third time that each hash occurs, sorted.

    So sets of them count how often something is there (term frequency).
    """
    hashes = np.sort(hashes)
    starts = np.flatnonzero(np.diff(hashes, prepend=~hashes[:1]))
    number = np.arange(len(hashes)) - np.repeat(starts, np.diff(starts, append=len(hashes)))
    again = number > 0
    hashes[again] = mixed(hashes[again] + number[again].astype(np.uint64))
    return as_set(hashes)
