"""Options that more than one command has, and how their values are read."""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, EVENT_KINDS
from statecrawl.config import CACHES
from statecrawl.core.login import MAX_CHARACTERS, parse_login
from statecrawl.errors import InputError
from statecrawl.strategies import STRATEGIES

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
StoreAddress = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="DSN",
        help="Keep the crawl in a schema of postgresql://USER@HOST/NAME; --out says where it is.",
    ),
]
Lease = Annotated[
    float,
    typer.Option(
        "--lease-seconds", metavar="S", help="A crawler that is not heard for so long is given up."
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
EventKinds = Annotated[str, typer.Option(metavar="KIND,...", help=f"Of {', '.join(EVENT_KINDS)}.")]
USUAL_KINDS = ",".join(DEFAULT_EVENT_KINDS)
MaxStates = Annotated[
    int | None, typer.Option(metavar="N", help="Stop when so many states are known.")
]
MaxEvents = Annotated[int | None, typer.Option(metavar="N", help="Stop after so many events.")]
MaxSeconds = Annotated[float | None, typer.Option(metavar="S", help="Stop this run after so long.")]
MaxMemory = Annotated[
    float | None,
    typer.Option(
        metavar="MB", help="Stop when so many megabytes are in use, those of the browser aside."
    ),
]
Skip = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CSS",
        help="Controls never fired, also by what stands on them: text=WORDS; again for more.",
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar="CSS", help="Parts that don't count for identity; again for more."),
]
Cache = Annotated[str, typer.Option(metavar="MODE", help=f"Answers kept: {', '.join(CACHES)}.")]
Include = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN",
        help="URLs that belong too (* is anything); again for more. Without: the origin of URL.",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="URLs never opened (* is anything); again for more."),
]
RespectRobots = Annotated[
    bool, typer.Option("--respect-robots", help="Open nothing that robots.txt forbids.")
]
Sitemap = Annotated[
    bool, typer.Option("--sitemap", help="Start at every page of the site's sitemap, too.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the crawl in --out.")]


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


def words(names: str) -> tuple[str, ...]:
    """Return what stands between commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


def check_positive(numbers: Mapping[str, float | None]) -> None:
    """Refuse numbers that nothing could be found within; None is no limit."""
    for name, number in numbers.items():
        if number is not None and not 0 < number < inf:
            raise InputError(f"--{name.replace('_', '-')} {number}: give a number above 0")
