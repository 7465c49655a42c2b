"""`statecrawl coordinator` and `node`: one crawl on many machines, over HTTP."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from statecrawl.browser.launch import LaunchOptions
from statecrawl.cli.app import AsJson, app
from statecrawl.cli.options import (
    USUAL_KINDS,
    BrowserPath,
    Cache,
    CdpUrl,
    EventKinds,
    Exclude,
    Ignore,
    Include,
    Lease,
    MaxEvents,
    MaxSeconds,
    MaxStates,
    Out,
    Resume,
    Screenshots,
    Sitemap,
    Skip,
    StoreAddress,
    Strategy,
    check_positive,
    words,
)
from statecrawl.cli.page import listen
from statecrawl.cli.panels import ManyOptions
from statecrawl.cli.running import EXIT_CODES, tell_crawl
from statecrawl.compose.fleet import (
    LEASE_SECONDS,
    StarOptions,
    checked_for_many,
    finish,
    new_hub,
    open_store,
)
from statecrawl.compose.pictures import IN_A_HURRY, Pictures
from statecrawl.config import DEFAULT_STRATEGY, CrawlOptions, RunOptions, checked_url
from statecrawl.core.hooks import Running
from statecrawl.core.limits import Limits
from statecrawl.core.stopping import StopReason
from statecrawl.errors import ExitCode, InputError
from statecrawl.runtimes.hub import Hub
from statecrawl.storage.opening import checked_store
from statecrawl.terminal.lines import say
from statecrawl.terminal.progress import Progress
from statecrawl.web.guard import is_loopback

MAX_NODES = 1_000
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help="Holds the token that the coordinator and its nodes have in common.",
    ),
]


@app.command("coordinator", cls=ManyOptions)
def coordinator_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the application starts.")],
    nodes: Annotated[
        int, typer.Option("--nodes", metavar="N", help="Begin when so many nodes have joined.")
    ],
    address: Annotated[
        str, typer.Option("--listen", metavar="HOST:PORT", help="Where nodes reach us.")
    ] = "127.0.0.1:8200",
    strategy: Strategy = DEFAULT_STRATEGY,
    token_file: TokenFile = None,
    out: Out = None,
    events: EventKinds = USUAL_KINDS,
    ignore: Ignore = None,
    skip: Skip = None,
    cache: Cache = "safe",
    include: Include = None,
    exclude: Exclude = None,
    sitemap: Sitemap = False,
    max_states: MaxStates = None,
    max_events: MaxEvents = None,
    max_seconds: MaxSeconds = None,
    lease_seconds: Lease = LEASE_SECONDS,
    screenshots: Screenshots = True,
    store: StoreAddress = None,
    resume: Resume = False,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
    as_json: AsJson = False,
) -> None:
    """Coordinate a crawl on many machines: hand out events, keep what is found.

    Nodes need no address of their own: start `statecrawl node http://THIS_MACHINE:PORT` on each.
    Killed, it goes on with `--resume`, and its nodes with it. Others than this machine need
    `--token-file`.

    Examples:
    - `statecrawl coordinator http://localhost:3000 --nodes 2`
    - `statecrawl coordinator http://shop.test --nodes 8 --listen 0.0.0.0:8200 --token-file token`

    """
    from statecrawl.compose.http import read_token  # noqa: PLC0415 - it takes a second

    host, port = _address(address)
    token = read_token(token_file)
    if not token and not is_loopback(host):
        raise InputError(f"--listen {address[:80]} is open to other machines: give --token-file")
    if not 1 <= nodes <= MAX_NODES:
        raise InputError(f"--nodes {nodes}: give a number from 1 to {MAX_NODES:,}")
    limits = {"max_states": max_states, "max_events": max_events}
    numbers = {**limits, "max_seconds": max_seconds, "lease_seconds": lease_seconds}
    check_positive(numbers)
    options = CrawlOptions(
        url=url,
        strategy=strategy,
        events=words(events),
        ignore=tuple(ignore or ()),
        skip=tuple(skip or ()),
        cache=cache,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        sitemap=sitemap,
    ).checked()
    run = RunOptions(
        out=out,
        resume=resume,
        store=checked_store(store),
        screenshots=screenshots,
        limits=Limits(**limits),
        max_seconds=max_seconds,
        launch=LaunchOptions(browser, cdp),
    )
    star = StarOptions(nodes, lease_seconds)
    with listen(host, port, "--listen") as listener:
        code = asyncio.run(
            _coordinate(checked_for_many(options), run, star, listener, token, as_json)
        )
    raise typer.Exit(code)


@app.command("node")
def node_command(
    url: Annotated[str, typer.Argument(metavar="COORDINATOR_URL", help="Where it listens.")],
    token_file: TokenFile = None,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
) -> None:
    """Crawl for a coordinator, with a browser of this machine, until the crawl is over.

    The coordinator says what to crawl; only its machine has to be reached. A node that is
    killed may be started again at any time.
    """
    from statecrawl.compose.http import (  # noqa: PLC0415 - it takes a second
        crawl_as_node,
        read_token,
    )

    if "://" not in url:
        raise InputError(f"{url[:200]!r} is not the URL of a coordinator: give http://HOST:PORT")
    address = checked_url(url)
    token = read_token(token_file)
    launch = LaunchOptions(browser, cdp)
    with Progress(f"node of {address}"):
        asyncio.run(crawl_as_node(address, token, launch, say))
    say("the crawl is over")


def _address(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise InputError(f"--listen {address[:80]!r}: give HOST:PORT, for example 127.0.0.1:8200")
    return host.strip("[]"), int(port)


async def _coordinate(
    options: CrawlOptions,
    run: RunOptions,
    star: StarOptions,
    listener: socket.socket,
    token: str,
    as_json: bool,
) -> ExitCode:
    """Run a crawl with the nodes that come, and print what it found."""
    from statecrawl.compose.http import hub_app  # noqa: PLC0415 - it takes a second

    host, port = listener.getsockname()[:2]
    with Progress(f"first look at {options.url}") as progress:
        opened = await open_store(options, run, progress.tell)
    with opened as store:
        hub = new_hub(store, star, run, say)
        say(f"nodes may join now: statecrawl node http://{host}:{port} (crawl: {store.folder})")
        hosts = () if token else ("localhost", host)
        server = _Server(
            uvicorn.Config(
                hub_app(hub, store, token, hosts),
                access_log=False,
                lifespan="off",
                log_config=None,
                log_level="critical",
                timeout_graceful_shutdown=1,
            )
        )
        with Progress(f"crawl of {options.url}") as progress, _stopped_by_signals(hub):
            serving = asyncio.create_task(server.serve([listener]))
            telling = asyncio.create_task(_tell(hub, progress))
            try:
                reason = await hub.run(run.max_seconds)
            finally:
                telling.cancel()
                server.should_exit = True
                await asyncio.gather(serving, telling, return_exceptions=True)
        finish(store, hub.recorder, reason)
        if run.screenshots and reason not in IN_A_HURRY:
            with Progress("pictures") as progress:
                pictures = Pictures(store, run.launch, progress.tell)
                with _stopped_by_signals(pictures):
                    await pictures.take()
        folder = store.folder
    if reason is StopReason.INTERRUPTED:
        say(f"to go on: the same command with --out {folder} --resume")
    tell_crawl(folder, run, as_json)
    return EXIT_CODES.get(reason, ExitCode.DONE)


class _Server(uvicorn.Server):
    """Leaves signals to us."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Do nothing with them."""
        yield


@contextmanager
def _stopped_by_signals(running: Running) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, running.stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


async def _tell(hub: Hub, progress: Progress) -> None:
    while True:
        progress.tell(
            f"{hub.nodes:,} nodes, {hub.recorder.states:,} states, "
            f"{hub.coordinator.ownership.left:,} events known to be left"
        )
        await asyncio.sleep(1)
