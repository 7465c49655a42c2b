"""A crawl in a folder: an SQLite database and pictures."""

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing
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
from statecrawl.storage import folder as folders
from statecrawl.storage.names import Names
from statecrawl.storage.reading import Reader
from statecrawl.storage.responses import recorded
from statecrawl.storage.schema import blaming, connect, making, reading
from statecrawl.storage.writing import WISH, Writer, write_about, write_counts


class SqliteStore:
    """The store of one crawl; made by `create` or `open`.

    Any number of processes may read while one writes.
    """

    def __init__(self, folder: Path, lock: int | None) -> None:
        database = folder / folders.DATABASE
        self.folder = folder
        self._lock = lock
        self._connection = connect(database, read_only=lock is None)
        self._screenshots = folders.Screenshots(folder)
        self._reader = Reader(self._connection, database)
        try:
            with reading(database):
                self._writer = None if lock is None else Writer(self._connection, database)
        except BaseException:
            self._connection.close()
            raise

    @staticmethod
    def check_free(folder: Path) -> None:
        """Say at once if `create` would not take this folder."""
        folders.check_free(folder)

    @classmethod
    def create(cls, folder: Path, about: Mapping[str, Any]) -> Self:
        """Make a new crawl in a folder that is empty or not there yet."""
        with folders.new_folder(folder) as (lock, database), making(database) as connection:
            write_about(connection, about)
            write_counts(connection, Counts())
        return cls._holding(folder, lock)

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Self:
        """Open the crawl in a folder."""
        folders.existing(folder)
        return cls(folder, None) if read_only else cls._holding(folder, folders.hold(folder))

    @classmethod
    def _holding(cls, folder: Path, lock: int) -> Self:
        try:
            return cls(folder, lock)
        except BaseException:
            os.close(lock)
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
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

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

    def ask(self, wish: Wish) -> None:
        """Want something of the crawl; no lock is needed for that."""
        database = self.folder / folders.DATABASE
        with closing(connect(database, read_only=False)) as connection, blaming(database):
            write_about(connection, {WISH: wish})

    @property
    def has_writer(self) -> bool:
        """Tell whether the crawl is running: some process may write to it now."""
        return self._lock is not None or folders.is_held(self.folder)

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
        self._screenshots.save(state, data)

    def has_screenshot(self, state: str) -> bool:
        """Tell whether there is a picture of a state."""
        return self._picture(state) is not None

    def screenshot(self, state: str) -> bytes | None:
        """Return the picture of a state."""
        file = self._picture(state)
        return file.read_bytes() if file else None

    def _picture(self, state: str) -> Path | None:
        """Return the file with the picture of a state, whichever id it had then."""
        file = self._screenshots.find(state)
        if file is not None:
            return file
        names = self._names
        number = names.find(state)
        former = names.of(number) if number else []
        return next((file for name in former if (file := self._screenshots.find(name))), None)

    @property
    def _names(self) -> Names:
        return self._reader.names() if self._writer is None else self._writer.names

    @property
    def _writing(self) -> Writer:
        if self._writer is None:
            raise ValueError("the crawl was opened only to be read")
        return self._writer
