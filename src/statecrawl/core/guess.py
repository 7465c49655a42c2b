"""Why an event did not lead where it led before, as far as anybody can tell from outside."""

from enum import StrEnum
from typing import NamedTuple


class Cause(StrEnum):
    """What may make an application nondeterministic."""

    TIME = "time"
    RANDOMNESS = "randomness"
    SERVER_STATE = "server state"
    RACE = "race"
    UNKNOWN = "unknown"  # hidden state of the page, most likely


class Guess(NamedTuple):
    """A cause, and what speaks for it."""

    why: Cause = Cause.UNKNOWN
    evidence: str = ""


MOVED = (
    "the start page is no longer what it was: the application keeps data on the server; "
    "put it back with --reset-command"
)
MOVED_ANYWAY = (
    "the start page is no longer what it was: the application keeps data on the server "
    "that --reset-command does not put back"
)
