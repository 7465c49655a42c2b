"""Puts a browser together for a crawl: bounds, who signs in, what resets the server."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from statecrawl.browser.archive import Archive
from statecrawl.browser.bounds import Bounds
from statecrawl.browser.chromium import OUR_NAME, BeforeLoad, Chromium
from statecrawl.browser.gate import Policy
from statecrawl.browser.launch import LaunchOptions
from statecrawl.browser.robots import Robots
from statecrawl.browser.sign_in import Credentials
from statecrawl.config import CrawlOptions
from statecrawl.errors import InputError
from statecrawl.storage.responses import Responses
from statecrawl.storage.warc import Recorded, read_warc

RESET_COMMAND_SECONDS = 60
NOWHERE = "offline.invalid"
"""The only host that a browser can reach that is answered from an archive."""


def bounds_of(options: CrawlOptions, starts: Sequence[str] = ()) -> Bounds:
    """Return where a crawl may go; one that begins may be led elsewhere by its first page."""
    robots = Robots(options.user_agent or OUR_NAME) if options.respect_robots else None
    bounds = Bounds(options.scope(options.url), robots)
    if starts:
        bounds.fix(options.scope(*starts))
    return bounds


def chromium_for(
    launch: LaunchOptions,
    options: CrawlOptions,
    clock: int,
    bounds: Bounds,
    learned: Mapping[str, Sequence[str]],
    archive: Recorded | None = None,
    responses: Responses | None = None,
) -> Chromium:
    """Return a browser that keeps to the options, and knows values that were learned.

    It is answered from an archive, if there is one, and has responses recorded.
    """
    credentials = _credentials(options)
    policy = Policy(
        bounds.refusal,
        options.rate,
        options.user_agent,
        None if credentials is None else credentials.basic(),
        None if responses is None else responses.add,
        None if archive is None else Archive(archive.exchanges),
    )
    settings = replace(options.agent(clock, learned), scope=bounds.scope)
    hosts = options.hosts(options.url) if archive is None else (NOWHERE,)
    if hosts and launch.cdp is not None:
        option = "--isolate" if archive is None else "--from-warc"
        raise InputError(f"{option} needs a browser of its own: leave --cdp out")
    launch = launch._replace(hosts=hosts)
    return Chromium(
        launch,
        settings,
        _reset_command(options.reset_command),
        policy,
        credentials,
        watches_documents=bool(options.checks),
    )


def archive_of(options: CrawlOptions) -> Recorded | None:
    """Return what is crawled in place of the network, if that is wanted."""
    return read_warc(Path(options.from_warc)) if options.from_warc else None


def start_of_archive(file: Path) -> str:
    """Return the URL that the crawl in an archive started at, or the first page there."""
    return read_warc(file).start


def _credentials(options: CrawlOptions) -> Credentials | None:
    """Return how to sign in, if that is needed; secrets come from the environment only."""
    if not options.login:
        return None
    login = options.how_to_sign_in()
    return Credentials(login, login.values(os.environ), options.url)


def _reset_command(command: str) -> BeforeLoad | None:
    """Return what puts the server's data back: the user's own command, in the user's shell."""
    if not command:
        return None

    async def run(cursor: int) -> None:
        process = await asyncio.create_subprocess_shell(
            command.replace("{cursor}", str(cursor)),
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(RESET_COMMAND_SECONDS):
                code = await process.wait()
        except TimeoutError:
            raise InputError(
                f"--reset-command did not end within {RESET_COMMAND_SECONDS} s: {command[:100]!r}"
            ) from None
        finally:
            if process.returncode is None:  # what it started ends with it
                os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if code:
            raise InputError(f"--reset-command failed with {code}: {command[:100]!r}")

    return run
