"""Every error we raise on purpose, and who is to blame for it.

    StatecrawlError
    └── InputError         the user's: an option, a file, a name

Each carries the exit code that the command line ends with. Its message is one line that
says what to do.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """What the command ends with; others build on these numbers."""

    DONE = 0
    FAULT = 1
    INPUT = 2
    APPLICATION = 3
    BROWSER = 4
    INTERRUPTED = 5
    FOUND = 6


class StatecrawlError(Exception):
    """Base of all errors below."""

    exit_code = ExitCode.FAULT


class InputError(StatecrawlError):
    """The user's input can't be used as it is."""

    exit_code = ExitCode.INPUT
