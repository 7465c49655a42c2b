"""A crawl in a database with its pictures, whichever database that is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from statecrawl.core.classes import Decision
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.exchange import Exchange
from statecrawl.core.facts import Fact
from statecrawl.core.findings import Sighting
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Trail, Walk
from statecrawl.core.regions import Cut
from statecrawl.core.resemblance import Features
from statecrawl.core.snapshot import Call, Snapshot
from statecrawl.core.wish import Wish
from statecrawl.storage.database import Database
from statecrawl.storage.names import Names
from statecrawl.storage.pictures import Pictures
from statecrawl.storage.reading import Reader
from statecrawl.storage.responses import recorded
from statecrawl.storage.shelf import FileShelf
from statecrawl.storage.writing import Writer


class SqlStore(ABC):
    """The store of one crawl, for one process that writes, or one of many that read.

    The folder is where people find the crawl; a subclass knows where its database is.
    """

    def __init__(
        self, folder: Path, database: Database, pictures: Pictures, *, is_writer: bool
    ) -> None:
        self.folder = folder
        self._database = database
        self._pictures = pictures
        self._reader = Reader(database)
        try:
            with database.reading():
                self._writer = Writer(database, partial(FileShelf, folder)) if is_writer else None
        except BaseException:
            database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the crawl, so that others may write to it."""
        self._database.close()

    @property
    def about(self) -> dict[str, Any]:
        """The crawl's settings."""
        return self._reader.about()

    @property
    def counts(self) -> Counts:
        """How much the crawl has done so far."""
        return self._reader.counts()

    @property
    def masks(self) -> Masks:
        """What is left out of identity."""
        return self._reader.masks()

    @property
    def wish(self) -> Wish:
        """What somebody who looks on wants the crawl to do."""
        return self._reader.wish()

    @property
    @abstractmethod
    def opener(self) -> Callable[[], "SqlStore"]:
        """What opens this crawl for writing in another process, once it is closed here."""

    @abstractmethod
    def ask(self, wish: Wish) -> None:
        """Want something of the crawl; no lock is needed for that."""

    @property
    @abstractmethod
    def has_writer(self) -> bool:
        """Tell whether the crawl is running: some process may write to it now."""

    @property
    def cut(self) -> Cut:
        """Where pages are divided into regions."""
        return self._reader.cut()

    def note(self, about: Mapping[str, Any]) -> None:
        """Set some of the crawl's settings."""
        self._writing.note(about)

    def append(
        self,
        facts: Sequence[Fact],
        counts: Counts,
        calls: Sequence[tuple[str, Call]] = (),
        sightings: Sequence[Sighting] = (),
        walk: Walk | None = None,
    ) -> None:
        """Record what a plan taught, all or nothing."""
        self._writing.append(facts, counts, calls, sightings, walk)

    def rekey(self, masks: Masks, aliases: Mapping[str, str]) -> None:
        """Take other masks, and the ids that states have under them (old -> new)."""
        self._writing.rekey(masks, aliases)

    def divide(self, cut: Cut, regions: Mapping[str, Mapping[str, str]]) -> None:
        """Take another cut, and what the regions of all states show under it."""
        self._writing.divide(cut, regions)

    def decide(
        self, equivalence: str, resemblance: str, decided: Sequence[tuple[Decision, Features]]
    ) -> None:
        """Keep decisions about pages, and the features that they were made by."""
        self._writing.decide(equivalence, resemblance, decided)

    def keep_features(self, resemblance: str, features: Mapping[str, Features]) -> None:
        """Keep features of pages."""
        self._writing.keep_features(resemblance, features)

    def features(self, resemblance: str) -> dict[str, Features]:
        """Return all features of pages that were kept for a resemblance."""
        return self._reader.features(resemblance)

    def decisions(self, equivalence: str) -> list[Decision]:
        """Return all decisions made by an equivalence, in order."""
        return self._reader.decisions(equivalence)

    def facts(self) -> Iterator[Fact]:
        """Yield everything learned, in order, for `Crawl.recall`."""
        return self._reader.facts()

    def crawled(self) -> Crawled:
        """Return the crawl as it is at this moment."""
        return self._reader.crawled()

    def snapshot(self, state: str) -> Snapshot | None:
        """Return the page of a state with its content; ids of the past will do."""
        number = self._names.find(state)
        return None if number is None else self._reader.snapshot(number)

    def exchanges(self) -> Iterator[Exchange]:
        """Yield every distinct response that was recorded, in order."""
        return recorded(self.folder)

    def trail(self, state: str) -> Trail | None:
        """Return all that was done before a state was found."""
        number = self._names.find(state)
        return None if number is None else self._reader.trail(number)

    def doms(self, only: Container[str] | None = None) -> Iterator[tuple[str, Snapshot]]:
        """Yield every state, or only some of them, and its page with its content."""
        known = self._names.states()
        states = {state: number for state, number in known if only is None or state in only}
        yield from zip(states, self._reader.snapshots(list(states.values())), strict=True)

    def save_screenshot(self, state: str, data: bytes) -> None:
        """Keep a picture (PNG, JPEG or WebP) of a state."""
        self._pictures.save(state, data)

    def has_screenshot(self, state: str) -> bool:
        """Tell whether there is a picture of a state."""
        return any(self._pictures.has(name) for name in self._ids(state))

    def screenshot(self, state: str) -> bytes | None:
        """Return the picture of a state."""
        pictures = (self._pictures.read(name) for name in self._ids(state))
        return next((picture for picture in pictures if picture is not None), None)

    def _ids(self, state: str) -> Iterator[str]:
        """Yield every id that a state may have had when its picture was taken."""
        yield state
        names = self._names
        number = names.find(state)
        yield from names.of(number) if number else ()

    @property
    def _names(self) -> Names:
        return self._reader.names() if self._writer is None else self._writer.names

    @property
    def _writing(self) -> Writer:
        if self._writer is None:
            raise ValueError("the crawl was opened only to be read")
        return self._writer
