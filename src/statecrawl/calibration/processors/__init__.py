"""What is made of a calibration: one file each, by name."""

from collections.abc import Callable
from pathlib import Path

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.processors.applications import applications
from statecrawl.calibration.processors.held_out import held_out
from statecrawl.calibration.processors.surfaces import surfaces
from statecrawl.calibration.processors.table import table

Processor = Callable[[Calibration, Path], list[Path]]
"""Writes files into a folder, and returns them."""

PROCESSORS: dict[str, Processor] = {
    "table": table,
    "held_out": held_out,
    "applications": applications,
    "surfaces": surfaces,
}
