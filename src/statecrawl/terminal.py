"""What people see on a terminal: tables on standard output, progress on standard error."""

import sys
from time import monotonic
from types import TracebackType
from typing import Self

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from statecrawl.core.session import Crawl
from statecrawl.simulation.result import QUARTILES, Result

QUIET_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0
WIDTH_WITHOUT_TERMINAL = 140


def say(message: str) -> None:
    """Tell the user one line, beside the output."""
    sys.stderr.write(f"statecrawl: {message}\n")


class Progress:
    """Shows how far something has come, once it has taken two seconds.

    On a terminal a line that moves, elsewhere a line every ten seconds.
    """

    def __init__(self, task: str) -> None:
        self._task = task
        self._console = Console(stderr=True)
        self._live: Live | None = None
        self._started = self._said = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, crawl: Crawl) -> None:
        """Show where a crawl is, if it is time to."""
        now = monotonic()
        if now - self._started < QUIET_SECONDS:
            return
        line = (
            f"{self._task}: {crawl.model.state_count:,} states, "
            f"{crawl.frontier.total:,} transitions known to be left, "
            f"{crawl.events:,} events, {crawl.resets:,} resets, {now - self._started:.0f} s"
        )
        if self._console.is_terminal:
            if self._live is None:
                self._live = Live(console=self._console, transient=True)
                self._live.start()
            self._live.update(Spinner("dots", Text(line)))
        elif now - self._said >= LINE_EVERY_SECONDS:
            self._said = now
            say(line)


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table; numbers stand at the right."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        numeric = bool(rows) and rows[0][number][:1].isdigit()
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def print_results(results: list[Result]) -> None:
    """Print what each strategy cost, cheapest to all states first."""
    first = results[0]
    model, best = first.crawl.model, first.optimum
    print_table(
        f"{first.model}: {model.state_count:,} states, {model.transition_count:,} transitions, "
        f"a reset costs {_number(first.crawl.reset_cost)}\n"
        "cost at which states were found, and of the whole crawl",
        [
            *("strategy", "first", *(f"{percent} %" for percent in QUARTILES), "/ optimum"),
            *("events", "resets", "cost", "/ optimum", "seconds"),
        ],
        [
            [
                result.strategy,
                *(_number(result.cost_of_states(percent)) for percent in (0, *QUARTILES)),
                "-" if best is None else f"{result.cost_of_states(100) / best.to_all_states:.2f}",
                _number(result.crawl.events),
                _number(result.crawl.resets),
                _number(result.cost),
                "-" if best is None else f"{result.cost / best.to_end:.2f}",
                f"{result.seconds:.2f}",
            ]
            for result in sorted(results, key=lambda result: result.cost_of_states(100))
        ],
    )
    if best is not None:
        print(  # noqa: T201 - this is the output
            f"optimum: {_number(best.to_all_states)} to all states "
            f"({best.kind.replace('_', ' ')}), {_number(best.to_end)} to the end"
        )
    for result in results:
        for what, count in (
            ("events nondeterministic", len(result.crawl.nondeterministic)),
            ("events given up", len(result.crawl.given_up)),
            ("events could not be fired", len(result.crawl.model.refused)),
        ):
            if count:
                print(f"{result.strategy}: {count:,} {what}")  # noqa: T201 - likewise


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"
