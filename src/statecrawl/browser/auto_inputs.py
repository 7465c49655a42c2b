"""Values for fields from the application's own text: tried out once, then fixed for the crawl.

The agent proposes them when it sees a field for the first time, and waits for our answer before
it names the page: so a state has the same events at each visit, in every tab.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from statecrawl.errors import StatecrawlError

TRIAL_SECONDS = 20.0
"""How long the values of one page's fields may be tried out."""

MAX_MISSES = 3
"""After so many values in a row that show nothing new, no more are tried."""


class Proposal(NamedTuple):
    """What the agent proposes for a field: values of its own choice, and the usual one."""

    field: str
    values: Sequence[str]
    usual: str


class Way(NamedTuple):
    """How a page was reached: what was loaded, and which events were fired since."""

    entry: str
    events: tuple[str, ...]


Trial = Callable[[Way, str, str], Awaitable[tuple[str, str] | None]]
"""Goes a way and puts a value into a field: the DOM before and after, or None if that fails."""


class AutoInputs:
    """The values chosen for each field; the first page that shows a field decides."""

    def __init__(self, known: Mapping[str, Sequence[str]], trial: Trial | None) -> None:
        self.known: dict[str, Sequence[str]] = dict(known)
        self._trial = trial
        self._choosing: dict[str, asyncio.Task[None]] = {}

    async def choose(
        self, way: Way, proposals: Sequence[Proposal]
    ) -> list[tuple[str, Sequence[str]]]:
        """Return the values of fields, tried out first where nobody did so before."""
        for proposal in proposals:
            if proposal.field not in self.known:
                task = self._choosing.get(proposal.field)
                if task is None:
                    task = asyncio.create_task(self._choose(way, proposal))
                    self._choosing[proposal.field] = task
                await asyncio.shield(task)
        return [(field, self.known[field]) for field, _, _ in proposals]

    async def _choose(self, way: Way, proposal: Proposal) -> None:
        values = [value for value in proposal.values if value != proposal.usual]
        kept: Sequence[str] | None = None
        try:
            if self._trial is not None:
                async with asyncio.timeout(TRIAL_SECONDS):
                    kept = await _revealing(self._trial, way, proposal._replace(values=values))
        except (StatecrawlError, TimeoutError):
            pass  # then nobody knows better
        finally:
            del self._choosing[proposal.field]
        self.known[proposal.field] = [*(values if kept is None else kept), proposal.usual]


async def _revealing(trial: Trial, way: Way, proposal: Proposal) -> list[str] | None:
    """Return the values that show a page which neither the usual one nor one before shows.

    None when not one could be tried.
    """
    kept: list[str] = []
    shown: set[str] = set()
    misses = 0
    for value in (proposal.usual, *proposal.values):
        if misses == MAX_MISSES:
            break
        seen = await trial(way, proposal.field, value)
        if seen is None:
            continue
        before, after = (_without(dom, value) for dom in seen)
        shown.add(before)
        if after not in shown and value != proposal.usual:
            kept.append(value)
            misses = 0
        elif value != proposal.usual:
            misses += 1
        shown.add(after)
    return kept if shown else None


def _without(dom: str, value: str) -> str:
    """Return a DOM without what is typed, also where the page repeats it."""
    typed = re.sub(r' value="[^"]*"', "", dom)
    return re.sub(re.escape(value), "", typed, flags=re.IGNORECASE)
