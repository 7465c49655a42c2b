"""Our command as users meet it, without the second that a process of its own takes to start."""

import io
import sys
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess, run
from unittest.mock import patch

from statecrawl.cli import main


def statecrawl(*arguments: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """Run the command with these words in a folder; what it prints is no terminal's."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    code: object = 0
    with ExitStack() as stack:
        if cwd is not None:
            stack.enter_context(chdir(cwd))
        stack.enter_context(redirect_stdout(output))
        stack.enter_context(redirect_stderr(errors))
        stack.enter_context(patch.object(sys, "argv", ["statecrawl", *arguments]))
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    assert isinstance(code, int)
    return CompletedProcess(arguments, int(code), _said(output), _said(errors))


def statecrawl_apart(*arguments: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """The same in a process of its own, for tests that have an event loop running."""
    command = [sys.executable, "-m", "statecrawl", *arguments]
    return run(command, capture_output=True, text=True, timeout=120, check=False, cwd=cwd)


def _said(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
