"""What a user may say about a crawl, checked, and in the form in which it is stored."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, EVENT_KINDS, AgentSettings
from statecrawl.browser.launch import LaunchOptions
from statecrawl.checks import CHECKS
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.problems import FindingKind
from statecrawl.core.sight import Invariant
from statecrawl.equivalences import DEFAULT_EQUIVALENCE, EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.strategies import STRATEGIES

DEFAULT_STRATEGY = "probability"
CACHES = ("off", "safe", "all")


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl an application; every field has the meaning of its option."""

    url: str
    strategy: str = DEFAULT_STRATEGY
    equivalence: str = DEFAULT_EQUIVALENCE
    events: tuple[str, ...] = DEFAULT_EVENT_KINDS
    cache: str = "safe"
    skip: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    reset_command: str = ""
    real_time: bool = False
    real_chance: bool = False
    invariants: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()

    def checked(self) -> "CrawlOptions":
        """Return the options if they mean something, the URL in its usual form."""
        if self.strategy not in STRATEGIES:
            raise InputError(
                f"unknown strategy {self.strategy[:40]!r}: give one of {', '.join(STRATEGIES)}"
            )
        if self.equivalence not in EQUIVALENCES:
            raise InputError(
                f"unknown equivalence {self.equivalence[:40]!r}: "
                f"give one of {', '.join(EQUIVALENCES)}"
            )
        if self.cache not in CACHES:
            raise InputError(f"--cache {self.cache[:40]!r}: give one of {', '.join(CACHES)}")
        for kind in self.events:
            if kind not in EVENT_KINDS:
                raise InputError(
                    f"unknown kind of event {kind[:40]!r}: give some of {','.join(EVENT_KINDS)}"
                )
        for name in self.checks:
            if name not in CHECKS:
                raise InputError(f"unknown check {name[:40]!r}: give some of {','.join(CHECKS)}")
        return replace(self, url=checked_url(self.url))

    def agent(self, clock: int) -> AgentSettings:
        """Return what the agent in the page has to know."""
        return AgentSettings(
            clock=None if self.real_time else clock,
            seed=None if self.real_chance else 1,
            events=self.events,
            cache=self.cache,
            skip=", ".join(self.skip),
            ignore=", ".join(self.ignore),
            keep=", ".join(self.keep),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the options as they are stored with the crawl."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "CrawlOptions":
        """Return the options of a stored crawl."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in stored.items()
        }
        return cls(**values)


@dataclass(frozen=True)
class RunOptions:
    """How to run a crawl this time; a resumed crawl may be run otherwise."""

    out: Path | None = None
    name: str = ""
    resume: bool = False
    browsers: int = 1
    screenshots: bool = True
    limits: Limits = NO_LIMITS
    max_seconds: float | None = None
    launch: LaunchOptions = field(default_factory=LaunchOptions)
    invariants: tuple[Invariant, ...] = ()
    fail_on: frozenset[FindingKind] = frozenset()


def checked_kinds(kinds: tuple[str, ...]) -> frozenset[FindingKind]:
    """Return the kinds of findings with these names; `any` names them all."""
    known = ("any", *FindingKind)
    for kind in kinds:
        if kind not in known:
            raise InputError(f"--fail-on {kind[:40]!r}: give some of {','.join(known)}")
    return frozenset(FindingKind if "any" in kinds else map(FindingKind, kinds))


def checked_url(url: str) -> str:
    """Return an http or https URL with a host, or say what is wrong with it."""
    try:
        parts = urlsplit(url.strip() if "://" in url else f"http://{url.strip()}")
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InputError(f"{url[:200]!r} is not a URL: {error}") from None
    if parts.scheme not in ("http", "https") or not host or " " in parts.netloc:
        raise InputError(f"{url[:200]!r} is not a URL of a web page: give http:// or https://")
    return parts._replace(path=parts.path or "/").geturl()
