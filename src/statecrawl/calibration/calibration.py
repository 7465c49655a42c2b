"""A calibration: what was measured on which applications, ready to be told."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.measuring import Result
from statecrawl.calibration.ranking import HeldOut, Row, cross_validated, ranked


@dataclass(frozen=True)
class Calibration:
    """Everything that processors look at."""

    sets: Sequence[LabelledSet]
    results: Sequence[Result]
    grid: str
    by: str

    @cached_property
    def rows(self) -> list[Row]:
        """Every equivalence and threshold on all applications together, best first."""
        return ranked(self.results, self.by)

    @cached_property
    def held_out(self) -> list[HeldOut]:
        """What is chosen without each application, and what it comes to there."""
        return cross_validated(self.results, self.by)
