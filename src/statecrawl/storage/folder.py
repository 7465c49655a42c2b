"""The folder that is a crawl: made all or not at all, written by one process at a time."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

from statecrawl.errors import InputError
from statecrawl.storage.schema import shown

DATABASE = "crawl.db"
POINTER = "crawl.json"
"""In place of the database: which other one holds the crawl."""
_NEW = f"{DATABASE}.new"
_TRIES = 3
_BETWEEN_TRIES_SECONDS = 0.02
_LEFTOVERS = {_NEW, f"{_NEW}-journal"}


@contextmanager
def new_folder(path: Path, name: str = DATABASE) -> Iterator[tuple[int, Path]]:
    """Make a folder for a crawl; yield its lock, and where to write its database, or pointer.

    When what follows fails nothing stays behind; when it succeeds the file is put in place.
    """
    made: list[Path] = []
    try:
        with blaming_folder(path):
            _make(path, made)
            lock = hold(path)
        try:
            with blaming_folder(path):
                _check_empty(path)
                _clear(path)
            yield lock, path / _NEW
            with blaming_folder(path):
                (path / _NEW).rename(path / name)
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
    with blaming_folder(path):
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
    with blaming_folder(path):
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def holds_crawl(path: Path) -> bool:
    """Tell whether a folder is a crawl."""
    return (path / DATABASE).is_file() or has_pointer(path)


def has_pointer(path: Path) -> bool:
    """Tell whether a folder only says where its crawl is."""
    with blaming_folder(path):
        return (path / POINTER).is_file()


def check_existing(path: Path) -> None:
    """Refuse a folder that has no database of a crawl."""
    with blaming_folder(path):
        if not (path / DATABASE).is_file():
            raise InputError(
                f"there is no crawl in {shown(path)}: give a folder that `statecrawl crawl` made"
            )


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
    if found & {DATABASE, POINTER}:
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
def blaming_folder(path: Path) -> Iterator[None]:
    """Turn an error about a folder into one line."""
    try:
        yield
    except OSError as error:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "make room there" if is_full else "give another folder with --out"
        raise InputError(f"can't use {shown(path)}: {error.strerror}: {advice}") from error
    except ValueError as error:  # a null character
        raise InputError(f"can't use {shown(path)}: {error}: give another folder") from error
