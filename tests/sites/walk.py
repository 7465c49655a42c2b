"""Walks through a served application with a browser, and compares it with its true model.

It knows of an application only that controls have their event as title and regions their name
as id, or none when they are widgets, which are counted. A state is recognised by its controls,
and by a body that no other state has.
"""

import shutil
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.async_api import Page, async_playwright

from statecrawl.core.application import Application
from statecrawl.sites.models import build_model
from statecrawl.sites.server import serve

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
WATCH = Path(__file__).with_name("watch.js")


@asynccontextmanager
async def tab() -> AsyncIterator[Page]:
    """A tab of a fresh browser, with what tells when a page has settled."""
    path = shutil.which("chromium")
    assert path, "Chromium is needed to check the served applications: install it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        page = await browser.new_page()
        await page.add_init_script(path=WATCH)
        yield page
        await browser.close()


async def walk_site(page: Page, spec: str, samples: int, seed: int = 0) -> int:
    """Check that many transitions of a site, drawn by lot; return how many were checked."""
    async with serve(spec) as url:
        return await Walk(page, url, build_model(spec)).check_some(samples, seed)


class Look(NamedTuple):
    """What a visitor sees."""

    body: str
    events: list[str]
    strays: list[str]
    regions: list[str]


class Walk:
    """What was seen of an application so far.

    Elements that `noise` selects are left out of the comparison, and ids if there is noise.
    """

    def __init__(
        self, page: Page, url: str, model: Application, *, noise: str = "", calls_per_click: int = 1
    ) -> None:
        self._page = page
        self._url = url
        self._model = model
        self._noise = noise
        self._calls_per_click = calls_per_click
        self._paths = _shortest_paths(model, model.initial)
        self._visited: set[str] = set()
        self._bodies: dict[str, str] = {}
        self._states: dict[str, str] = {}
        self._values: dict[tuple[str, str], str] = {}
        names = model.regions[model.initial] if model.regions else {}
        self._regions = {name: _selector(name) for name in names}

    async def check_some(self, samples: int, seed: int = 0) -> int:
        """Check transitions drawn by lot, each twice: by this click, and by the shortest way."""
        chosen = list(_transitions(self._model))
        if samples < len(chosen):
            chosen = Random(seed).sample(chosen, samples)
        for state, event in chosen:
            await self.go_to(state)
            target = await self._take(state, event)
            if target not in self._visited:
                await self.go_to(target)
        return len(chosen)

    async def check_all(self, wanted: Mapping[str, Iterable[str]] | None = None) -> int:
        """Check every transition, or those wanted, in one walk, with a reset where it must be."""
        given = self._model.states if wanted is None else wanted
        left = {state: list(events) for state, events in given.items() if events}
        state = await self._reset()
        count = 0
        while left:
            paths = _shortest_paths(self._model, state, left)
            nearest = next((found for found in paths if found in left), None)
            if nearest is None:
                state = await self._reset()
                continue
            for event in paths[nearest]:
                state = await self._take(state, event)
            event = left[state].pop()
            if not left[state]:
                del left[state]
            state = await self._take(state, event)
            count += 1
        return count

    async def check_impatience(self, state: str, first: str, second: str) -> None:
        """Check two clicks without a pause between them: the last one wins in the end."""
        await self.go_to(state)
        clicks = [first, second]
        clicked = await self._page.evaluate("events => watch.click(...events)", clicks)
        body = (await self._look()).body
        one = self._target(state, first)
        targets = [one]
        if clicked == clicks:
            after_both = self._model.states[one].get(second)
            targets = [self._target(state, second), *filter(None, [after_both])]
        assert body in [await self.go_to(target) for target in targets], f"{state}: {clicks}"

    async def go_to(self, state: str) -> str:
        """Load the page, walk to a state on the shortest way, and return its body."""
        await self._reset()
        for event in self._paths[state]:
            await self._click(event)
        self._visited.add(state)
        return await self._recognise(state, "on the shortest way")

    async def _reset(self) -> str:
        await self._page.goto(self._url)
        await self._page.evaluate("watch.settle()")
        return self._model.initial

    async def _take(self, state: str, event: str) -> str:
        """Click, check where that led, and return the state."""
        calls = await self._click(event)
        assert calls <= self._calls_per_click, f"{event} in {state} asks the server {calls} times"
        target = self._target(state, event)
        await self._recognise(target, f"from {state} by {event}")
        return target

    def _target(self, state: str, event: str) -> str:
        target = self._model.states[state][event]
        assert target is not None
        return target

    async def _click(self, event: str) -> int:
        """Click as a visitor does, and return how often the server was asked for data."""
        spot = await self._page.evaluate("event => watch.locate(event)", event)
        assert spot, f"{event} is not there to be clicked"
        if spot["leaves"]:
            async with self._page.expect_navigation():
                await self._page.mouse.click(spot["x"], spot["y"])
            await self._page.evaluate("watch.settle()")
            return 0
        await self._page.mouse.click(spot["x"], spot["y"])
        return int(await self._page.evaluate("watch.settle()") - spot["calls"])

    async def _look(self) -> Look:
        given = [[*self._regions.values()], self._noise]
        return Look(**await self._page.evaluate("given => watch.look(...given)", given))

    async def _recognise(self, state: str, way: str) -> str:
        look = await self._look()
        where = f"{state}, {way}"
        assert sorted(look.events) == sorted(self._model.states[state]), where
        assert not look.strays, where
        assert self._bodies.setdefault(state, look.body) == look.body, where
        assert self._states.setdefault(look.body, state) == state, where
        for name, html in zip(self._regions, look.regions, strict=True):
            value = self._model.regions[state][name]
            assert html, f"{where}: no region {name!r}"
            assert self._values.setdefault((name, html), value) == value, f"{where}: {name!r}"
        return look.body


def _selector(region: str) -> str:
    kind, _, number = region.partition(" ")
    return f"main > :nth-child({number})" if kind == "widget" else f"#{region.replace(' ', '-')}"


def _transitions(model: Application) -> Iterator[tuple[str, str]]:
    for state, events in model.states.items():
        for event in events:
            yield state, event


def _shortest_paths(
    model: Application, start: str, wanted: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the shortest way to each state, or only as far as the nearest one that is wanted."""
    paths: dict[str, tuple[str, ...]] = {start: ()}
    waiting = deque(paths)
    while waiting:
        state = waiting.popleft()
        if state in wanted:
            return {state: paths[state]}
        for event, target in model.states[state].items():
            if target is not None and target not in paths:
                paths[target] = (*paths[state], event)
                waiting.append(target)
    return paths
