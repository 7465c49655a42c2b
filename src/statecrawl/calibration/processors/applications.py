"""The best threshold application by application, against the size of its pages and their number.

Section 11.4 of the thesis asks whether the best threshold depends on such things.
"""

import csv
from pathlib import Path
from statistics import median

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.measures import measure_of
from statecrawl.calibration.ranking import Row, best_by_equivalence, ranked
from statecrawl.core.dom import write

SHOWN = 6
"""So many equivalences are drawn, the best ones."""

_Best = tuple[int, int, list[Row]]


def applications(calibration: Calibration, folder: Path) -> list[Path]:
    """Write a table of the best thresholds, and draw those of the best equivalences."""
    best = _best(calibration)
    file, picture = folder / "applications.csv", folder / "applications.png"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        by = calibration.by
        writer.writerow(["application", "states", "dom_bytes", "equivalence", "threshold", by])
        for name, (states, size, rows) in best.items():
            for row in rows:
                threshold, value = f"{row.threshold:g}", f"{row.figures[by]:g}"
                writer.writerow([name, states, size, row.equivalence, threshold, value])
    _draw(calibration, best, picture)
    return [file, picture]


def _best(calibration: Calibration) -> dict[str, _Best]:
    """Return for each application its states, the median size of a page, the best thresholds."""
    found = {}
    for labelled in calibration.sets:
        sizes = [len(write(page.root)) for page in labelled.pages.values()]
        own = (r for r in calibration.results if r.application == labelled.name)
        rows = best_by_equivalence(ranked(own, calibration.by))
        found[labelled.name] = len(sizes), round(median(sizes)), rows
    return found


def _draw(calibration: Calibration, best: dict[str, _Best], file: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    movable = {result.equivalence for result in calibration.results if result.threshold}
    shown = [
        row.equivalence
        for row in best_by_equivalence(calibration.rows)
        if row.equivalence in movable
    ][:SHOWN]
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    for number, (title, column) in enumerate((("median DOM size, bytes", 1), ("states", 0)), 1):
        axes = figure.add_subplot(1, 2, number)
        for equivalence in shown:
            farthest = measure_of(equivalence).farthest
            points = [
                (each[column], row.threshold / farthest)
                for each in best.values()
                for row in each[2]
                if row.equivalence == equivalence
            ]
            axes.plot(*zip(*sorted(points), strict=True), "o--", label=equivalence, alpha=0.7)
        axes.set_xlabel(title)
        axes.set_ylabel(f"best threshold by {calibration.by}, share of the farthest")
        axes.grid(visible=True, alpha=0.2)
    if shown:
        figure.legend(*axes.get_legend_handles_labels(), loc="outside right center", fontsize=7)
    figure.savefig(file)
