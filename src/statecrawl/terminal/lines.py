"""Lines and tables; what pages wrote in them can't write on the terminal."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from statecrawl.terminal.output import Output, read_by_somebody


def say(message: str) -> None:
    """Tell the user one line, beside the output; pages may have written parts of it."""
    with suppress(BrokenPipeError):  # nobody has to listen
        sys.stderr.write(f"statecrawl: {plain(message)}\n")


def warn(message: str) -> None:
    """Tell the user what to know before believing in a crawl."""
    say(f"warning: {message}")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; pages may have written parts of them."""
    with read_by_somebody():
        for line in lines:
            print(plain(line))  # noqa: T201 - this is the output


Marks = Sequence[tuple[int, int]]
"""Places in a line, from where to where."""


def print_marked(lines: Iterable[tuple[str, Marks]]) -> None:
    """Print lines with some places in bold, where that can be shown."""
    console = Output()
    for line, marks in lines:
        text = Text(plain(line))
        for start, end in marks:
            text.stylize("bold", start, end)
        console.print(text, highlight=False, soft_wrap=True)


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table; numbers stand at the right."""
    heading = Text(plain(title))
    table = Table(title=heading, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        numeric = bool(rows) and rows[0][number][:1].isdigit()
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    Output().print(table)


def number(value: float) -> str:
    """Return a number as people write it."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def plain(line: str) -> str:
    """Return a line without control characters: pages may try to write on the terminal."""
    return "".join(character if character.isprintable() else "?" for character in line)
