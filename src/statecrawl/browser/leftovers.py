"""Folders for a while: they go when they are done with, and after a kill with the next start."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

PREFIX = "statecrawl-temporary-"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder; a lock on it tells others that it is in use."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = _lock(folder, fcntl.LOCK_EX)
        if lock is not None and folder.is_dir():
            break  # and not swept away before it was locked
    try:
        yield folder
    finally:
        for _ in range(2):  # a process that was just killed may have been writing
            shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep() -> None:
    """Remove the folders whose owner was killed, and end the browsers that work in them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        lock = _lock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if lock is not None:
            _kill_users_of(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _lock(folder: Path, how: int) -> int | None:
    """Lock a folder for as long as the descriptor is open; None when somebody else has it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _kill_users_of(folder: Path) -> None:
    flag = f"--user-data-dir={folder}"
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if flag in process.cmdline():
                process.kill()
