"""`statecrawl crawl`: a real application in a real browser."""

import asyncio
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, EVENT_KINDS
from statecrawl.browser.install import installed_browser
from statecrawl.browser.launch import LaunchOptions, find_browser
from statecrawl.checks import CHECKS
from statecrawl.cli.app import AsJson, CoverageOption, Explain, Prefer, app, print_json
from statecrawl.cli.precrawl import read_site
from statecrawl.compose import crawl_application, load_inputs, read_crawl, start_of_archive
from statecrawl.compose_fleet import TOPOLOGIES, ClusterOptions, crawl_on_cluster
from statecrawl.config import (
    CACHES,
    DEFAULT_STRATEGY,
    NO_CLASSES,
    CrawlOptions,
    RunOptions,
    checked_kinds,
)
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.core.attention import Attention, all_the_same, both
from statecrawl.core.attention import focus as focused
from statecrawl.core.attention import since as from_earlier
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.explanation import explained
from statecrawl.core.hooks import Hooks, Running
from statecrawl.core.limits import Limits
from statecrawl.core.login import MAX_CHARACTERS, parse_login
from statecrawl.core.masks import Masks
from statecrawl.core.parts import Coverage
from statecrawl.core.session import Crawl, StopReason
from statecrawl.core.site import parse_part
from statecrawl.equivalences import (
    DEFAULT_CLASSES,
    DEFAULT_EQUIVALENCE,
    EQUIVALENCES,
    RESEMBLANCES,
)
from statecrawl.errors import ExitCode, InputError
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal import CrawlProgress, print_crawl, say, tell_plan, warn

MAX_BROWSERS = 64
EXIT_CODES = {
    StopReason.INTERRUPTED: ExitCode.INTERRUPTED,
    StopReason.APPLICATION_LOST: ExitCode.APPLICATION,
}

Browsers = Annotated[int, typer.Option("--browsers", metavar="N", help="Tabs side by side.")]
Strategy = Annotated[
    str, typer.Option("--strategy", metavar="NAME", help=f"{', '.join(STRATEGIES)}.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="DIR", help="The folder that is the crawl (default: crawls/HOST)."
    ),
]
Screenshots = Annotated[
    bool, typer.Option("--screenshots/--no-screenshots", help="A picture of each state.")
]
BrowserPath = Annotated[
    str | None, typer.Option("--browser", metavar="PATH", help="The browser to start.")
]
CdpUrl = Annotated[
    str | None,
    typer.Option("--cdp", metavar="URL", help="A browser that runs elsewhere (DevTools address)."),
]
LoginFile = Annotated[
    Path | None,
    typer.Option(
        "--login", metavar="FILE", help="How to sign in; secrets come from environment variables."
    ),
]


def read_login(file: Path | None) -> str:
    """Return the text that says how to sign in; nothing when there is no file."""
    if file is None:
        return ""
    try:
        with file.open(encoding="utf-8") as stream:
            text = stream.read(MAX_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"can't read {str(file)[:200]!r}: {reason}") from None
    parse_login(text)
    return text


