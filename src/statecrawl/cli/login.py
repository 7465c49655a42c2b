"""`statecrawl login`: records how to sign in, in a visible browser."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.recorder import record_login
from statecrawl.cli.app import app
from statecrawl.cli.options import BrowserPath
from statecrawl.cli.person import need_screen, until_enough
from statecrawl.config import checked_url
from statecrawl.core.login import Login, format_login
from statecrawl.errors import InputError
from statecrawl.terminal.lines import say


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
    need_screen("write the file by hand (docs/login.md), or record it where there is one")
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
    with until_enough() as enough:
        return await record_login(url, launch, enough)
