"""The pictures of states, in files or wherever a database has them."""

import os
import re
from pathlib import Path
from typing import Protocol

from statecrawl.storage.database import Database
from statecrawl.storage.folder import blaming_folder

SCREENSHOTS = "screenshots"
_STATE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAGIC = {"png": rb"\x89PNG", "jpg": rb"\xff\xd8\xff", "webp": rb"RIFF....WEBP"}


class Pictures(Protocol):
    """Pictures by the ids of states."""

    def save(self, state: str, data: bytes) -> None:
        """Keep a picture; whoever looks sees the old one or the new one, whole."""
        ...

    def has(self, state: str) -> bool:
        """Tell whether there is a picture with an id."""
        ...

    def read(self, state: str) -> bytes | None:
        """Return the picture with an id."""
        ...


def _checked_kind(state: str, data: bytes) -> str:
    """Return what kind of picture this is, if it is one, and its name that of a state."""
    if not _STATE.fullmatch(state):
        raise ValueError(f"not the id of a state: {state[:80]!r}")
    kind = next((k for k, magic in _MAGIC.items() if re.match(magic, data, re.DOTALL)), None)
    if kind is None:
        raise ValueError("not a picture in PNG, JPEG or WebP")
    return kind


class PictureFiles:
    """A file each; no id leads out of the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / SCREENSHOTS

    def save(self, state: str, data: bytes) -> None:
        """Keep a picture; whoever looks sees the old one or the new one, whole."""
        kind = _checked_kind(state, data)
        part = self._folder / f".{state}.{os.getpid()}"
        with blaming_folder(self._folder):
            self._folder.mkdir(exist_ok=True)
            try:
                part.write_bytes(data)
                part.rename(self._folder / f"{state}.{kind}")
            except BaseException:
                part.unlink(missing_ok=True)
                raise

    def has(self, state: str) -> bool:
        """Tell whether there is a picture with an id."""
        return self._find(state) is not None

    def read(self, state: str) -> bytes | None:
        """Return the picture with an id."""
        file = self._find(state)
        return file.read_bytes() if file else None

    def _find(self, state: str) -> Path | None:
        if not _STATE.fullmatch(state):
            return None
        files = (self._folder / f"{state}.{kind}" for kind in _MAGIC)
        return next((file for file in files if file.is_file()), None)


class PictureRows:
    """A row each, in the table `pictures` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, state: str, data: bytes) -> None:
        """Keep a picture; whoever looks sees the old one or the new one, whole."""
        _checked_kind(state, data)
        with self._database.blaming():
            self._database.execute(
                "INSERT INTO pictures (state, data) VALUES (?, ?) "
                "ON CONFLICT (state) DO UPDATE SET data = excluded.data",
                (state, data),
            )

    def has(self, state: str) -> bool:
        """Tell whether there is a picture with an id."""
        return self._row("1", state) is not None

    def read(self, state: str) -> bytes | None:
        """Return the picture with an id."""
        row = self._row("data", state)
        return bytes(row[0]) if row else None

    def _row(self, column: str, state: str) -> tuple[bytes] | None:
        if not _STATE.fullmatch(state):
            return None
        select = f"SELECT {column} FROM pictures WHERE state = ?"  # noqa: S608 - words of ours
        with self._database.reading():
            row: tuple[bytes] | None = self._database.execute(select, (state,)).fetchone()
            return row
