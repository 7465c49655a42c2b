"""Grids: what to measure, by the names that users give."""

from collections.abc import Iterable, Iterator

from statecrawl.calibration.families import Cell, whole
from statecrawl.calibration.measures import BASELINES
from statecrawl.calibration.spaces import SPACES
from statecrawl.calibration.variations import variations
from statecrawl.equivalences import RESEMBLANCES
from statecrawl.errors import InputError

GRIDS = ("defaults", "features", *SPACES)


def cells(grid: str, equivalences: Iterable[str] = ()) -> list[Cell]:
    """Return what a grid of this name measures, and some equivalences more.

    `defaults` is every equivalence that there is as it comes, and the baselines; each grid has
    them, to compare with. `features` has also each of their settings changed, one at a time;
    `thesis`, `wide` and `settings` are spaces that can also be searched.
    """
    if grid not in GRIDS:
        raise InputError(f"--grid {grid[:40]!r}: give one of {', '.join(GRIDS)}")
    found = {cell.equivalence: cell for cell in _defaults()}
    for name in RESEMBLANCES if grid == "features" else ():
        found |= {spec: whole(spec) for spec in variations(name)}
    if grid in SPACES:
        found |= {cell.equivalence: cell for cell in SPACES[grid].cells}
    for spec in equivalences:
        found[spec] = whole(spec)
    return list(found.values())


def _defaults() -> Iterator[Cell]:
    for name in (*RESEMBLANCES, *BASELINES):
        yield whole(name)
