"""Finds an installed browser, starts it, and makes sure that it ends with us."""

import asyncio
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from statecrawl.browser.leftovers import sweep, temporary_folder
from statecrawl.browser.protocol import Connection, PipeTransport, SocketTransport
from statecrawl.errors import BrowserError

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome-headless-shell",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/opt/google/chrome/chrome",
    "/snap/bin/chromium",
)
HOW_TO_INSTALL = (
    "no browser found: install Chromium or Chrome (on Debian or Ubuntu: apt install chromium), "
    "or give one with --browser PATH or --cdp URL"
)
START_SECONDS = 30.0
CLOSE_SECONDS = 5.0
NEVER = 2
_PREFERENCES = {"net": {"network_prediction_options": NEVER}}
"""Pages may ask that others are loaded in case somebody goes there; the gate hears not of all."""
_NOBODY = "http://127.0.0.1:9/"
"""A port to which browsers refuse to connect."""

_FLAGS = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-quic",
    "--disable-breakpad",
    "--disable-popup-blocking",
    "--disable-component-update",
    "--disable-background-networking",
    "--disable-client-side-phishing-detection",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--deny-permission-prompts",
    "--js-flags=--max-old-space-size=1024",
    "--disable-search-engine-choice-screen",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    # Tabs in the background must run like the one in front.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,"
    "DialMediaRouteProvider,PaintHolding,IsolateOrigins,site-per-process,HttpsUpgrades,"
    "Prerender2,SpeculationRulesPrefetchProxy,"
    # It would tell its maker what forms look like, and ask for the time.
    "AutofillServerCommunication,NetworkTimeServiceQuerying,"
    # The address bar has two pages of its own in each window: half of the time of a new one.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    # Whoever made it is asked for updates and accounts all the same, unless they are elsewhere.
    f"--component-updater=url-source={_NOBODY}",
    f"--apps-gallery-update-url={_NOBODY}",
    f"--gaia-url={_NOBODY}",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--window-size=1280,800",
)


class LaunchOptions(NamedTuple):
    """Which browser: one at a path, one that runs elsewhere, or whichever is installed."""

    path: str | None = None
    cdp: str | None = None
    is_visible: bool = False
    hosts: tuple[str, ...] = ()
    """The only hosts that can be reached, by whatever a page does; empty: all."""


def has_screen() -> bool:
    """Tell whether a window would be seen."""
    shown = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform != "linux" or any(os.environ.get(name) for name in shown)


