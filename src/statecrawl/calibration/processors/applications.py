"""The best threshold application by application, against the size of its pages and their number.

Section 11.4 of the thesis asks whether the best threshold depends on such things.
"""

import csv
from pathlib import Path
from statistics import median
from typing import Any

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.ranking import Row, best_by_equivalence, ranked
from statecrawl.core.dom import write

SHOWN = 6
"""So many equivalences are drawn, the best ones."""


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


def _best(calibration: Calibration) -> dict[str, tuple[int, int, list[Row]]]:
    """Return for each application its states, the median size of a page, the best thresholds."""
    found = {}
    for labelled in calibration.sets:
        sizes = [len(write(page.root)) for page in labelled.pages.values()]
        own = (r for r in calibration.results if r.application == labelled.name)
        rows = best_by_equivalence(ranked(own, calibration.by))
        found[labelled.name] = len(sizes), round(median(sizes)), rows
    return found


def _draw(calibration: Calibration, best: dict[str, Any], file: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    thresholds = {len({r.threshold for r in rows}) for _, _, rows in best.values()}
    shown = [
        row.equivalence
        for row in best_by_equivalence(calibration.rows)
        if any(result.threshold for result in calibration.results if result[0] == row.equivalence)
    ][: SHOWN if thresholds else 0]
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    for number, (title, column) in enumerate((("median DOM size, bytes", 1), ("states", 0)), 1):
        axes = figure.add_subplot(1, 2, number)
        for equivalence in shown:
            points = sorted(
                (each[column], row.threshold)
                for each in best.values()
                for row in each[2]
                if row.equivalence == equivalence
            )
            axes.plot(*zip(*points, strict=True), marker="o", label=equivalence)
        axes.set_xscale("log")
        axes.set_xlabel(title)
        axes.set_ylabel(f"best threshold by {calibration.by}")
        axes.grid(visible=True, alpha=0.2)
    if shown:
        axes.legend(fontsize=7)
    figure.savefig(file)
