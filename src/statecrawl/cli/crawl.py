"""`statecrawl crawl`: a real application in a real browser."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.browser.install import installed_browser
from statecrawl.browser.launch import LaunchOptions, find_browser
from statecrawl.checks import CHECKS
from statecrawl.cli.app import AsJson, CoverageOption, Explain, Prefer, app
from statecrawl.cli.options import (
    USUAL_KINDS,
    BrowserPath,
    Browsers,
    Cache,
    CdpUrl,
    EventKinds,
    Exclude,
    Ignore,
    Include,
    Lease,
    LoginFile,
    MaxEvents,
    MaxMemory,
    MaxSeconds,
    MaxStates,
    Out,
    RespectRobots,
    Resume,
    Screenshots,
    Sitemap,
    Skip,
    StoreAddress,
    Strategy,
    check_positive,
    read_login,
    words,
)
from statecrawl.cli.panels import ManyOptions
from statecrawl.cli.precrawl import read_site
from statecrawl.cli.running import run_crawl, run_on_cluster
from statecrawl.compose.choices import load_inputs
from statecrawl.compose.engine import start_of_archive
from statecrawl.compose.fleet import (
    LEASE_SECONDS,
    TOPOLOGIES,
    ClusterOptions,
    refuse_on_many,
)
from statecrawl.compose.reading import read_crawl
from statecrawl.config import (
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
from statecrawl.core.crawled import Crawled
from statecrawl.core.limits import MAX_ADDITIONS, Limits
from statecrawl.core.login import parse_login
from statecrawl.core.masks import Masks
from statecrawl.core.parts import Coverage
from statecrawl.core.site import parse_part
from statecrawl.equivalences import (
    DEFAULT_CLASSES,
    DEFAULT_EQUIVALENCE,
    EQUIVALENCES,
    RESEMBLANCES,
)
from statecrawl.errors import InputError
from statecrawl.storage.opening import checked_store

MAX_BROWSERS = 64


@app.command("crawl", cls=ManyOptions)
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
    events: EventKinds = USUAL_KINDS,
    browsers: Browsers = 1,
    max_states: MaxStates = None,
    max_events: MaxEvents = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    max_depth: Annotated[
        int | None, typer.Option(metavar="N", help="Events from the start; deeper is left out.")
    ] = None,
    max_states_per_url: Annotated[
        int | None, typer.Option(metavar="N", help="More states of one URL are not explored.")
    ] = None,
    max_additions: Annotated[
        int,
        typer.Option(
            metavar="N", help="More of the same that an event may add to a page in a row; 0: any."
        ),
    ] = MAX_ADDITIONS,
    skip: Skip = None,
    ignore: Ignore = None,
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
    cache: Cache = "safe",
    include: Include = None,
    exclude: Exclude = None,
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
    respect_robots: RespectRobots = False,
    sitemap: Sitemap = False,
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
    lease_seconds: Lease = LEASE_SECONDS,
    store: StoreAddress = None,
    resume: Resume = False,
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
    if max_additions < 0:
        raise InputError(f"--max-additions {max_additions}: give a number from 0 up")
    others = {"max_seconds": max_seconds, "max_memory": max_memory, "browsers": browsers}
    check_positive({**limits, **others, "lease_seconds": lease_seconds})
    if browsers > MAX_BROWSERS:
        raise InputError(f"--browsers {browsers}: give at most {MAX_BROWSERS}")
    if reset_command and browsers > 1 and "{cursor}" not in reset_command:
        raise InputError("--reset-command needs {cursor} in it when there are several --browsers")
    run = RunOptions(
        out=out,
        resume=resume,
        store=checked_store(store),
        browsers=browsers,
        screenshots=screenshots,
        record=record,
        limits=Limits(**limits, max_additions=max_additions or None),
        max_seconds=max_seconds,
        max_memory=max_memory,
        entries=tuple(listed) or (() if earlier is None else tuple(earlier.entries)),
        page_ranks=listed,
        since="" if since is None else str(since.absolute()),
        masks=Masks() if earlier is None else earlier.masks,
        attention=both(
            all_the_same if earlier is None else from_earlier(earlier, skips=skip_unchanged),
            _focus(focus or (), focus_only),
        ),
        launch=LaunchOptions(browser, cdp),
        fail_on=checked_kinds(words(fail_on)),
    )
    if cluster:
        alone = {"--pages": pages, "--since": since, "--focus": focus, "--explain": explain}
        refuse_on_many({**alone, "--links none": links == "none"})
        spread = ClusterOptions.of(
            topology,
            coordinators,
            crawlers=crawlers,
            address=cluster_address,
            scheme=scheme,
            lease_seconds=lease_seconds,
        ).checked(run)
        raise typer.Exit(asyncio.run(run_on_cluster(options, run, spread, as_json)))
    raise typer.Exit(asyncio.run(run_crawl(options, run, as_json, explain)).code)


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


@app.command("browser")
def browser_command(
    install: Annotated[
        bool, typer.Option("--install", help="Install Chromium if there is no browser.")
    ] = False,
) -> None:
    """Say which browser would be used, and where there is none, how to get one."""
    typer.echo(installed_browser() if install else find_browser())
