"""How fast the engine is, as ratios within one run, each beside the figure wanted.

python -m benchmarks.engine_speed               # all of it, half an hour
python -m benchmarks.engine_speed playwright    # against a plain Playwright loop
python -m benchmarks.engine_speed inpage        # against the same steps looped in the page
python -m benchmarks.engine_speed tabs          # 8 tabs against 1, 100 ms latency, no cache
python -m benchmarks.engine_speed share         # our own work's share while states are found
python -m benchmarks.engine_speed whole         # our share of the command as people run it
python -m benchmarks.engine_speed screenshots   # with pictures against without
"""

import asyncio
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import Any, NamedTuple

from playwright.async_api import Page as PlaywrightPage
from playwright.async_api import async_playwright

from benchmarks.serving import served
from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.launch import LaunchOptions, find_browser
from statecrawl.browser.pages import Pages
from statecrawl.browser.tab import Tab
from statecrawl.browser.workshop import BrowserWorkshop
from statecrawl.compose.crawl import crawl_application
from statecrawl.config import DEFAULT_STRATEGY, CrawlOptions, RunOptions
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.hooks import Hooks, Running
from statecrawl.core.limits import Limits
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.session import Crawl
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.core.volatility import Volatility
from statecrawl.runtimes.classifier import Classifier
from statecrawl.runtimes.divider import Divider
from statecrawl.runtimes.local import LocalCrawl
from statecrawl.runtimes.lookout import Lookout
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES
from tests.browser.helpers import crawl

SITE = "filetree"
SLOW_SITE = "filetree:folders=40"
STRATEGY = "greedy"
SHARED = {"files": 1_000, "bibliography": 1_000, "videos:videos=240": 1_000, "hypercube": 1_000}
"""Applications of a thousand states and more, and from how many on to look."""
MORE = 3_000
"""So many events are looked at from there on, if there are as many."""
PLAIN_SECONDS = 30
QUIET = """() => new Promise((resolve) => {
  let timer = setTimeout(resolve, 50);
  new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(resolve, 50); })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})"""
TITLES = "() => [...document.querySelectorAll('[title]')].map((each) => each.title)"


class Figure(NamedTuple):
    """What was seen, and what is wanted of it."""

    seen: str
    wanted: str
    how: str