@app.command("crawl")
def crawl_command(
    url: Annotated[
        str, typer.Argument(metavar="URL", help="Where the application starts.", show_default=False)
    ] = "",
    out: Out = None,
    strategy: Strategy = DEFAULT_STRATEGY,
    coverage: CoverageOption = Coverage.FULL.value,
    prefer: Prefer = "",
    equivalence: Annotated[
        str,
        typer.Option(
            metavar="NAME[:key=value,...]",
            help="When two pages are one state: "
            f"{', '.join(EQUIVALENCES)}, or near-duplicates are: {', '.join(RESEMBLANCES)}.",
        ),
    ] = DEFAULT_EQUIVALENCE,
    classes: Annotated[
        str,
        typer.Option(
            metavar="NAME[:key=value,...]",
            help=f"Which states are near-duplicates, for those who look: "
            f"{', '.join(RESEMBLANCES)}, or {NO_CLASSES}.",
        ),
    ] = DEFAULT_CLASSES,
    events: Annotated[
        str, typer.Option(metavar="KIND,...", help=f"Of {', '.join(EVENT_KINDS)}.")
    ] = ",".join(DEFAULT_EVENT_KINDS),
    browsers: Browsers = 1,
    max_states: Annotated[
        int | None, typer.Option(metavar="N", help="Stop when so many states are known.")
    ] = None,
    max_events: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after so many events.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Stop this run after so long.")
    ] = None,
    max_depth: Annotated[
        int | None, typer.Option(metavar="N", help="Events from the start; deeper is left out.")
    ] = None,
    max_states_per_url: Annotated[
        int | None, typer.Option(metavar="N", help="More states of one URL are not explored.")
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CSS",
            help="Controls never fired, also by what stands on them: text=WORDS; again for more.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="CSS", help="Parts that don't count for identity; again for more."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="CSS", help="Parts that always count; again for more."),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Values for fields (TOML or JSON), or `auto`: from the application's own text; "
            "again for both.",
        ),
    ] = None,
    fire_all: Annotated[
        bool,
        typer.Option(
            "--fire-all", help="Also what looks destructive, ends the session or costs money."
        ),
    ] = False,
    cache: Annotated[
        str, typer.Option(metavar="MODE", help=f"Answers kept: {', '.join(CACHES)}.")
    ] = "safe",
    include: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="URLs that belong too (* is anything); again for more. "
            "Without: the origin of URL.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="URLs never opened (* is anything); again for more."),
    ] = None,
    links: Annotated[
        str,
        typer.Option(
            metavar="MODE",
            help="Links to other documents: once (one for each document, where that is enough), "
            "each, or none: they are left alone.",
        ),
    ] = "once",
    pages: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Crawl the pages that `precrawl` listed, each for itself; URL may be left out.",
        ),
    ] = None,
    part: Annotated[
        str, typer.Option(metavar="K/N", help="Of these pages only one part of so many.")
    ] = "",
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Start from an earlier crawl: events that changed nothing then come last.",
        ),
    ] = None,
    skip_unchanged: Annotated[
        bool, typer.Option("--skip-unchanged", help="With --since: they are not fired at all.")
    ] = False,
    focus: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A recorded session: controls that are used in it come first; again for more.",
        ),
    ] = None,
    focus_only: Annotated[
        bool, typer.Option("--focus-only", help="With --focus: others are not fired at all.")
    ] = False,
    isolate: Annotated[
        bool,
        typer.Option(
            "--isolate",
            help="Let nothing in the pages reach other hosts: no images, scripts or calls either.",
        ),
    ] = False,
    respect_robots: Annotated[
        bool, typer.Option("--respect-robots", help="Open nothing that robots.txt forbids.")
    ] = False,
    sitemap: Annotated[
        bool, typer.Option("--sitemap", help="Start at every page of the site's sitemap, too.")
    ] = False,
    rate: Annotated[
        float | None, typer.Option(metavar="N", help="At most so many requests a second.")
    ] = None,
    user_agent: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Who we say that we are (default: the browser, and statecrawl)."
        ),
    ] = "",
    login: LoginFile = None,
    reset_command: Annotated[
        str, typer.Option(metavar="CMD", help="Puts the server's data back, before each reset.")
    ] = "",
    real_time: Annotated[
        bool, typer.Option("--real-time", help="The clock of the machine, not a repeatable one.")
    ] = False,
    real_chance: Annotated[
        bool, typer.Option("--real-chance", help="Real random numbers, not repeatable ones.")
    ] = False,
    invariant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME: ]EXPR", help="JavaScript that is true in every state; again for more."
        ),
    ] = None,
    check: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help=f"Check each state: {', '.join(CHECKS)}."),
    ] = None,
    fail_on: Annotated[
        str, typer.Option(metavar="KIND,...", help="End with 6 if such a finding is made; or any.")
    ] = "",
    screenshots: Screenshots = True,
    record: Annotated[
        bool,
        typer.Option("--record", help="Keep every response, for `export --format warc`."),
    ] = False,
    from_warc: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Crawl what a web archive holds, without the network; URL may be left out.",
        ),
    ] = None,
    cluster: Annotated[
        bool, typer.Option("--cluster", help="Crawl on a Ray cluster, with --crawlers N.")
    ] = False,
    cluster_address: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="The cluster to use; without: one is started on this machine."
        ),
    ] = None,
    crawlers: Annotated[
        int, typer.Option(metavar="N", help="Crawlers on the cluster, a browser each.")
    ] = 2,
    topology: Annotated[
        str, typer.Option(metavar="NAME", help=f"On the cluster: {', '.join(TOPOLOGIES)}.")
    ] = "star",
    coordinators: Annotated[
        int | None, typer.Option(metavar="M", help="Coordinators of a ring (default: 3).")
    ] = None,
    scheme: Annotated[
        str, typer.Option(metavar="NAME", help=f"What a ring shares: {', '.join(Scheme)}.")
    ] = Scheme.FORWARD.value,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the crawl in --out.")
    ] = False,
    explain: Explain = False,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
    as_json: AsJson = False,
) -> None:
    """Crawl an application: find its states and the transitions between them.

    Everything goes into one folder, as it is found: stop it, kill it, and go on with
    `--resume`. Ctrl-C once stops cleanly.

    Examples:
    - `statecrawl crawl http://localhost:3000`
    - `statecrawl crawl http://localhost:3000 --browsers 4 --max-states 500 --out shop`
    - `statecrawl crawl http://localhost:3000 --inputs values.toml --skip 'text=Send invoice'`
    - `statecrawl crawl http://localhost:3000 --coverage content --prefer diverse`
    - `statecrawl crawl http://localhost:3000 --out shop --resume`
    - `statecrawl crawl --from-warc shop.warc.gz`

    """
    if part and pages is None:
        raise InputError("--part needs --pages: the file that `statecrawl precrawl` wrote")
    listed = {} if pages is None else _pages(pages, part)
    earlier = _earlier(since, skip_unchanged)
    if from_warc is not None:
        url = url or start_of_archive(from_warc)
    elif listed:
        url, links = next(iter(listed)), "none"
    elif earlier is not None:
        url = url or earlier.about["url"]
    elif not url:
        raise InputError("give the URL where the application starts, or --from-warc FILE")
    values, with_auto = load_inputs(inputs or ())
    options = CrawlOptions(
        url=url,
        strategy=strategy,
        coverage=coverage,
        prefer=prefer,
        equivalence=equivalence,
        classes=classes,
        events=words(events),
        cache=cache,
        skip=tuple(skip or ()),
        ignore=tuple(ignore or ()),
        keep=tuple(keep or ()),
        reset_command=reset_command,
        real_time=real_time,
        real_chance=real_chance,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        links=links,
        respect_robots=respect_robots,
        sitemap=sitemap,
        rate=rate,
        user_agent=user_agent,
        isolate=isolate,
        inputs=values,
        auto_inputs=with_auto,
        fire_all=fire_all,
        invariants=tuple(invariant or ()),
        checks=tuple(dict.fromkeys(words(",".join(check or ())))),
        login=read_login(login),
        from_warc="" if from_warc is None else str(from_warc.absolute()),
    ).checked()
    limits = {
        "max_states": max_states,
        "max_events": max_events,
        "max_depth": max_depth,
        "max_states_per_url": max_states_per_url,
    }
    _check_numbers({**limits, "max_seconds": max_seconds, "browsers": browsers})
    if reset_command and browsers > 1 and "{cursor}" not in reset_command:
        raise InputError("--reset-command needs {cursor} in it when there are several --browsers")
    run = RunOptions(
        out=out,
        resume=resume,
        browsers=browsers,
        screenshots=screenshots,
        record=record,
        limits=Limits(**limits),
        max_seconds=max_seconds,
        entries=tuple(listed) or (() if earlier is None else tuple(earlier.entries)),
        page_ranks=listed,
        masks=Masks() if earlier is None else earlier.masks,
        attention=both(
            all_the_same if earlier is None else from_earlier(earlier, skips=skip_unchanged),
            _focus(focus or (), focus_only),
        ),
        launch=LaunchOptions(browser, cdp),
        fail_on=checked_kinds(words(fail_on)),
    )
    if cluster:
        spread = ClusterOptions.of(
            topology, coordinators, crawlers=crawlers, address=cluster_address, scheme=scheme
        ).checked(run)
        raise typer.Exit(asyncio.run(_run_on_cluster(options, run, spread, as_json)))
    raise typer.Exit(asyncio.run(run_crawl(options, run, as_json, explain)).code)


