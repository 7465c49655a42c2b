"""Errors against the size of shingles and the threshold, as in figures 9 to 15 of the thesis."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from statecrawl.calibration.calibration import Calibration
from statecrawl.calibration.families import FAMILIES, Family

PLANE = "stripped"
"""What the thesis compares with: pages whose stripped DOMs are equal are one."""
ANGLES = (-60, 30)


def surfaces(calibration: Calibration, folder: Path) -> list[Path]:
    """Draw a surface for each family of the grid, from two sides, over the flat plane."""
    errors = {
        (row.equivalence, row.threshold): row.figures["total_errors"] for row in calibration.rows
    }
    plane = errors[PLANE, 0.0]
    files = []
    for family in FAMILIES.get(calibration.grid, ()):
        file = folder / f"{family.name}-{family.unit}.png"
        _draw(family, errors, plane, file)
        files.append(file)
    return files


def _draw(
    family: Family, errors: Mapping[tuple[str, float], float], plane: float, file: Path
) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    heights = np.array(
        [[errors[family.cell(size)[0], t] for size in family.sizes] for t in family.thresholds]
    )
    sizes, thresholds = np.meshgrid(family.sizes, family.thresholds)
    figure = Figure(figsize=(12, 5.5), layout="constrained")
    figure.suptitle(f"Errors of {family.title}; green: equality of stripped DOMs ({plane:g})")
    for number, angle in enumerate(ANGLES, 1):
        axes: Any = figure.add_subplot(1, 2, number, projection="3d")
        axes.plot_surface(sizes, thresholds, heights, cmap="viridis", alpha=0.9)
        axes.plot_surface(sizes, thresholds, np.full_like(heights, plane), color="g", alpha=0.3)
        axes.view_init(elev=22, azim=angle)
        axes.set_xlabel(f"size ({family.unit})")
        axes.set_ylabel("threshold")
        axes.set_zlabel("missed + duplicate states")
    figure.savefig(file)
