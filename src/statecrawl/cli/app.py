"""The command itself: what all commands share, and how it ends."""

import errno
import json
import sys
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from statecrawl import __version__
from statecrawl.cli.panels import Commands
from statecrawl.errors import ExitCode, StatecrawlError
from statecrawl.strategies import PREFERENCES
from statecrawl.terminal.lines import say
from statecrawl.terminal.output import drop_output, prepare_output, standard_output

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

TYPER_INTERRUPTED = 130
"""What typer returns, instead of raising, when a command is interrupted."""

CoverageOption = Annotated[
    str,
    typer.Option(
        "--coverage",
        metavar="WHAT",
        help="full: every state; content: everything that states show, not every combination.",
    ),
]
Prefer = Annotated[
    str,
    typer.Option(
        "--prefer", metavar="WHAT", help=f"{', '.join(PREFERENCES)}: unlike states come first."
    ),
]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any free one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Explain = Annotated[
    bool, typer.Option("--explain", help="Say what each plan is and why, on standard error.")
]


@app.callback(invoke_without_command=True)
def statecrawl(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Crawl states, not URLs: infer the state machine behind a web application.

    Try `statecrawl demo` to see it crawl a built-in application in a real browser, then
    `statecrawl crawl URL` for one of yours.
    """
    if version:
        typer.echo(f"statecrawl {__version__}")


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    with standard_output() as stream:
        for chunk in json.JSONEncoder(ensure_ascii=True).iterencode(document):
            stream.write(chunk.encode("ascii"))
        stream.write(b"\n")


def main() -> None:
    """Run the command line; every error is one line and an exit code."""
    prepare_output()
    try:
        code = app(standalone_mode=False)
        if code == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # whoever asked for help has read enough of it
        code = ExitCode.DONE
    except StatecrawlError as error:
        say(f"error: {error}")
        code = error.exit_code
    except TyperException as error:
        if error.format_message():  # there is none when the help was shown instead
            say(f"error: {error.format_message()} (statecrawl --help shows how)")
        code = ExitCode.INPUT
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        code = ExitCode.INTERRUPTED
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        drop_output()
        say(f"error: {error.strerror}: make room, or write elsewhere")
        code = ExitCode.INPUT
    sys.exit(code)
