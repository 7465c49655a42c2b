"""What a user may say about a crawl, checked, and in the form in which it is stored."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, EVENT_KINDS, AgentSettings
from statecrawl.browser.launch import LaunchOptions
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.login import Login, parse_login
from statecrawl.core.scope import Scope
from statecrawl.equivalences import DEFAULT_EQUIVALENCE, EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.strategies import STRATEGIES

DEFAULT_STRATEGY = "probability"
CACHES = ("off", "safe", "all")
LINKS = ("once", "each")
MAX_RATE = 1_000_000.0


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
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    links: str = "once"
    respect_robots: bool = False
    sitemap: bool = False
    rate: float | None = None
    user_agent: str = ""
    login: str = ""

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
        if self.links not in LINKS:
            raise InputError(f"--links {self.links[:40]!r}: give one of {', '.join(LINKS)}")
        if self.rate is not None and not 0 < self.rate <= MAX_RATE:
            raise InputError(f"--rate {self.rate}: give requests a second, above 0")
        for kind in self.events:
            if kind not in EVENT_KINDS:
                raise InputError(
                    f"unknown kind of event {kind[:40]!r}: give some of {','.join(EVENT_KINDS)}"
                )
        self.how_to_sign_in()  # says what is wrong with it
        url = checked_url(self.url)
        self.scope(url)  # says what is wrong with its patterns
        return replace(self, url=url)

    def scope(self, *starts: str) -> Scope:
        """Return which URLs belong to the application that starts there."""
        return Scope.of(starts, self.include, self.exclude)

    def how_to_sign_in(self) -> Login:
        """Return the login; it has no steps when nobody needs to sign in."""
        return parse_login(self.login) if self.login else Login()

    def agent(self, clock: int) -> AgentSettings:
        """Return what the agent in the page has to know; the scope comes later."""
        return AgentSettings(
            clock=None if self.real_time else clock,
            seed=None if self.real_chance else 1,
            events=self.events,
            cache=self.cache,
            skip=", ".join(self.skip),
            ignore=", ".join(self.ignore),
            keep=", ".join(self.keep),
            door=self.how_to_sign_in().door,
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
