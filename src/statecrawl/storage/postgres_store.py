"""The store of a crawl in PostgreSQL. Its folder only says where that is."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Self

from statecrawl.core.counts import Counts
from statecrawl.core.wish import Wish
from statecrawl.errors import InputError
from statecrawl.storage import folder as folders
from statecrawl.storage.pictures import PictureRows
from statecrawl.storage.postgres import Place, PostgresDatabase, schema_name
from statecrawl.storage.schema import shown
from statecrawl.storage.store import SqlStore
from statecrawl.storage.writing import WISH, write_about, write_counts

MAX_POINTER_BYTES = 10_000


class PostgresStore(SqlStore):
    """The store of one crawl; made by `create` or `open`.

    Any number of machines may read while one process writes.
    """

    def __init__(self, folder: Path, place: Place, *, read_only: bool) -> None:
        self.place = place
        self._is_writer = not read_only
        self._server = PostgresDatabase(place.dsn)
        try:
            self._server.use(place.schema)
            if not read_only:
                self._server.hold()
        except BaseException:
            self._server.close()
            raise
        super().__init__(folder, self._server, PictureRows(self._server), is_writer=not read_only)

    @classmethod
    def create(cls, folder: Path, about: Mapping[str, Any], dsn: str) -> Self:
        """Make a new crawl in a database, and a folder that says where it is."""
        with (
            closing(PostgresDatabase(dsn)) as database,
            folders.new_folder(folder, folders.POINTER) as (lock, pointer),
            database.blaming(),
            database.writing(),
        ):
            place = Place(dsn, database.make(schema_name(folder.name)))
            write_about(database, about)
            write_counts(database, Counts())
            pointer.touch(mode=0o600)  # the address may have a password in it
            pointer.write_text(json.dumps(place._asdict()), encoding="ascii")
        os.close(lock)
        return cls(folder, place, read_only=False)

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Self:
        """Open the crawl that a folder points to."""
        return cls(folder, read_pointer(folder), read_only=read_only)

    @property
    def opener(self) -> Callable[[], SqlStore]:
        """What opens this crawl for writing in another process, of any machine."""
        return partial(PostgresStore, self.folder.absolute(), self.place, read_only=False)

    def ask(self, wish: Wish) -> None:
        """Want something of the crawl; no lock is needed for that."""
        with closing(PostgresDatabase(self.place.dsn)) as database, database.blaming():
            database.use(self.place.schema)
            write_about(database, {WISH: wish})

    @property
    def has_writer(self) -> bool:
        """Tell whether the crawl is running: some process may write to it now."""
        return self._is_writer or self._server.is_held()


def read_pointer(folder: Path) -> Place:
    """Return where the crawl of a folder is."""
    file = folder / folders.POINTER
    try:
        with file.open(encoding="ascii") as stream:
            said = json.loads(stream.read(MAX_POINTER_BYTES))
        return Place(str(said["dsn"]), str(said["schema"]))
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise InputError(
            f"can't use {shown(file)}: it does not say where the crawl is: restore it"
        ) from error
