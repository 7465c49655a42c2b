"""Every error we raise on purpose, and who is to blame for it.

    StatecrawlError
    ├── InputError         the user's: an option, a file, a name
    ├── ApplicationError   the application's: not there, or it refuses
    └── BrowserError       the browser's: none found, does not start, gone

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


class ApplicationError(StatecrawlError):
    """The application under crawl can't be reached, or refuses."""

    exit_code = ExitCode.APPLICATION


class BrowserError(StatecrawlError):
    """There is no browser, or it can't be used."""

    exit_code = ExitCode.BROWSER
