"""`statecrawl calibrate`: which equivalence and which threshold are best, by labelled pages."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.families import Cell
from statecrawl.calibration.grids import GRIDS, cells
from statecrawl.calibration.measuring import Bench, Load, measured
from statecrawl.calibration.metrics import METRICS
from statecrawl.calibration.processors import PROCESSORS
from statecrawl.calibration.ranking import Row, best_by_equivalence, rank, ranked
from statecrawl.calibration.searching import SEARCHES
from statecrawl.calibration.spaces import SPACES
from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.cli.default_command import DefaultCommandGroup
from statecrawl.compose.calibration import LabelledSets
from statecrawl.errors import InputError
from statecrawl.terminal.lines import print_table, say
from statecrawl.terminal.progress import Progress

SHOWN = 20
SEED = 1
_SEARCHES = ", ".join(SEARCHES)
COLUMNS = ("f1", "precision", "recall", "missed_states", "duplicate_states", "state_f1", "seconds")

calibrate = typer.Typer(
    cls=DefaultCommandGroup,
    no_args_is_help=True,
    help="Find the best equivalence and threshold by pages that people labelled.",
)
app.add_typer(calibrate, name="calibrate")


@calibrate.command("sets")
def sets_command(
    sets: Annotated[
        list[Path],
        typer.Argument(
            metavar="SET...",
            help="Labelled sets: crawls with labels, or folders in the PetClinic layout.",
        ),
    ],
    grid: Annotated[str, typer.Option(metavar="NAME", help=f"{', '.join(GRIDS)}.")] = "defaults",
    equivalence: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME[:...]", help="One more to measure; again for more."),
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="METRIC", help=f"What best means: {', '.join(METRICS)}.")
    ] = "f1",
    output: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where tables and pictures go."),
    ] = None,
    processes: Annotated[
        int, typer.Option(metavar="N", help="Processes side by side; 0: one for each core.")
    ] = 0,
    search: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Look for the best of the grid without all of it: {_SEARCHES}."
        ),
    ] = "",
    evaluations: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How many equivalences a search measures, each at every threshold; "
            "0: a tenth of the grid.",
        ),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Measure equivalences at every threshold on labelled sets, best first.

    With several sets, each of another application, it also says what the choice is worth: it is
    made without each application in turn, and measured there.
    """
    if by not in METRICS:
        raise InputError(f"--by {by[:40]!r}: give one of {', '.join(METRICS)}")
    if not 0 <= processes <= 256:
        raise InputError(f"--processes {processes}: give a number from 0 to 256")
    chosen = cells(grid, equivalence or ())
    load = LabelledSets(tuple(sets))
    if search:
        _show_search(_searched(load, search, grid, evaluations, by), as_json)
        return
    with Progress("calibrate") as progress:
        read = load()
        results = measured(
            load,
            read,
            chosen,
            processes or os.cpu_count() or 1,
            lambda done, of: progress.tell(f"{done:,} of {of:,} measured"),
        )
        found = Calibration(read, results, grid, by)
        files = _process(found, output)
    for file in files:
        say(f"wrote {file}")
    if as_json:
        print_json([_told(row) for row in found.rows])
    else:
        _show(found)


def _searched(load: Load, search: str, grid: str, evaluations: int, by: str) -> list[Row]:
    """Return what a search measured, best first."""
    if search not in SEARCHES or grid not in SPACES:
        raise InputError(f"--search: give one of {_SEARCHES}, and --grid {' or '.join(SPACES)}")
    space = SPACES[grid]
    most = len(space.cells)
    if not 0 <= evaluations <= most:
        raise InputError(f"--evaluations {evaluations}: give a number from 0 to {most}")
    rows: list[Row] = []
    with Progress(f"{search} search") as progress:
        bench = Bench(load())

        def loss(cell: Cell) -> float:
            rows.append(ranked(bench.all_results(cell), by)[0])
            progress.tell(f"{len(rows):,} measured")
            return rank(rows[-1], by)[0]

        SEARCHES[search](space, loss, evaluations or most // 10, SEED)
    return sorted(rows, key=lambda row: rank(row, by))


def _show_search(rows: list[Row], as_json: bool) -> None:
    if as_json:
        print_json([_told(row) for row in rows])
        return
    print_table(
        f"{len(rows):,} measured, the best of them",
        ["equivalence", "threshold", *COLUMNS],
        [[row.equivalence, f"{row.threshold:g}", *_cells(row.figures)] for row in rows[:SHOWN]],
    )


def _process(found: Calibration, output: Path | None) -> list[Path]:
    if output is None:
        return []
    try:
        output.mkdir(parents=True, exist_ok=True)
        return [file for process in PROCESSORS.values() for file in process(found, output)]
    except OSError as error:
        raise InputError(f"can't write to {output}: {error.strerror}") from None
    except ImportError:
        raise InputError("pictures need matplotlib: pip install 'statecrawl[lab]'") from None


def _told(row: Row) -> dict[str, Any]:
    figures = {name: round(value, 6) for name, value in row.figures.items()}
    for name, metric in METRICS.items():
        if metric.is_count:
            figures[name] = int(figures[name])
    return {"equivalence": row.equivalence, "threshold": row.threshold, **figures}


def _show(found: Calibration) -> None:
    pages = sum(len(each.pages) for each in found.sets)
    names = ", ".join(each.name for each in found.sets)
    best = best_by_equivalence(found.rows)
    print_table(
        f"{pages:,} pages of {names}: the best thresholds by {found.by}",
        ["equivalence", "threshold", *COLUMNS],
        [[row.equivalence, f"{row.threshold:g}", *_cells(row.figures)] for row in best[:SHOWN]],
    )
    if found.held_out:
        print_table(
            "Chosen without the application, measured on it",
            ["application", "chosen", "threshold", *COLUMNS],
            [
                [name, chosen.equivalence, f"{chosen.threshold:g}", *_cells(figures)]
                for name, chosen, figures in found.held_out
            ],
        )


def _cells(figures: Any) -> list[str]:
    return [
        f"{figures[name]:,.0f}" if name.endswith("_states") else f"{figures[name]:.3f}"
        for name in COLUMNS
    ]
