"""The parameters of a model: which it takes, within what range, and how a text gives them."""

import math
from collections.abc import Callable
from inspect import signature
from typing import Annotated, Any, NamedTuple, get_type_hints

from statecrawl.core.application import Application
from statecrawl.errors import InputError

Model = Callable[..., Application]


class Range(NamedTuple):
    """The smallest and the largest value that a parameter may have."""

    least: int
    most: int


ResetCost = Annotated[float, Range(0, 1_000_000)]
"""What one reset costs, in events."""


class Parameter(NamedTuple):
    """One parameter of a model, as written in the signature of its function."""

    name: str
    default: float
    range: Range
    is_whole: bool

    def read(self, text: str) -> float:
        """Return the value that a text gives to this parameter, or say what is wrong with it."""
        value = self._number(text)
        if not self.range.least <= value <= self.range.most:
            raise InputError(
                f"{self.name}={text.strip()[:40]} is out of range: "
                f"give a number from {self.range.least} to {self.range.most}"
            )
        return value

    def _number(self, text: str) -> float:
        try:
            return int(text)
        except ValueError:
            pass
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if self.is_whole or not math.isfinite(value):
            kind = "a whole number" if self.is_whole else "a number"
            raise InputError(f"{self.name}={text[:40]!r} is not {kind}")
        return value


def parameters_of(model: Model) -> dict[str, Parameter]:
    """Return the parameters of a model by name, in the order of its signature."""
    hints: dict[str, Any] = get_type_hints(model, include_extras=True)
    found = {}
    for name, given in signature(model).parameters.items():
        kind, range_ = hints[name].__origin__, hints[name].__metadata__[0]
        found[name] = Parameter(name, given.default, range_, kind is int)
    return found
