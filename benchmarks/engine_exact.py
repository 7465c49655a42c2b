"""Every built-in site in a real browser: is what was found the truth, and how fast was it found.

python -m benchmarks.engine_exact small       # every site, strategy, 1 and 4 tabs, twice
python -m benchmarks.engine_exact full        # every site at its full size
python -m benchmarks.engine_exact quartiles   # seconds at which states were found
python -m benchmarks.engine_exact replays     # 100 random states of every site
python -m benchmarks.engine_exact walks       # the true models against an independent walk
python -m benchmarks.engine_exact kills       # 20 kills, each followed by a resume
python -m benchmarks.engine_exact memory      # 10,000 states of videos
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose import replay_state
from statecrawl.config import DEFAULT_STRATEGY, RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Executed
from statecrawl.core.limits import Limits
from statecrawl.sites.models import MODELS, build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES
from tests.browser.helpers import crawl
from tests.browser.test_resume import crawl_arguments, kill_after
from tests.browser.truth import differences
from tests.sites.walk import tab, walk_site

SMALL = {
    "hypercube": "hypercube:dimensions=6",
    "filetree": "filetree:folders=40",
    "periodic": "periodic:elements=20",
    "bibliography": "bibliography:publications=8,authors=4,years=2,topics=2,per_page=5",
    "files": "files:folders=6,per_folder=4",
    "clips": "clips:clips=12,tags=6,users=5",
    "bank": "bank",
    "company": "company",
    "videos": "videos:videos=6",
    "widgets": "widgets",
    "sections": "sections:links=100",
}
"""Sizes of up to 2,000 transitions."""


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a crawl, which goes."""
    with tempfile.TemporaryDirectory() as parent:
        yield Path(parent) / "crawl"


async def crawled(spec: str, out: Path, strategy: str, tabs: int = 1) -> Crawled:
    """Crawl a site and say whether that was exact."""
    async with serve(spec) as url:
        running = RunOptions(out=out, screenshots=False, browsers=tabs)
        found = await crawl(url, out, running, strategy=strategy)
    truth = build_model(spec)
    with SqliteStore.open(out, read_only=True) as store:
        problems = differences(store, truth.initial, truth.states)
    summary = found.summary()
    print(
        f"{spec:45} {strategy:13} {tabs} tabs {summary['states']:6} states "
        f"{summary['transitions']:7} transitions {summary['seconds']:7.1f} s "
        f"{summary['transitions'] / summary['seconds']:6.0f}/s "
        f"{problems[:2] or 'exact'} {summary['failures'] or ''}",
        flush=True,
    )
    return found


async def small() -> None:
    """Every site with every strategy, with 1 and 4 tabs, twice in a row."""
    for spec in SMALL.values():
        for strategy in STRATEGIES:
            for tabs in (1, 1, 4, 4):
                with folder() as out:
                    await crawled(spec, out, strategy, tabs)


async def full() -> None:
    """Every site at its full size with the default strategy."""
    for name in MODELS:
        with folder() as out:
            await crawled(name, out, DEFAULT_STRATEGY)


async def quartiles() -> None:
    """Seconds at which a quarter, half, three quarters and all of the states were found."""
    for name, spec in SMALL.items():
        for strategy in STRATEGIES:
            with folder() as out, SilentOutput():
                found = await crawled(spec, out, strategy)
            seconds = [state.found_seconds for state in found.states.values()]
            at = [seconds[max(0, -(-len(seconds) * percent // 100) - 1)] for percent in QUARTERS]
            shown = "  ".join(f"{each:6.1f}" for each in at)
            print(f"{name:13} {strategy:13} {shown}", flush=True)


QUARTERS = (25, 50, 75, 100)


class SilentOutput:
    """Keeps standard output quiet for a while."""

    def __enter__(self) -> None:
        self._output, sys.stdout = sys.stdout, sys.stderr

    def __exit__(self, *_: object) -> None:
        sys.stdout = self._output


async def replays() -> None:
    """Replay up to 100 random states of every site, each from a fresh browser."""
    for name, spec in SMALL.items():
        with folder() as out:
            async with serve(spec) as url:
                running = RunOptions(out=out, screenshots=False)
                found = await crawl(url, out, running)
                states = sorted(found.states)
                chosen = random.Random(1).sample(states, min(100, len(states)))  # noqa: S311
                reached = [
                    (await replay_state(out, state, LaunchOptions())).reached for state in chosen
                ]
            print(f"{name:13} {sum(reached)} of {len(chosen)} states reached", flush=True)


async def walks() -> None:
    """Check 200 sampled transitions of each true model with an independent walk.

    The modern shop is more than clicks; its walk is in its tests.
    """
    for name in (name for name in MODELS if name != "modern"):
        async with tab() as page:
            await walk_site(page, name, samples=200, seed=1)
        print(f"{name:13} 200 transitions as the true model says", flush=True)


async def kills() -> None:
    """Kill a crawl at random instants, 20 times, and let it go on."""
    spec, chances = "filetree:folders=40", random.Random(1)  # noqa: S311 - no secret
    truth = build_model(spec)
    with folder() as out:
        async with serve(spec) as url:
            goal, killed = 0, 0
            more: list[str] = []
            for _ in range(20):
                goal += chances.randint(1, 2 * truth.transition_count // 22)
                killed += await kill_after(goal, crawl_arguments(url, out, *more), out)
                more = ["--resume"]
            last = await asyncio.create_subprocess_exec(*crawl_arguments(url, out, "--resume"))
            await last.wait()
        with SqliteStore.open(out, read_only=True) as store:
            problems = differences(store, truth.initial, truth.states)
            pairs = [(f.source, f.event) for f in store.facts() if isinstance(f, Executed)]
    again = len(pairs) - len(set(pairs))
    print(f"{killed} kills; {problems or 'exact'}; {again} explored again")


async def memory() -> None:
    """Crawl 10,000 states of videos and look at our own memory."""
    states = 10_000
    with folder() as out:
        async with serve("videos:videos=3000") as url:
            limits = Limits(max_states=states)
            running = RunOptions(out=out, screenshots=False, browsers=2, limits=limits)
            found = await crawl(url, out, running)
    megabytes = psutil.Process().memory_info().rss / 1e6
    seconds = found.summary()["seconds"]
    print(f"{len(found.states)} states in {seconds:.0f} s; {megabytes:.0f} MB, server included")


if __name__ == "__main__":
    measures = [small, full, quartiles, replays, walks, kills, memory]
    chosen = sys.argv[1:] or [each.__name__ for each in measures]
    for measure in measures:
        if measure.__name__ in chosen:
            print(f"{measure.__name__}: ", flush=True)
            asyncio.run(measure())
