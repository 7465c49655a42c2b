"""A shelf on disk."""

import os
from pathlib import Path
from tempfile import TemporaryFile
from weakref import finalize

from statecrawl.storage.folder import blaming_folder


class FileShelf:
    """A shelf that is a file without a name, in a folder: it goes with us, however we end.

    There is no file until something is put there, so whoever has little to keep makes none.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = -1
        self._length = 0

    def put(self, data: bytes) -> int:
        """Take bytes, and return at which place they are."""
        if self._file < 0:
            self._open()
        at = self._length
        self.replace(at, data)
        self._length += len(data)
        return at

    def replace(self, at: int, data: bytes) -> None:
        """Take other bytes at a place where there were so many."""
        try:
            written = 0
            while written < len(data):  # a disk that gets full takes the first of them
                written += os.pwrite(self._file, data[written:], at + written)
        except OSError:
            with blaming_folder(self._folder):
                raise

    def get(self, at: int, size: int) -> bytes:
        """Return so many bytes that are at a place."""
        try:
            return os.pread(self._file, size, at)
        except OSError:
            with blaming_folder(self._folder):
                raise

    def _open(self) -> None:
        with blaming_folder(self._folder):
            file = TemporaryFile(dir=self._folder, buffering=0)  # noqa: SIM115 - it goes with us
        finalize(self, file.close)
        self._file = file.fileno()
