"""The index of one crawl: a folder that Tantivy keeps, and a file that says what it is of.

It is made of the crawl and can be made again at any time. Changes are there all or not at all; a
new index takes the place of an old one only when it is whole.
"""

import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import tantivy

from statecrawl.errors import InputError
from statecrawl.search.documents import Content, Outline, Stored
from statecrawl.search.schema import (
    DIGEST,
    LENGTH,
    ONLY,
    PASSAGES,
    STATE,
    STORED,
    VERSION,
    WEIGHTS,
    document,
    schema,
    state_key,
)

INDEX = "index"
_ABOUT, _NEW, _OLD, _LOCK = "about.json", ".index.new", ".index.old", ".index.lock"
_HEAP_BYTES = 64_000_000

Read = Callable[[Container[str]], Iterable[tuple[str, Content]]]
"""Reads the pages of some states, in any order."""
Told = Callable[[int, int], None]
"""Told how many states are done, and of how many."""


class Updated(NamedTuple):
    """What bringing an index up to date came to, in states."""

    added: int
    changed: int
    removed: int
    kept: int


class Index:
    """The index of one crawl, as it was when it was opened; to be searched."""

    def __init__(self, crawl: Path, about: dict[str, Any], index: tantivy.Index) -> None:
        self.crawl = crawl
        self.stamp = about["stamp"]
        self.searcher = index.searcher()
        self.schema = index.schema
        self.states = self.searcher.num_docs
        everything = tantivy.Query.all_query()
        summed = self.searcher.aggregate(everything, {LENGTH: {"sum": {"field": LENGTH}}})
        self.length = int(summed[LENGTH]["value"] or 0)
        """Of all texts together, in words."""
        was_changed = self.searcher.doc_freq(WEIGHTS, ONLY) > self.states
        self._alive = everything if was_changed else None

    @classmethod
    def open(cls, crawl: Path) -> "Index | None":
        """Open the index of a crawl; None when there is none, or none that is whole and ours."""
        folder = crawl / INDEX
        about = _about(folder)
        if about is None:
            return None
        with suppress(ValueError, OSError):
            return cls(crawl, about, tantivy.Index.open(str(folder)))
        return None

    def terms(self, beginning: str, field: str = WEIGHTS) -> list[tuple[str, int]]:
        """Return the terms that begin so, and how many documents have each."""
        return self.searcher.terms_with_prefix(field, beginning, self._alive)

    def document(self, address: tantivy.DocAddress) -> tuple[Stored, bytes]:
        """Return what results show of a document beside its text, and the text, still packed."""
        found = self.searcher.doc(address)
        return Stored.unpacked(bytes(found[STORED][0])), bytes(found[PASSAGES][0])

    def stored(self, address: tantivy.DocAddress) -> Stored:
        """Return what results show of a document beside its text."""
        return self.document(address)[0]

    def key(self, address: tantivy.DocAddress) -> int:
        """Return the key of the state that a document is of."""
        return int(self.searcher.fast_field_values(STATE, [address])[0] or 0)

    def find(self, state: str) -> Stored | None:
        """Return the document of a state."""
        query = tantivy.Query.term_query(self.schema, STATE, state_key(state))
        hits = self.searcher.search(query, 1).hits
        return self.stored(hits[0][1]) if hits else None

    def digests(self) -> dict[int, int]:
        """Return the digests of all documents by the keys of their states."""
        if not self.states:
            return {}
        everything = self.searcher.search(tantivy.Query.all_query(), self.states).hits
        addresses = [address for _, address in everything]
        keys = self.searcher.fast_field_values(STATE, addresses)
        digests = self.searcher.fast_field_values(DIGEST, addresses)
        pairs = zip(keys, digests, strict=True)
        return {int(key or 0): int(digest or 0) for key, digest in pairs}


