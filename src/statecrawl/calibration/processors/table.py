"""Every result of every application, as a table that other programs read."""

import csv
from pathlib import Path

from statecrawl.calibration.calibration import Calibration


def table(calibration: Calibration, folder: Path) -> list[Path]:
    """Write one line for each equivalence, threshold and application."""
    file = folder / "results.csv"
    names = list(calibration.results[0].figures)
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["equivalence", "threshold", "application", *names])
        for equivalence, threshold, application, figures in calibration.results:
            values = [f"{figures[name]:g}" for name in names]
            writer.writerow([equivalence, f"{threshold:g}", application, *values])
    return [file]