async def crawled(url: str, **options: Any) -> Crawled:
    """Crawl with one tab unless told otherwise, into a folder that goes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "crawl"
        running = RunOptions(
            out=out,
            screenshots=options.pop("screenshots", False),
            browsers=options.pop("browsers", 1),
            max_seconds=options.pop("max_seconds", None),
        )
        return await crawl(url, out, running, **{"strategy": STRATEGY, **options})


class PlainBrowser:
    """What one would write first: click, wait for the answer and for quiet, read the page."""

    def __init__(self, page: PlaywrightPage) -> None:
        self._page = page

    async def execute(self, plan: Plan) -> Execution:
        """Execute a plan step by step."""
        seen = []
        if plan.entry is not None:
            await self._page.goto(plan.entry)
            seen.append(await self._read())
        for step in plan.steps:
            await self._page.locator(f'[title="{step.event}"]').click()
            await self._page.wait_for_load_state("networkidle")
            seen.append(await self._read())
            if step.expected is not None and _identity(seen[-1]) != step.expected:
                return Execution(tuple(seen), Halt.DIVERGED)
        return Execution(tuple(seen))

    async def _read(self) -> Snapshot:
        await self._page.evaluate(QUIET)
        titles = await self._page.evaluate(TITLES)
        return Snapshot(await self._page.content(), tuple(Event(title) for title in titles))


def _identity(snapshot: Snapshot) -> str:
    return blake2b(snapshot.dom.encode()).hexdigest()


async def playwright() -> Figure:
    """Explored transitions a second, ours and those of a plain loop with the same strategy."""
    async with serve(SITE) as url:
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
            )
            session = Crawl([url], STRATEGIES[STRATEGY], _identity, 10)
            plain = PlainBrowser(await browser.new_page())
            started = perf_counter()
            while perf_counter() - started < PLAIN_SECONDS and (plan := session.plan()):
                session.observe(await plain.execute(plan))
            slow = session.model.transition_count / (perf_counter() - started)
            await browser.close()
        found = await crawled(url, max_seconds=PLAIN_SECONDS)
        summary = found.summary()
        fast = summary["transitions"] / summary["seconds"]
    how = f"plain loop {slow:.1f} transitions/s, statecrawl {fast:.1f}"
    return Figure(f"{fast / slow:.1f} times", "at least 10 times", how)


async def inpage() -> Figure:
    """Events a second of a crawl against the same kind of steps in one loop in the page."""
    async with serve(SITE) as url:
        found = await crawled(url)
        walk: list[tuple[str, list[str] | None]] = []
        state, chances = next(iter(found.states)), random.Random(1)  # noqa: S311 - no secret
        for _ in range(1_500):
            event = chances.choice(found.states[state].events).identity
            walk.append((event, None))
            state = found.transitions[state, event].target
        async with Chromium(LaunchOptions(), AgentSettings()) as chromium:
            page, _ = await chromium.load(url)
            await page.run(walk[:500])
            started = perf_counter()
            message = await page.run(walk[500:])
            most = len(message["seen"]) / (perf_counter() - started)
    rate = found.summary()["events_per_second"]
    how = f"in the page {most:.0f} events/s, crawl {rate:.0f}"
    return Figure(f"{rate / most:.0%}", "at least 40%", how)


async def tabs() -> Figure:
    """How much eight tabs gain when the server is slow, over whole crawls."""
    async with serve(SLOW_SITE, latency_ms=100) as url:
        rates = {}
        for browsers in (8, 1):
            found = await crawled(url, cache="off", browsers=browsers)
            rates[browsers] = found.summary()["transitions"] / found.summary()["seconds"]
    how = f"8 tabs {rates[8]:.1f} transitions/s, 1 tab {rates[1]:.1f}"
    return Figure(f"{rates[8] / rates[1]:.1f} times", "at least 6 times", how)


class Clock:
    """Counts the seconds of functions: of ours by name, and of all that waits for the browser.

    By the clock, and those of ours by the processor, too.
    """

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.worked: dict[str, float] = defaultdict(float)
        self.browser = 0.0
        self._is_waiting = False

    @contextmanager
    def timing(self, owner: type, name: str) -> Iterator[None]:
        """Count what a function of ours takes."""
        method = getattr(owner, name)

        @wraps(method)
        def measured(*arguments: Any, **named: Any) -> Any:
            started, worked = perf_counter(), thread_time()
            try:
                return method(*arguments, **named)
            finally:
                self.spent[name] += perf_counter() - started
                self.worked[name] += thread_time() - worked

        with _replaced(owner, name, measured):
            yield

    @contextmanager
    def waiting(self, owner: type, name: str) -> Iterator[None]:
        """Count how long a function waits for the browser; one inside another is counted once."""
        method = getattr(owner, name)

        @wraps(method)
        async def measured(*arguments: Any, **named: Any) -> Any:
            if self._is_waiting:
                return await method(*arguments, **named)
            self._is_waiting, started = True, perf_counter()
            try:
                return await method(*arguments, **named)
            finally:
                self.browser += perf_counter() - started
                self._is_waiting = False

        with _replaced(owner, name, measured):
            yield


@contextmanager
def _replaced(owner: type, name: str, method: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, method)
    try:
        yield
    finally:
        setattr(owner, name, before)


Function = tuple[type, str]
INSIDE: Function = (Pages, "add")
"""What is ours while the browser is waited for: which state a page is."""
MEANWHILE: Function = (Classifier, "work")
"""What is done while the browser works: nobody waits for it, unless it takes longer."""
PICTURES: tuple[Function, ...] = ((Crawl, "plan_to"), (SqliteStore, "save_screenshot"))
"""What is done for pictures, beside the crawl and after it."""
OWN: tuple[Function, ...] = (
    (Crawl, "plan"),
    (Crawl, "observe"),
    (LocalCrawl, "_record"),
    (Volatility, "is_suspect"),
    (Volatility, "compare"),
    (Lookout, "look"),
    (Divider, "divided"),
    (Divider, "learn"),
    (Divider, "divide_all"),
    (LocalCrawl, "_begin_anew"),
)
"""Model and strategy, storage, what varies, what multiplies, regions."""
BROWSER: tuple[Function, ...] = ((Tab, "execute"), (Tab, "close"), (BrowserWorkshop, "twice"))
"""Whatever waits for the browser. All the rest of a crawl's time is ours."""
MAIN = ("plan", "observe", "_record", "add")


class Moment(NamedTuple):
    """How far a crawl was, and what had taken how long by then."""

    states: int
    events: int
    seconds: float
    ours: float
    """By the clock: all that is not waiting for the browser."""
    worked: dict[str, float]
    meanwhile: float

    def since(self, before: "Moment") -> "Moment":
        """Return what came after another moment; the states are all that there are."""
        worked = {name: each - before.worked[name] for name, each in self.worked.items()}
        return Moment(
            self.states,
            self.events - before.events,
            self.seconds - before.seconds,
            self.ours - before.ours,
            worked,
            self.meanwhile - before.meanwhile,
        )

    def told(self) -> str:
        """Say what it came to."""
        parts = ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.worked.items())
        return (
            f"{self.states:,} states, {self.events:,} events in {self.seconds:.1f} s; ours "
            f"{self.ours:.2f} s by the clock, {sum(self.worked.values()):.2f} s of the processor "
            f"({parts}), and {self.meanwhile:.2f} s while the browser worked"
        )


