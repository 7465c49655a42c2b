"""The page as a folder of files that opens from disk, without a server.

There a page can load neither modules nor data: what it needs are classic scripts, each of which
hands one text over, packed JSON or a picture. Nothing of the crawl is written as it was.
"""

import gzip
from base64 import b64encode
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from statecrawl.core.crawled import Crawled, CrawledState
from statecrawl.core.merging import MergeTable
from statecrawl.core.ports import Store
from statecrawl.errors import InputError
from statecrawl.web.desk import encoded
from statecrawl.web.documents import Document, crawl_document, merging_document, state_document
from statecrawl.web.pictures import media_type, thumbnail
from statecrawl.web.shell import BUNDLE, FROM_DISK, bundled, shell

STATES_IN_A_FILE = 40
INDEX = "index.html"
DATA = "data"

Told = Callable[[int, int], None]
"""Told how many states are done, and of how many."""


class Older(NamedTuple):
    """An older crawl of the same application, and what differs from it."""

    store: Store
    comparison: Document


def write_report(
    store: Store,
    crawled: Crawled,
    merges: MergeTable,
    folder: Path,
    told: Told,
    older: Older | None = None,
) -> Path:
    """Write the page over a crawl into a folder; return the file to open."""
    try:
        _check_free(folder)
        (folder / DATA).mkdir(parents=True, exist_ok=True)
        for name in BUNDLE:
            (folder / name).write_bytes(bundled(name))
        compared = [] if older is None else _compared(older)
        contents = _contents(store, crawled, told, has_before=older is not None)
        merging = [("merging", _packed(merging_document(merges)))]
        for name, content in chain(contents, merging, compared):
            script = f'statecrawlData("{name}","{content}");\n'
            (folder / DATA / f"{name}.js").write_text(script, "ascii")
        index = folder / INDEX
        index.write_text(shell(policy=FROM_DISK, chunk=STATES_IN_A_FILE), "utf-8")
    except OSError as error:
        raise InputError(f"can't write the report to {str(folder)!r}: {error.strerror}") from None
    return index


def _check_free(folder: Path) -> None:
    """Refuse a folder that has anything in it but an earlier report."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / DATA / "crawl.js").is_file():
        raise InputError(
            f"{str(folder)!r} has other things in it: give a new folder, or that of an old report"
        )


def _contents(
    store: Store, crawled: Crawled, told: Told, *, has_before: bool
) -> Iterator[tuple[str, str]]:
    """Yield every piece of data by its name."""
    document = crawl_document(crawled, store.has_screenshot, has_before=has_before)
    yield "crawl", _packed(document)
    done = 0
    for number, states in enumerate(_batches(crawled)):
        yield f"states-{number}", _packed(list(_documents(store, crawled, states)))
        small = []
        for state in states:
            picture = store.screenshot(state.id)
            if picture is not None:
                yield f"picture-{state.id}", _as_url(picture)
                small.append(f"{state.id} {_as_url(thumbnail(picture))}")
        yield f"thumbnails-{number}", "\\n".join(small)
        done += len(states)
        told(done, len(crawled.states))


def _compared(older: Older) -> Iterator[tuple[str, str]]:
    """Yield what differs from an older crawl, and its pictures of what vanished or changed."""
    yield "comparison", _packed(older.comparison)
    for state in older.comparison["pictures"]:
        picture = older.store.screenshot(state)
        if picture is not None:
            yield f"before-{state}", _as_url(thumbnail(picture))


def _batches(crawled: Crawled) -> Iterator[list[CrawledState]]:
    states = list(crawled.states.values())
    for start in range(0, len(states), STATES_IN_A_FILE):
        yield states[start : start + STATES_IN_A_FILE]


def _documents(store: Store, crawled: Crawled, states: list[CrawledState]) -> Iterator[Document]:
    for state in states:
        page = store.snapshot(state.id)
        if page is not None:
            yield state_document(crawled, state, page)


def _packed(document: object) -> str:
    return b64encode(gzip.compress(encoded(document), 6, mtime=0)).decode("ascii")


def _as_url(picture: bytes) -> str:
    return f"data:{media_type(picture)};base64,{b64encode(picture).decode('ascii')}"
