"""The folder that is a crawl: made all or not at all, written by one process at a time."""

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

from statecrawl.errors import InputError
from statecrawl.storage.schema import shown

DATABASE = "crawl.db"
SCREENSHOTS = "screenshots"
_NEW = f"{DATABASE}.new"
_TRIES = 3
_BETWEEN_TRIES_SECONDS = 0.02
_LEFTOVERS = {_NEW, f"{_NEW}-journal"}
_STATE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MAGIC = {"png": rb"\x89PNG", "jpg": rb"\xff\xd8\xff", "webp": rb"RIFF....WEBP"}


@contextmanager
def new_folder(path: Path) -> Iterator[tuple[int, Path]]:
    """Make a folder for a crawl; yield its lock, and where to write the database.

    When what follows fails nothing stays behind; when it succeeds the database is put in place.
    """
    made: list[Path] = []
    try:
        with _blaming(path):
            _make(path, made)
            lock = hold(path)
        try:
            with _blaming(path):
                _check_empty(path)
                _clear(path)
            yield lock, path / _NEW
            with _blaming(path):
                (path / _NEW).rename(path / DATABASE)
        except BaseException:
            _clear(path)
            os.close(lock)
            raise
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def check_free(path: Path) -> None:
    """Say at once if no new crawl can be made here, as far as one look tells."""
    with _blaming(path):
        if path.exists():
            _check_is_folder(path)
            _check_empty(path)


def hold(path: Path) -> int:
    """Take the lock of a folder, which is on the folder itself: a dead process holds none."""
    lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for _ in range(_TRIES):  # somebody may only be looking whether it is held
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            sleep(_BETWEEN_TRIES_SECONDS)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise InputError(
            f"another process is writing the crawl in {shown(path)}: wait for it, or stop it"
        ) from None
    except BaseException:
        os.close(lock)
        raise
    return lock


def is_held(path: Path) -> bool:
    """Tell whether some process has the lock of a folder."""
    with _blaming(path):
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def existing(path: Path) -> Path:
    """Return where the database of a crawl is."""
    with _blaming(path):
        if not (path / DATABASE).is_file():
            raise InputError(
                f"there is no crawl in {shown(path)}: give a folder that `statecrawl crawl` made"
            )
    return path / DATABASE


def _make(path: Path, made: list[Path]) -> None:
    """Make a folder and those above it, and note which."""
    for folder in (*reversed(path.absolute().parents), path.absolute()):
        if not folder.exists():
            folder.mkdir()
            made.append(folder)
    _check_is_folder(path)


def _check_is_folder(path: Path) -> None:
    if not path.is_dir():
        raise InputError(f"{shown(path)} is a file: give another folder with --out")


def _check_empty(path: Path) -> None:
    found = {entry.name for entry in path.iterdir()} - _LEFTOVERS
    if DATABASE in found:
        raise InputError(
            f"there is a crawl in {shown(path)}: "
            "go on with it with --resume, or give another folder with --out"
        )
    if found:
        raise InputError(
            f"{shown(path)} has other things in it: give an empty or a new folder with --out"
        )


def _clear(path: Path) -> None:
    """Remove what a process that died while making a crawl left behind."""
    for name in _LEFTOVERS:
        (path / name).unlink(missing_ok=True)


@contextmanager
def _blaming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "make room there" if is_full else "give another folder with --out"
        raise InputError(f"can't use {shown(path)}: {error.strerror}: {advice}") from error
    except ValueError as error:  # a null character
        raise InputError(f"can't use {shown(path)}: {error}: give another folder") from error


class Screenshots:
    """The pictures of states, a file each; no id leads out of the folder."""

    def __init__(self, path: Path) -> None:
        self._folder = path / SCREENSHOTS

    def save(self, state: str, data: bytes) -> None:
        """Keep a picture; whoever looks sees the old one or the new one, whole."""
        if not _STATE.fullmatch(state):
            raise ValueError(f"not the id of a state: {state[:80]!r}")
        kind = next((k for k, magic in _MAGIC.items() if re.match(magic, data, re.DOTALL)), None)
        if kind is None:
            raise ValueError("not a picture in PNG, JPEG or WebP")
        part = self._folder / f".{state}.{os.getpid()}"
        with _blaming(self._folder):
            self._folder.mkdir(exist_ok=True)
            try:
                part.write_bytes(data)
                part.rename(self._folder / f"{state}.{kind}")
            except BaseException:
                part.unlink(missing_ok=True)
                raise

    def find(self, state: str) -> Path | None:
        """Return the file with the picture of a state."""
        if not _STATE.fullmatch(state):
            return None
        files = (self._folder / f"{state}.{kind}" for kind in _MAGIC)
        return next((file for file in files if file.is_file()), None)