def _check_numbers(numbers: Mapping[str, float | None]) -> None:
    """Refuse limits that nothing could be found within, and more tabs than there can be."""
    for name, number in numbers.items():
        if number is not None and number <= 0:
            raise InputError(f"--{name.replace('_', '-')} {number}: give a number above 0")
    browsers = numbers["browsers"]
    if browsers is not None and browsers > MAX_BROWSERS:
        raise InputError(f"--browsers {browsers}: give at most {MAX_BROWSERS}")


def _pages(file: Path, part: str) -> dict[str, float]:
    """Return the pages to crawl, with their PageRanks."""
    site = read_site(file)
    number, of = parse_part(part) if part else (1, 1)
    chosen = site.part(number, of)
    if not chosen:
        raise InputError(f"--part {part}: there are only {len(site.links):,} pages")
    return {page: site.ranks[page] for page in chosen}


def _earlier(folder: Path | None, skip_unchanged: bool) -> Crawled | None:
    """Return the crawl to start from."""
    if folder is None and skip_unchanged:
        raise InputError("--skip-unchanged needs --since: the folder of an earlier crawl")
    return None if folder is None else read_crawl(folder)


def _focus(files: Sequence[Path], is_all: bool) -> Attention:
    """Return what recorded sessions tell of controls."""
    if is_all and not files:
        raise InputError("--focus-only needs --focus: a file with a recorded session")
    if not files:
        return all_the_same
    return focused([parse_login(read_login(file)) for file in files], is_all=is_all)


