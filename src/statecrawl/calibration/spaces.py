"""Spaces of equivalences: each is a choice of values, one for each gene, that searches can mix."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from statecrawl.calibration.families import FAMILIES, Cell, Family, whole

Point = tuple[int, ...]
"""A place in a space: the number of a value for each gene."""


class Gene(NamedTuple):
    """Something to choose; ordered values may be better the nearer they are to a good one."""

    name: str
    values: tuple[str, ...]
    is_ordered: bool = False


@dataclass(frozen=True)
class Space:
    """All that can be chosen, and the equivalence that a choice stands for.

    Choices that make no difference, such as where words come from when tags are counted, stand for
    the same equivalence.
    """

    genes: tuple[Gene, ...]
    express: Callable[[Sequence[str]], Cell]

    def cell(self, point: Point) -> Cell:
        """Return the equivalence at a point, with the thresholds to look at."""
        return self.express([gene.values[at] for gene, at in zip(self.genes, point, strict=True)])

    def points(self) -> Iterator[Point]:
        """Yield every point."""
        yield from product(*(range(len(gene.values)) for gene in self.genes))

    @cached_property
    def cells(self) -> list[Cell]:
        """Every equivalence once."""
        found = (self.cell(point) for point in self.points())
        return list({cell.equivalence: cell for cell in found}.values())

    def neighbours(self, point: Point) -> list[Point]:
        """Return the points that differ in one gene; where values are ordered, by one step."""
        found = []
        for number, gene in enumerate(self.genes):
            for at in range(len(gene.values)):
                step = abs(at - point[number])
                if step == 1 or (step and not gene.is_ordered):
                    found.append((*point[:number], at, *point[number + 1 :]))
        return found


TEXTS = ("words", "chars", "sentences")
"""Units that are cut from a text: where that comes from and what is stripped matters."""

SETTINGS = (
    Gene("equivalence", ("broder", "crawlhash")),
    Gene("unit", (*TEXTS, "tags", "paths", "places", "controls")),
    Gene("size", ("1", "2", "3", "5", "8"), is_ordered=True),
    Gene("weights", ("none", "idf", "template")),
    Gene("of", ("text", "body", "dom")),
    Gene("fold", ("no", "yes")),
    Gene("strip", ("scripts+styles+head", "scripts+styles+head+dates+numbers")),
)


def _settings(values: Sequence[str]) -> Cell:
    name, unit, *_ = values
    matter = len(values) if unit in TEXTS else 4
    said = (f"{gene.name}={value}" for gene, value in zip(SETTINGS, values[:matter], strict=False))
    return whole(f"{name}:{','.join(list(said)[1:])}")


def _families(families: Sequence[Family]) -> Space:
    most = max(family.sizes[-1] for family in families)
    genes = (
        Gene("family", tuple(family.title for family in families)),
        Gene("size", tuple(str(size) for size in range(1, most + 1)), is_ordered=True),
    )
    named = {family.title: family for family in families}

    def cell(values: Sequence[str]) -> Cell:
        family = named[values[0]]
        return family.cell(min(int(values[1]), family.sizes[-1]))

    return Space(genes, cell)


SPACES = {
    **{name: _families(families) for name, families in FAMILIES.items()},
    "settings": Space(SETTINGS, _settings),
}
"""The grids that can be searched; `settings` has every combination of the settings above."""
