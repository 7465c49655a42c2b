"""What is chosen without each application, and what it comes to there."""

import csv
from pathlib import Path

from statecrawl.calibration.calibration import Calibration


def held_out(calibration: Calibration, folder: Path) -> list[Path]:
    """Write one line for each application, if there are several."""
    if not calibration.held_out:
        return []
    file = folder / "held_out.csv"
    names = list(calibration.results[0].figures)
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["application", "equivalence", "threshold", *names])
        for application, chosen, figures in calibration.held_out:
            values = [f"{figures[name]:g}" for name in names]
            writer.writerow([application, chosen.equivalence, f"{chosen.threshold:g}", *values])
    return [file]
