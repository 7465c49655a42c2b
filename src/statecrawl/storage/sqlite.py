"""A crawl in a folder: an SQLite database and pictures."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Self

from statecrawl.core.counts import Counts
from statecrawl.core.wish import Wish
from statecrawl.storage import folder as folders
from statecrawl.storage.pictures import PictureFiles
from statecrawl.storage.schema import connect, making
from statecrawl.storage.store import SqlStore
from statecrawl.storage.writing import WISH, write_about, write_counts


class SqliteStore(SqlStore):
    """The store of one crawl; made by `create` or `open`.

    Any number of processes may read while one writes.
    """

    def __init__(self, folder: Path, lock: int | None) -> None:
        self._file = folder / folders.DATABASE
        self._lock = lock
        database = connect(self._file, read_only=lock is None)
        super().__init__(folder, database, PictureFiles(folder), is_writer=lock is not None)

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
        folders.check_existing(folder)
        return cls(folder, None) if read_only else cls._holding(folder, folders.hold(folder))

    @classmethod
    def _holding(cls, folder: Path, lock: int) -> Self:
        try:
            return cls(folder, lock)
        except BaseException:
            os.close(lock)
            raise

    def close(self) -> None:
        """Let go of the crawl, so that others may write to it."""
        super().close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @property
    def opener(self) -> Callable[[], SqlStore]:
        """What opens this crawl for writing in another process of this machine."""
        return partial(SqliteStore.open, self.folder.absolute())

    def ask(self, wish: Wish) -> None:
        """Want something of the crawl; no lock is needed for that."""
        with closing(connect(self._file, read_only=False)) as database, database.blaming():
            write_about(database, {WISH: wish})

    @property
    def has_writer(self) -> bool:
        """Tell whether the crawl is running: some process may write to it now."""
        return self._lock is not None or folders.is_held(self.folder)
