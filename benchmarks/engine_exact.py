"""Every built-in site in a real browser: is what was found the truth, and how fast was it found.

python -m benchmarks.engine_exact small       # every site, strategy, 1 and 4 tabs, twice
python -m benchmarks.engine_exact quarters    # every site, strategy: how soon states are found
python -m benchmarks.engine_exact full        # every site at its full size
python -m benchmarks.engine_exact replays     # 100 random states of every site
python -m benchmarks.engine_exact simulated   # small crawls, exported and simulated
python -m benchmarks.engine_exact walks       # the true models against an independent walk
python -m benchmarks.engine_exact kills       # 20 kills, each followed by a resume
python -m benchmarks.engine_exact memory      # 10,000 states of videos

`--site NAME` and `--strategy NAME`, as often as you like, keep to some of them.
"""

import asyncio
import random
import resource
import tempfile
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import NamedTuple

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.reading import opened_crawl
from statecrawl.compose.replay import replay_state
from statecrawl.config import DEFAULT_STRATEGY, RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Executed
from statecrawl.core.limits import Limits
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import MODELS, build_model
from statecrawl.sites.server import serve
from statecrawl.storage import SqliteStore
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal.lines import print_table
from tests.browser.helpers import crawl
from tests.browser.test_resume import crawl_arguments, kill_after
from tests.browser.truth import differences
from tests.sites.walk import tab, walk_site

SMALL = {
    "modern": "modern",
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


class Chosen(NamedTuple):
    """Which sites and strategies to look at."""

    sites: Collection[str]
    strategies: Collection[str]


class Tally:
    """Crawls made so far, and those that were not exact."""

    def __init__(self) -> None:
        self.crawls = 0
        self.wrong: list[str] = []

    def __str__(self) -> str:
        """Say how many were exact, and which were not."""
        return "\n".join([f"{self.crawls - len(self.wrong)} of {self.crawls} exact", *self.wrong])

    async def crawl(self, spec: str, strategy: str, tabs: int = 1) -> Crawled:
        """Crawl a site and say whether that was exact."""
        with folder() as out:
            async with serve(spec) as url:
                running = RunOptions(out=out, screenshots=False, browsers=tabs)
                found = await crawl(url, out, running, strategy=strategy)
            truth = build_model(spec)
            with SqliteStore.open(out, read_only=True) as store:
                problems = differences(store, truth.initial, truth.states)
        summary = found.summary()
        line = (
            f"{spec:45} {strategy:13} {tabs} tabs {summary['states']:6} states "
            f"{summary['transitions']:7} transitions {summary['events']:7} events "
            f"{summary['seconds']:7.1f} s {problems[:2] or 'exact'} {summary['failures'] or ''}"
        )
        print(line, flush=True)
        self.crawls += 1
        self.wrong += [line] if problems else []
        return found


async def small(chosen: Chosen) -> None:
    """Every site with every strategy, with 1 and 4 tabs, twice in a row."""
    tally = Tally()
    for name in (name for name in SMALL if name in chosen.sites):
        for strategy, tabs in product(chosen.strategies, (1, 1, 4, 4)):
            await tally.crawl(SMALL[name], strategy, tabs)
    print(tally)


QUARTERS = (25, 50, 75, 100)


async def quarters(chosen: Chosen) -> None:
    """The seconds at which a quarter, half, three quarters and all of the states were found."""
    tally, rows = Tally(), []
    for name, strategy in product((n for n in SMALL if n in chosen.sites), chosen.strategies):
        found = await tally.crawl(SMALL[name], strategy)
        seconds = [state.found_seconds for state in found.states.values()]
        at = [seconds[max(0, -(-len(seconds) * percent // 100) - 1)] for percent in QUARTERS]
        rows.append([name, strategy, *(f"{each:.1f}" for each in at)])
    print_table("Seconds", ["site", "strategy", *(f"{each} %" for each in QUARTERS)], rows)
    print(tally)


async def full(chosen: Chosen) -> None:
    """Every site at its full size with the default strategy, the smallest first."""
    tally = Tally()
    for name in sorted(chosen.sites, key=lambda name: build_model(name).transition_count):
        await tally.crawl(name, DEFAULT_STRATEGY)
    print(tally)


async def replays(chosen: Chosen) -> None:
    """Replay up to 100 random states of every site, each from a fresh browser.

    Drawn from the first 200 that are found at full size.
    """
    for name in chosen.sites:
        with folder() as out:
            async with serve(name) as url:
                limits = Limits(max_states=200)
                found = await crawl(url, out, RunOptions(out=out, screenshots=False, limits=limits))
                states = sorted(found.states)
                some = random.Random(1).sample(states, min(100, len(states)))  # noqa: S311
                reached = [
                    (await replay_state(out, state, LaunchOptions())).reached for state in some
                ]
        print(f"{name:13} {sum(reached)} of {len(some)} states reached", flush=True)


async def simulated(chosen: Chosen) -> None:
    """Simulate small crawls of every site, exported, with the strategy that they were made with."""
    for name, strategy in product((n for n in SMALL if n in chosen.sites), chosen.strategies):
        with folder() as out:
            async with serve(SMALL[name]) as url:
                running = RunOptions(out=out, screenshots=False)
                await crawl(url, out, running, strategy=strategy)
            with opened_crawl(out) as found:
                application = found.application()
                here = (found.counts.events, found.counts.resets)
                states = [
                    (state.found_events, state.found_resets) for state in found.states.values()
                ]
        if application is not None:
            again = await asyncio.to_thread(simulate, application, STRATEGIES[strategy])
            there = (again.events, again.resets)
            verdict = "the same" if (here, states) == (there, again.discoveries) else "DIFFERENT"
            print(f"{name:13} {strategy:13} {here} simulated {there}: {verdict}", flush=True)


async def walks(chosen: Chosen) -> None:
    """Check 200 sampled transitions of each true model with an independent walk.

    The modern shop is more than clicks; its walk is in its tests.
    """
    for name in (name for name in chosen.sites if name != "modern"):
        async with tab() as page:
            checked = await walk_site(page, name, samples=200, seed=1)
        print(f"{name:13} {checked} transitions as the true model says", flush=True)


async def kills(chosen: Chosen) -> None:
    """Kill a crawl at random instants, 20 times, and let it go on."""
    del chosen
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


async def memory(chosen: Chosen) -> None:
    """Crawl 10,000 states of videos and look at the most memory that we ever used."""
    del chosen
    with folder() as out:
        async with serve("videos:videos=3000") as url:
            running = RunOptions(
                out=out, screenshots=False, browsers=2, limits=Limits(max_states=10_000)
            )
            found = await crawl(url, out, running)
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    seconds = found.summary()["seconds"]
    print(f"{len(found.states)} states in {seconds:.0f} s; at most {most:.0f} MB, with the server")


MEASURES: dict[str, Callable[[Chosen], Awaitable[None]]] = {
    each.__name__: each
    for each in (small, quarters, full, replays, simulated, walks, kills, memory)
}


async def main() -> None:
    """Measure what was asked for, or all."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("measures", nargs="*", choices=[*MEASURES, []], metavar="measure")
    parser.add_argument("--site", action="append", choices=list(MODELS))
    parser.add_argument("--strategy", action="append", choices=list(STRATEGIES))
    given = parser.parse_args()
    chosen = Chosen(given.site or list(MODELS), given.strategy or list(STRATEGIES))
    for name in given.measures or MEASURES:
        print(f"{name}:", flush=True)
        await MEASURES[name](chosen)


if __name__ == "__main__":
    asyncio.run(main())
