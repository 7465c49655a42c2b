"""How a document stands in a Tantivy index, and the figures that its score is made of.

Each word of a document stands in the field `weights` a second time, with how often it occurs and
how long the text is, both in steps. So the index tells at once in how many documents a word has
which weight; what it is worth is decided when all indexes that are asked have told.
"""

import math
from collections import Counter
from functools import cache
from hashlib import blake2b

import tantivy

from statecrawl.search.documents import Content, Outline, Stored, packed_passages
from statecrawl.search.words import words

VERSION = 3
"""Of the index: what others made is made anew."""

STATE, TEXT, TITLE, URL, HEADING, EVENT = "state", "text", "title", "url", "heading", "event"
WEIGHTS, PRIOR, LENGTH, DIGEST, STORED, PASSAGES = (
    "weights", "prior", "length", "digest", "stored", "passages",
)  # fmt: skip
ONLY = "\x1f"
"""Between a word and its weight; also a word that every document has."""

_TIMES = (1, 2, 3, 4, 5, 6, 8, 11, 16)
_MOST = _TIMES[-1]
_TILT = 1e-4
_TITLE_TIMES, _OTHER_TIMES = 2, 1
_IN_A_ROW = (TEXT, TITLE, URL, HEADING, EVENT)


@cache
def schema() -> tantivy.Schema:
    """Return the fields of a document."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(STATE, indexed=True, fast=True)
    for name in _IN_A_ROW:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field(WEIGHTS, tokenizer_name="whitespace", index_option="basic")
    builder.add_float_field(PRIOR, fast=True)
    builder.add_unsigned_field(LENGTH, fast=True)
    builder.add_unsigned_field(DIGEST, fast=True)
    builder.add_bytes_field(STORED, stored=True)
    builder.add_bytes_field(PASSAGES, stored=True)
    return builder.build()


def document(outline: Outline, content: Content) -> tantivy.Document:
    """Return a state as Tantivy takes it in."""
    title, headings, labels = words(outline.title), content.headings, outline.labels
    read = [*title]
    made = tantivy.Document()
    made.add_unsigned(STATE, state_key(outline.state))
    made.add_text(TEXT, " ".join(title))
    for _, _, text in content.lines:
        if row := words(text):
            made.add_text(TEXT, " ".join(row))
            read += row
    times, length = Counter(read), len(read)
    made.add_text(TITLE, " ".join(title))
    made.add_text(URL, " ".join(words(outline.url)))
    for word in title:
        times[word] += _TITLE_TIMES
    for name, texts in ((HEADING, headings), (EVENT, labels)):
        for row in map(words, texts):
            made.add_text(name, " ".join(row))
            for word in row:
                if word in times:  # a state is found by what can be read in it
                    times[word] += _OTHER_TIMES
    weights = _weights(length_step(length))
    terms = [f"{word}{weights[n] if n < _MOST else weights[_MOST]}" for word, n in times.items()]
    made.add_text(WEIGHTS, " ".join([ONLY, *terms]))
    tilted = tilted_prior(outline.prior, state_key(outline.state))
    made.add_float(PRIOR, 2.0**tilted - 2.0)  # Tantivy multiplies by log2(2 + value)
    made.add_unsigned(LENGTH, length)
    made.add_unsigned(DIGEST, outline.digest)
    made.add_bytes(STORED, Stored.of(outline, content).packed())
    made.add_bytes(PASSAGES, packed_passages(content))
    return made


def state_key(state: str) -> int:
    """Return the number that a state is known by in an index."""
    return int.from_bytes(blake2b(state.encode(), digest_size=8).digest(), "big")


def tilted_prior(prior: float, key: int) -> float:
    """Return the prior of a state with a trifle added that hardly any other state has.

    So a search for the best few comes back with a few, also where thousands are equally good.
    """
    return prior + _TILT * key / 2**64


def length_step(length: int) -> int:
    """Return the length of a text in steps of a factor of 1.41."""
    return round(2 * math.log2(length + 1))


@cache
def _weights(steps: int) -> list[str]:
    """Return what is put behind a word that occurs so often in a text that is so long."""
    step = [sum(times >= least for least in _TIMES) - 1 for times in range(_MOST + 1)]
    return [f"{ONLY}{each}.{steps}" for each in step]


@cache
def weighed(term: str) -> tuple[int, float]:
    """Return how often a word occurs and how long the text is, from the end of a term."""
    step, _, steps = term.rpartition(ONLY)[2].partition(".")
    return _TIMES[int(step)], 2.0 ** (int(steps) / 2) - 1
