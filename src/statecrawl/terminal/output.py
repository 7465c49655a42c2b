"""Standard output as it may be: closed, full, without a reader, or with few letters."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from rich.console import Console

WIDTH_WITHOUT_TERMINAL = 140


def prepare_output() -> None:
    """Let output be written whatever it is written to; a stream may have been closed."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r+"))  # noqa: SIM115 - while we run
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Write no more: nor does the interpreter, on exit, complain that nobody reads it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def read_by_somebody() -> Iterator[None]:
    """Go on quietly when whoever reads our output has enough of it."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


@contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Give standard output to write bytes to, as long as somebody reads it."""
    with read_by_somebody():
        yield sys.stdout.buffer


class Output(Console):
    """Standard output for tables and the like; wide where it is no terminal."""

    def __init__(self) -> None:
        super().__init__()
        if not self.is_terminal:
            self.width = WIDTH_WITHOUT_TERMINAL

    def on_broken_pipe(self) -> None:
        """Go on quietly."""
        drop_output()