def find_browser() -> str:
    """Return the path of an installed browser, or say how to get one."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    for place in PLACES:
        if Path(place).is_file():
            return place
    raise BrowserError(HOW_TO_INSTALL)


@contextlib.asynccontextmanager
async def browser(options: LaunchOptions) -> AsyncIterator["Launched"]:
    """Start a browser, or connect to one; when this ends, so does what it started."""
    if options.cdp is not None:
        connection = await _connect(options.cdp)
        try:
            yield Launched(connection, None)
        finally:
            await connection.close()
        return
    path = find_browser() if options.path is None else shutil.which(options.path)
    if path is None:
        raise BrowserError(
            f"{options.path!r} is not a browser that can be started: give another one"
        )
    sweep()
    with _profile() as profile:
        process, connection = await _start(path, profile, options)
        try:
            await _first_words(connection, process, path)
            yield Launched(connection, process.pid, not options.is_visible)
        finally:
            await _end(process, connection)


class Launched(NamedTuple):
    """A browser to talk to; no process when it runs elsewhere."""

    connection: Connection
    pid: int | None
    hides_windows: bool = False
    """Windows that nobody looks at are not drawn: that saves a fifth of the time and more."""

    def memory_bytes(self) -> int:
        """Return how much memory the browser's processes use together."""
        if self.pid is None:
            return 0
        total = 0
        with contextlib.suppress(psutil.Error):
            main = psutil.Process(self.pid)
            for process in (main, *main.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    total += process.memory_info().rss
        return total


async def _start(
    path: str, profile: Path, options: LaunchOptions
) -> tuple["subprocess.Popen[bytes]", Connection]:
    their_reads, our_writes = os.pipe()
    our_reads, their_writes = os.pipe()
    # Out of the way of 3 and 4, which the browser expects.
    ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (their_reads, their_writes)]
    for fd in (their_reads, their_writes):
        os.close(fd)

    def take_pipes() -> None:
        os.dup2(ends[0], 3)
        os.dup2(ends[1], 4)

    arguments = [path, *_FLAGS, f"--user-data-dir={profile}"]
    if not options.is_visible:
        arguments.append("--headless")
    if options.hosts:
        excepted = "".join(f", EXCLUDE {host}" for host in options.hosts)
        arguments.append(f"--host-resolver-rules=MAP * ~NOTFOUND{excepted}")
    if sys.platform == "linux" and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    try:
        process = subprocess.Popen(  # noqa: S603 - a path that the user gave or we found
            arguments,
            # A page that makes a sound has PulseAudio make a folder, which goes with the profile.
            env={**os.environ, "PULSE_RUNTIME_PATH": str(profile / "pulse")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,  # ours are not inheritable; 3 and 4 must be
            preexec_fn=take_pipes,  # noqa: PLW1509 - two system calls, no locks
            start_new_session=True,
        )
    except OSError as error:
        os.close(our_reads)
        os.close(our_writes)
        raise BrowserError(f"can't start {path!r}: {error.strerror}") from None
    finally:
        for fd in ends:
            os.close(fd)
    transport = PipeTransport(our_reads, our_writes)
    connection = Connection(transport)
    await transport.open()
    return process, connection


async def _first_words(
    connection: Connection, process: "subprocess.Popen[bytes]", path: str
) -> None:
    """Wait until the browser answers, or say that it does not."""
    try:
        async with asyncio.timeout(START_SECONDS):
            await connection.post("Browser.getVersion")
    except (TimeoutError, BrowserError):
        code = process.poll()
        how = "did not answer" if code is None else f"ended with {code}"
        raise BrowserError(
            f"{path!r} {how}: is it a Chromium or Chrome? Give another one with --browser PATH"
        ) from None


async def _end(process: "subprocess.Popen[bytes]", connection: Connection) -> None:
    """Ask the browser to end, then make it."""
    with contextlib.suppress(BrowserError):
        connection.post("Browser.close")
    await connection.close()
    for last_word in (None, signal.SIGTERM, signal.SIGKILL):
        if last_word is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, last_word)
        with contextlib.suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(process.wait, CLOSE_SECONDS)
            break
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def _profile() -> Iterator[Path]:
    """Make a folder for the browser's files."""
    with temporary_folder() as folder:
        (folder / "Default").mkdir()
        (folder / "Default" / "Preferences").write_text(json.dumps(_PREFERENCES), "utf-8")
        yield folder


async def _connect(address: str) -> Connection:
    """Connect to a browser that runs elsewhere: its WebSocket, or the HTTP address of its port."""
    parts = urlsplit(address)
    try:
        if parts.scheme in ("http", "https"):
            address = await asyncio.to_thread(_socket_address, address)
        elif parts.scheme not in ("ws", "wss"):
            raise BrowserError(f"--cdp {address!r}: give an http:// or ws:// address")
        socket = await connect(address, max_size=None, open_timeout=START_SECONDS)
    except (OSError, ValueError, KeyError, WebSocketException) as error:
        reason = getattr(error, "strerror", None) or error
        raise BrowserError(f"no browser answers at {address!r}: {reason}") from None
    return Connection(SocketTransport(socket))


def _socket_address(address: str) -> str:
    url = f"{address.rstrip('/')}/json/version"
    with urlopen(url, timeout=START_SECONDS) as answer:  # noqa: S310 - http, checked by the caller
        return str(json.load(answer)["webSocketDebuggerUrl"])
