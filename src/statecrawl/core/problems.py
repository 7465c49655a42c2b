"""What can be wrong with an application, and one such thing as it is reported."""

from enum import StrEnum
from typing import NamedTuple

MAX_PROBLEMS = 20
"""How many problems are told of one step or one state; the agent keeps to it, too."""

MAX_TEXT = 300


class FindingKind(StrEnum):
    """Every kind of finding there is."""

    EXCEPTION = "exception"  # nobody caught it
    REJECTION = "rejection"  # of a promise, and nobody handled it
    CONSOLE = "console"  # console.error
    REQUEST = "request"  # failed without an answer
    HTTP = "http"  # answered with 400 or above
    IMAGE = "image"  # can't be shown
    HANG = "hang"  # the page hangs, never comes to rest or crashes
    DEAD_END = "dead_end"  # no event leads out of the state
    INVARIANT = "invariant"  # of the user's own, and it does not hold
    HTML = "html"
    ACCESSIBILITY = "accessibility"
    SECURITY = "security"


OF_STATES = frozenset(
    {
        FindingKind.DEAD_END,
        FindingKind.INVARIANT,
        FindingKind.HTML,
        FindingKind.ACCESSIBILITY,
        FindingKind.SECURITY,
    }
)
"""The kinds that are about a state, however one came there; the others are about a step."""


class Problem(NamedTuple):
    """One thing that is wrong: what, and where in the page or its code."""

    kind: FindingKind
    text: str
    where: str = ""

    def shortened(self) -> "Problem":
        """Return the problem in as many characters as are kept."""
        return Problem(self.kind, self.text[:MAX_TEXT], self.where[:MAX_TEXT])
