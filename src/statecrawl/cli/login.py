"""`statecrawl login`: records how to sign in, in a visible browser."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.recorder import record_login
from statecrawl.cli.app import app
from statecrawl.cli.crawl import BrowserPath
from statecrawl.config import checked_url
from statecrawl.core.login import Login, format_login
from statecrawl.errors import BrowserError, InputError
from statecrawl.terminal import say


@app.command("login")
def login_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the application starts.")],
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the steps.")] = Path(
        "login.txt"
    ),
    browser: BrowserPath = None,
) -> None:
    """Open a browser, watch you sign in, and write down the steps, without secrets.

    Sign in, then close the window or press Enter here. Passwords are not recorded: the file
    says which environment variables hold them.

    Example:
    - `statecrawl login http://localhost:3000 --output login.txt`

    """
    start = checked_url(url)
    if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & {*os.environ}:
        raise BrowserError(
            "there is no screen to show a browser on: write the file by hand (docs/login.md), "
            "or record it on a machine that has one"
        )
    if output.exists():
        raise InputError(f"{str(output)!r} is there already: give another --output")
    say("sign in, then close the window or press Enter here")
    login = asyncio.run(_record(start, LaunchOptions(browser, is_visible=True)))
    try:
        output.write_text(format_login(login), encoding="utf-8")
    except OSError as error:
        raise InputError(f"can't write {str(output)!r}: {error.strerror}") from None
    names = " and ".join(login.variables)
    say(f"written to {output}: set {names}, then statecrawl crawl {start} --login {output}")


async def _record(url: str, launch: LaunchOptions) -> Login:
    """Record until the window is closed, or Enter or Ctrl-C is pressed."""
    loop = asyncio.get_running_loop()
    enough = asyncio.Event()
    loop.add_signal_handler(signal.SIGINT, enough.set)
    if sys.stdin.isatty():
        loop.add_reader(sys.stdin, enough.set)
    try:
        return await record_login(url, launch, enough)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        if sys.stdin.isatty():
            loop.remove_reader(sys.stdin)