class Marking(Hooks):
    """Notes how far a crawl is when it has so many states, and stops it so many events later."""

    def __init__(self, clock: Clock, states: int) -> None:
        self._clock = clock
        self._states = states
        self.found: Moment | None = None
        self.last = Moment(0, 0, 0.0, 0.0, {}, 0.0)

    def begun(self, running: Running) -> None:
        """Remember whom to stop."""
        self._running = running

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        """Note it."""
        clock, worked = self._clock, dict(self._clock.worked)
        meanwhile = worked.pop(MEANWHILE[1], 0.0)
        told = {name.strip("_"): worked.pop(name, 0.0) for name in MAIN}
        told["others"] = sum(worked.values())
        ours = counts.seconds - clock.browser + clock.spent[INSIDE[1]]
        states = crawl.model.state_count
        self.last = Moment(states, crawl.events, counts.seconds, ours, told, meanwhile)
        if self.found is None:
            self.found = self.last if states >= self._states else None
        elif crawl.events >= self.found.events + MORE:
            self._running.stop()


async def share() -> Figure:
    """What part of the wall time our own work takes at 1,000 states, application by application.

    From there on, and until they were found: then there is most to learn and the least to do.
    """
    seen, how = [], []
    for site, states in SHARED.items():
        first, then = await _shared(site, states)
        seen.append(f"{site} {then.ours / then.seconds:.1%} ({first.ours / first.seconds:.1%})")
        how.append(f"{site}: {first.told()}; then {then.told()}")
        print(seen[-1], how[-1], file=sys.stderr, flush=True)
    return Figure(", ".join(seen), "at most 10%", "; ".join(how))


async def _shared(site: str, states: int) -> tuple[Moment, Moment]:
    """Crawl with one tab to so many states, and on from there."""
    clock = Clock()
    hooks = Marking(clock, states)
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        for owner, name in (*OWN, INSIDE, MEANWHILE):
            stack.enter_context(clock.timing(owner, name))
        for owner, name in BROWSER:
            stack.enter_context(clock.waiting(owner, name))
        url = stack.enter_context(served(site))
        run = RunOptions(out=Path(folder) / "crawl", screenshots=False)
        await crawl_application(CrawlOptions(url, strategy=DEFAULT_STRATEGY).checked(), run, hooks)
    if hooks.found is None:
        raise SystemExit(f"{site} has no {states:,} states")
    return hooks.found, hooks.last.since(hooks.found)


async def whole() -> Figure:
    """What part of the wall time our own work takes in crawls as people run them, of 1,000 states.

    With nothing but `--max-states` said, until there is a picture of every state. In brackets all
    that our process works, the protocol included.
    """
    seen, how = [], []
    for site, states in SHARED.items():
        clock = Clock()
        with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
            for owner, name in (*OWN, INSIDE, MEANWHILE, *PICTURES):
                stack.enter_context(clock.timing(owner, name))
            url = stack.enter_context(served(site))
            limits = Limits(max_states=states)
            run = RunOptions(out=Path(folder) / "crawl", limits=limits)
            started, worked = perf_counter(), process_time()
            await crawl_application(CrawlOptions(url).checked(), run, Hooks())
            seconds, everything = perf_counter() - started, process_time() - worked
        ours = sum(clock.worked.values())
        seen.append(f"{site} {ours / seconds:.1%} ({everything / seconds:.1%})")
        how.append(f"{site}: {ours:.1f} s of the processor ({everything:.1f}) in {seconds:.1f} s")
        print(how[-1], file=sys.stderr, flush=True)
    return Figure(", ".join(seen), "at most 10%", "; ".join(how))


async def screenshots() -> Figure:
    """What pictures cost."""
    async with serve(SITE) as url:
        seconds = {True: 0.0, False: 0.0}
        for _ in range(2):
            for is_on in (False, True):
                started = perf_counter()
                await crawled(url, screenshots=is_on)
                seconds[is_on] += perf_counter() - started
    how = f"without {seconds[False]:.1f} s, with {seconds[True]:.1f} s"
    return Figure(f"{seconds[True] / seconds[False]:.2f} times", "at most 1.25 times", how)


MEASURES = {each.__name__: each for each in (playwright, inpage, tabs, share, whole, screenshots)}

if __name__ == "__main__":
    print(f"{'measure':12} {'seen':>12} {'wanted':>20}  how", flush=True)
    for name in sys.argv[1:] or MEASURES:
        figure = asyncio.run(MEASURES[name]())
        print(f"{name:12} {figure.seen:>12} {figure.wanted:>20}  {figure.how}", flush=True)
