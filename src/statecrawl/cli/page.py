"""`statecrawl view` and `report`: a crawl as a web page."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
import uvicorn
from starlette.types import ASGIApp

from statecrawl.browser.launch import LaunchOptions
from statecrawl.cli.app import AsJson, Port, app, print_json
from statecrawl.cli.look import Folder
from statecrawl.cli.options import BrowserPath, CdpUrl
from statecrawl.compose.page import open_desk, open_finder, page_replay, report_crawl
from statecrawl.errors import InputError
from statecrawl.terminal.lines import say
from statecrawl.terminal.progress import Progress
from statecrawl.web.desk import Desk
from statecrawl.web.finder import Finder
from statecrawl.web.guard import TOKEN, is_loopback
from statecrawl.web.replay import Replay
from statecrawl.web.server import page_app

LOOPBACK = "127.0.0.1"
Host = Annotated[
    str,
    typer.Option("--host", help="The address to listen on; others than the loopback need a token."),
]
BeforeFolder = Annotated[
    Path | None,
    typer.Option(
        "--before",
        metavar="DIR",
        help="An older crawl of the same application: what differs is shown, too.",
    ),
]


@app.command("view")
def view_command(
    folder: Folder,
    port: Port = 8100,
    host: Host = LOOPBACK,
    before: BeforeFolder = None,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
) -> None:
    """Show a crawl, running or finished, as a web page until interrupted.

    The page has the graph of states, each state and transition, findings and figures. It follows
    a crawl that runs, pauses and stops it, and brings a real browser into any state.
    """
    launch = LaunchOptions(browser, cdp)
    desk = open_desk(folder, before)
    page = Page(desk, open_finder(folder), page_replay(folder, launch))
    asyncio.run(_view(folder, page, host, port))


@app.command("report")
def report_command(
    folder: Folder,
    output: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to; a new folder, or an old report.")
    ],
    before: BeforeFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write the page of `view` as files that open from disk and need no server.

    The folder can be sent to a colleague or kept with a build. What needs a running program is
    left out: following a crawl, and bringing a browser into a state.
    """
    index = write_report(folder, output, before)
    if as_json:
        print_json({"crawl": str(folder), "report": str(index)})
    else:
        say(f"the report is in {index}")


def write_report(folder: Path, output: Path, before: Path | None = None) -> Path:
    """Write a report and show how far it is; return the file to open."""
    with Progress("report") as progress:

        def told(done: int, of: int) -> None:
            progress.tell(f"{done:,} of {of:,} states")

        return report_crawl(folder, output, told, before)


class Page(NamedTuple):
    """What the page is made of."""

    desk: Desk[Any]
    finder: Finder
    replay: Replay


async def _view(folder: Path, page: Page, host: str, port: int) -> None:
    try:
        with Progress(f"reading {folder}"):
            await page.desk.crawl(0)
            await page.desk.comparison()
        await serve_page(str(folder), host, port, lambda token: page_app(*page, token))
    finally:
        page.finder.close()
        await page.desk.close()


async def serve_page(what: str, host: str, port: int, app: Callable[[str], ASGIApp]) -> None:
    """Serve a page until interrupted, and say where; others than the loopback need a token."""
    token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    with listen(host, port) as listener:
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{listener.getsockname()[1]}/"
        say(f"{what} at {address}{f'?{TOKEN}={token}' if token else ''} (Ctrl-C ends it)")
        config = uvicorn.Config(
            app(token),
            access_log=False,
            lifespan="off",
            log_config=None,
            log_level="critical",
            timeout_graceful_shutdown=1,
            ws="websockets-sansio",
        )
        await uvicorn.Server(config).serve([listener])


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Return a socket that listens, or say in one line which option to change."""
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except (OSError, OverflowError, UnicodeError) as error:
        reason, _, _ = str(getattr(error, "strerror", None) or error).partition(" (while ")
        is_host = isinstance(error, socket.gaierror | UnicodeError) and option == "--port"
        raise InputError(
            f"can't listen on {host}, port {port}: {reason}; "
            f"give another {'--host' if is_host else option}"
        ) from None
