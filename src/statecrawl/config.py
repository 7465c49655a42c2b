"""What a user may say about a crawl, checked, and in the form in which it is stored."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from statecrawl.browser.agent import DEFAULT_EVENT_KINDS, EVENT_KINDS, AgentSettings
from statecrawl.browser.launch import LaunchOptions
from statecrawl.checks import CHECKS
from statecrawl.core.attention import Attention, all_the_same
from statecrawl.core.inputs import Inputs
from statecrawl.core.limits import NO_LIMITS, Limits
from statecrawl.core.login import Login, parse_login
from statecrawl.core.masks import Masks
from statecrawl.core.parts import Coverage
from statecrawl.core.problems import FindingKind
from statecrawl.core.resemblance import NearEquivalence
from statecrawl.core.scope import Scope, host_of
from statecrawl.core.sight import Invariant
from statecrawl.equivalences import (
    DEFAULT_CLASSES,
    DEFAULT_EQUIVALENCE,
    EQUIVALENCES,
    near_equivalence,
)
from statecrawl.errors import InputError
from statecrawl.strategies import PREFERENCES, STRATEGIES

DEFAULT_STRATEGY = "adaptive"
CACHES = ("off", "safe", "all")
LINKS = ("once", "each", "none")
NO_CLASSES = "none"
MAX_RATE = 1_000_000.0
BY_TEXT = "text="
"""How `--skip` names controls by what stands on them."""


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl an application; every field has the meaning of its option."""

    url: str
    strategy: str = DEFAULT_STRATEGY
    coverage: str = Coverage.FULL
    prefer: str = ""
    equivalence: str = DEFAULT_EQUIVALENCE
    classes: str = DEFAULT_CLASSES
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
    isolate: bool = False
    inputs: Inputs = field(default_factory=Inputs)
    auto_inputs: bool = False
    fire_all: bool = False
    invariants: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    login: str = ""
    from_warc: str = ""

    def checked(self) -> "CrawlOptions":
        """Return the options if they mean something, the URL in its usual form."""
        checked_coverage(self.coverage, self.prefer)
        named: list[tuple[str, str, Collection[str]]] = [
            ("unknown strategy", self.strategy, STRATEGIES),
            ("--cache", self.cache, CACHES),
            ("--links", self.links, LINKS),
            *(("unknown kind of event", kind, EVENT_KINDS) for kind in self.events),
            *(("unknown check", check, CHECKS) for check in self.checks),
        ]
        _check_names(named)
        checked_equivalence(self.equivalence)
        if self.classes != NO_CLASSES:
            near_equivalence(self.classes)  # says what is wrong with it
        if self.rate is not None and not 0 < self.rate <= MAX_RATE:
            raise InputError(f"--rate {self.rate}: give requests a second, above 0")
        for option, given in {**self.selectors, "--skip": self.skip}.items():
            for each in given:
                if not each.removeprefix(BY_TEXT).strip():
                    raise InputError(f"{option} is empty: give a CSS selector")
        self._check_archive()
        self.how_to_sign_in()  # says what is wrong with it
        url = checked_url(self.url)
        self.scope(url)  # says what is wrong with its patterns
        self.hosts(url)
        return replace(self, url=url)

    def _check_archive(self) -> None:
        """Refuse what an archive can't be asked for."""
        needless = {
            "--login": self.login,
            "--reset-command": self.reset_command,
            "--respect-robots": self.respect_robots,
            "--sitemap": self.sitemap,
        }
        for option, given in needless.items():
            if self.from_warc and given:
                raise InputError(f"{option} needs the application itself: leave --from-warc out")

    def scope(self, *starts: str) -> Scope:
        """Return which URLs belong to the application that starts there."""
        return Scope.of(starts, self.include, self.exclude)

    def hosts(self, *starts: str) -> tuple[str, ...]:
        """Return the only hosts that may be reached; none: all of them."""
        if not self.isolate:
            return ()
        named = [each for each in self.include if not each.startswith("/")]
        return tuple(dict.fromkeys(host_of(each) for each in (*starts, *named)))

    def how_to_sign_in(self) -> Login:
        """Return the login; it has no steps when nobody needs to sign in."""
        return parse_login(self.login) if self.login else Login()

    @property
    def selectors(self) -> dict[str, list[str]]:
        """The CSS selectors, each under the option that it was given with."""
        skipped = [each for each in self.skip if not each.startswith(BY_TEXT)]
        return {"--skip": skipped, "--ignore": list(self.ignore), "--keep": list(self.keep)}

    def agent(self, clock: int, learned: Mapping[str, Sequence[str]]) -> AgentSettings:
        """Return what the agent in the page has to know; the values learned are those so far."""
        css = {option: ", ".join(given) for option, given in self.selectors.items()}
        return AgentSettings(
            clock=None if self.real_time else clock,
            seed=None if self.real_chance else 1,
            events=self.events,
            cache=self.cache,
            skip=css["--skip"],
            ignore=css["--ignore"],
            keep=css["--keep"],
            skip_text=tuple(
                each.removeprefix(BY_TEXT) for each in self.skip if each.startswith(BY_TEXT)
            ),
            fire_all=self.fire_all,
            inputs=self.inputs,
            auto=self.auto_inputs,
            learned=learned,
            door=self.how_to_sign_in().door,
            archived=bool(self.from_warc),
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
        return cls(**{**values, "inputs": Inputs.from_json(stored.get("inputs", {}))})


@dataclass(frozen=True)
class RunOptions:
    """How to run a crawl this time; a resumed crawl may be run otherwise."""

    out: Path | None = None
    name: str = ""
    resume: bool = False
    store: str | None = None
    """The address of a PostgreSQL database for a new crawl; without: a file in its folder."""
    browsers: int = 1
    screenshots: bool = True
    record: bool = False
    limits: Limits = NO_LIMITS
    max_seconds: float | None = None
    max_memory: float | None = None
    """In megabytes, of our own process."""
    entries: tuple[str, ...] = ()
    """Where to start, if not at the URL only."""
    page_ranks: Mapping[str, float] = field(default_factory=dict)
    since: str = ""
    """The folder of the earlier crawl that this one starts from."""
    masks: Masks = field(default_factory=Masks)
    """What an earlier crawl left out of identity."""
    attention: Attention = all_the_same
    launch: LaunchOptions = field(default_factory=LaunchOptions)
    invariants: tuple[Invariant, ...] = ()
    fail_on: frozenset[FindingKind] = frozenset()


def checked_coverage(coverage: str, prefer: str) -> Coverage:
    """Return what a crawl is after, if that and what it prefers mean something."""
    _check_names([("--coverage", coverage, tuple(Coverage))])
    if prefer:
        _check_names([("--prefer", prefer, PREFERENCES)])
    return Coverage(coverage)


def checked_equivalence(spec: str) -> NearEquivalence | None:
    """Return what decides about identity by resemblance; None: a key does."""
    name, colon, _ = spec.partition(":")
    if name in EQUIVALENCES and colon:
        raise InputError(f"--equivalence {spec[:80]!r}: {name} has no settings, give it alone")
    if spec in EQUIVALENCES:
        return None
    near = near_equivalence(spec, EQUIVALENCES)
    if near.resemblance.needs_weights:
        raise InputError(
            f"--equivalence {spec[:80]!r}: weights are learned from states that are known: "
            "give it with --classes, or leave weights out"
        )
    return near


def _check_names(named: Iterable[tuple[str, str, Collection[str]]]) -> None:
    for what, name, known in named:
        if name not in known:
            raise InputError(f"{what} {name[:40]!r}: give one of {', '.join(known)}")


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
