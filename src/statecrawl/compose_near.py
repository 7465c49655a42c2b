"""Near-duplicates: the classes of a stored crawl, and two pages compared."""

from collections.abc import Mapping
from pathlib import Path

from statecrawl.core.classes import Classes, classes
from statecrawl.core.html import read_html
from statecrawl.core.ports import Store
from statecrawl.core.resemblance import Features, NearEquivalence, Page, Resemblance
from statecrawl.errors import InputError

MAX_PAGE_BYTES = 64 * 2**20


def features_of(store: Store, resemblance: Resemblance) -> Mapping[str, Features]:
    """Return the features of every state of a crawl, in the order of discovery."""
    masks = store.masks
    return {
        state: resemblance.features(Page.of(snapshot, masks)) for state, snapshot in store.doms()
    }


def classes_of(store: Store, equivalence: NearEquivalence) -> Classes:
    """Return the near-duplicate classes of the states of a crawl."""
    return classes(equivalence, features_of(store, equivalence.resemblance))


def read_page(file: Path) -> Page:
    """Return the page in an HTML file, whatever its encoding."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_PAGE_BYTES + 1)
    except OSError as error:
        raise InputError(f"can't read {str(file)[:200]!r}: {error.strerror}") from None
    if len(raw) > MAX_PAGE_BYTES:
        raise InputError(f"{str(file)[:200]!r} has more than {MAX_PAGE_BYTES >> 20} MB")
    return Page(read_html(raw.decode("utf-8", "replace")))