def update_index(
    crawl: Path,
    stamp: object,
    outlines: Iterable[Outline],
    read: Read,
    told: Told,
    earlier: Path | None = None,
) -> Updated:
    """Bring the index of a crawl up to date; what has not changed is left alone.

    The stamp is kept beside the index: whoever opens it sees what it is of. The first index of a
    crawl begins as that of an earlier one in which equal ids are equal pages, if there is one.
    """
    wanted = {outline.state: outline for outline in outlines}
    keys = {state_key(state): state for state in wanted}
    about = {"version": VERSION, "stamp": stamp}
    with _locked(crawl):
        current = Index.open(crawl) or _taken_over(crawl, earlier)
        if current is None:
            return _made(crawl, about, wanted, read, told)
        digests = current.digests()
        gone = digests.keys() - keys.keys()
        changed = {key for key in digests.keys() & keys if digests[key] != wanted[keys[key]].digest}
        fresh = {
            state: wanted[state]
            for key, state in keys.items()
            if key in changed or key not in digests
        }
        folder = crawl / INDEX
        if gone or fresh:
            with _writer(folder) as writer:
                for key in gone | changed:
                    one = tantivy.Query.term_query(schema(), STATE, key)
                    writer.delete_documents_by_query(one)
                _add(writer, fresh, read, told)
        _write_about(folder, about)
        added = len(fresh) - len(changed)
        return Updated(added, len(changed), len(gone), len(wanted) - len(fresh))


def _taken_over(crawl: Path, earlier: Path | None) -> Index | None:
    """Begin with the index of an earlier crawl, if it is whole."""
    if earlier is None or (crawl / INDEX).exists():
        return None
    new = crawl / _NEW
    shutil.rmtree(new, ignore_errors=True)
    with suppress(OSError, InputError):
        if Index.open(earlier) is not None:
            shutil.copytree(earlier / INDEX, new)
            new.rename(crawl / INDEX)
    return Index.open(crawl)


def _made(
    crawl: Path, about: dict[str, Any], wanted: dict[str, Outline], read: Read, told: Told
) -> Updated:
    """Make an index beside the old one, if there is one, and put it in its place."""
    new, old = crawl / _NEW, crawl / _OLD
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir()
    try:
        with _writer(new) as writer:
            _add(writer, wanted, read, told)
        _write_about(new, about)
        if (crawl / INDEX).exists():
            (crawl / INDEX).rename(old)
        new.rename(crawl / INDEX)
    finally:
        for leftover in (new, old):
            shutil.rmtree(leftover, ignore_errors=True)
    return Updated(len(wanted), 0, 0, 0)


@contextmanager
def _writer(folder: Path) -> Iterator[tantivy.IndexWriter]:
    """Give what writes to an index; all that it wrote is there when this is done, or nothing."""
    with _of_tantivy(folder):
        writer = tantivy.Index(schema(), str(folder)).writer(_HEAP_BYTES, 1)
    try:
        yield writer
        with _of_tantivy(folder):
            writer.commit()
    finally:
        writer.wait_merging_threads()


def _add(writer: tantivy.IndexWriter, outlines: dict[str, Outline], read: Read, told: Told) -> None:
    for number, (state, content) in enumerate(read(outlines), 1):
        made = document(outlines[state], content)
        with _of_tantivy(state):
            writer.add_document(made)
        if number % 100 == 0:
            told(number, len(outlines))


@contextmanager
def _of_tantivy(what: object) -> Iterator[None]:
    """Say in one line what Tantivy could not do, such as to write to a full disk."""
    try:
        yield
    except ValueError as error:
        reason = str(error).splitlines()[0][:200]
        raise InputError(f"can't index {str(what)[:200]!r}: {reason}") from error


def _about(folder: Path) -> dict[str, Any] | None:
    """Return what an index is of; None when it is not whole, or of an older version."""
    try:
        about = orjson.loads((folder / _ABOUT).read_bytes())
        version, _ = int(about["version"]), about["stamp"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    if version > VERSION:
        raise InputError(
            f"the index in {str(folder)[:200]!r} was made by a newer statecrawl: update this one, "
            "or remove that folder to have the index made anew"
        )
    return about if version == VERSION else None


def _write_about(folder: Path, about: dict[str, Any]) -> None:
    part = folder / f"{_ABOUT}.{os.getpid()}"
    part.write_bytes(orjson.dumps(about))
    part.rename(folder / _ABOUT)


@contextmanager
def _locked(crawl: Path) -> Iterator[None]:
    """Keep other processes from writing the index, and say in one line what goes wrong."""
    try:
        lock = os.open(crawl / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(lock)
    except BlockingIOError:
        raise InputError(
            f"another process is indexing {str(crawl)[:200]!r}: wait for it, or stop it"
        ) from None
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "make room there" if is_full else "give yourself the right to, or copy the crawl"
        raise InputError(
            f"can't write an index into {str(crawl)[:200]!r}: {error.strerror}: {advice}"
        ) from None