class Ended(NamedTuple):
    """Where a crawl is, and what the command ends with."""

    folder: Path
    code: ExitCode


async def run_crawl(
    options: CrawlOptions, run: RunOptions, as_json: bool, explain: bool = False
) -> Ended:
    """Run a crawl and print what it found; Ctrl-C once stops it, twice ends it."""
    with CrawlProgress(options.url) as progress:
        watched = (_Explained if explain else _Watched)(progress, asyncio.current_task())
        with _interrupting(watched):
            folder = await crawl_application(options, run, watched)
    if watched.reason is StopReason.INTERRUPTED:
        say(f"to go on: statecrawl crawl {options.url} --out {folder} --resume")
    has_failed = tell_crawl(folder, run, as_json)
    code = EXIT_CODES.get(watched.reason, ExitCode.FOUND if has_failed else ExitCode.DONE)
    return Ended(folder, code)


async def _run_on_cluster(
    options: CrawlOptions, run: RunOptions, spread: ClusterOptions, as_json: bool
) -> ExitCode:
    """Run a crawl on a cluster and print what it found; Ctrl-C once stops it, twice ends it."""
    with CrawlProgress(options.url) as progress:
        watched = _Watched(progress, asyncio.current_task())

        def tell(crawlers: int, states: int, left: int) -> None:
            progress.tell(f"{crawlers:,} crawlers, {states:,} states, {left:,} events to go")

        with _interrupting(watched):
            folder, reason = await crawl_on_cluster(options, run, spread, watched.begun, tell)
    has_failed = tell_crawl(folder, run, as_json)
    return EXIT_CODES.get(reason, ExitCode.FOUND if has_failed else ExitCode.DONE)


@contextmanager
def _interrupting(watched: "_Watched") -> Iterator[None]:
    """Let Ctrl-C, and those who end us, stop a crawl."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, watched.interrupt)
    try:
        yield
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


class _Watched(Hooks):
    """Shows a crawl on the terminal, and stops it when the user wants to."""

    def __init__(self, progress: CrawlProgress, task: asyncio.Task[Any] | None) -> None:
        self._progress = progress
        self._task = task
        self._running: Running | None = None
        self.reason = StopReason.COMPLETE

    def interrupt(self) -> None:
        """Stop after the plans under way; the second time, at once."""
        running, self._running = self._running, None
        if running is not None:
            running.stop()
            say("stopping after the plan under way; Ctrl-C again ends at once")
        elif self._task is not None:
            self._task.cancel()

    def begun(self, running: Running) -> None:
        self._running = running

    def warned(self, warning: str) -> None:
        warn(warning)

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        self._progress.show(crawl, counts)

    def finished(self, reason: StopReason) -> None:
        self.reason = reason


class _Explained(_Watched):
    """Tells every plan, too, and why it was made."""

    def planned(self, crawl: Crawl, cursor: int) -> None:
        tell_plan(f"tab {cursor}, {explained(crawl, cursor)}")


def tell_crawl(folder: Path, run: RunOptions, as_json: bool) -> bool:
    """Print what a crawl found; tell whether it found what the user wants to fail on."""
    found = read_crawl(folder)
    summary: dict[str, Any] = {"crawl": str(folder), **found.summary()}
    if as_json:
        print_json(summary)
    else:
        print_crawl(found, folder)
    failing = {kind: times for kind, times in summary["findings"].items() if kind in run.fail_on}
    if failing:
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in failing.items())
        say(f"failed on findings: {kinds}; to see them: statecrawl show {folder} --findings")
    return bool(failing)


def words(names: str) -> tuple[str, ...]:
    """Return what stands between commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


@app.command("browser")
def browser_command(
    install: Annotated[
        bool, typer.Option("--install", help="Install Chromium if there is no browser.")
    ] = False,
) -> None:
    """Say which browser would be used, and where there is none, how to get one."""
    typer.echo(installed_browser() if install else find_browser())
