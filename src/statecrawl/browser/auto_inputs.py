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


MAX_EVENTS = 50
"""Values are tried out on pages that so many events lead to, at most."""

MAX_FIELDS = 200
"""So many fields get values of their own; some pages make up a new name each time."""

_TYPED = re.compile(r' value="[^"]*"')


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
        kept: Sequence[str] | None = [] if len(self.known) >= MAX_FIELDS else None
        try:
            if self._trial is not None and kept is None and len(way.events) <= MAX_EVENTS:
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
    usual = await _shown(trial, way, proposal.field, proposal.usual)
    kept: list[str] = []
    shown: set[str] = set()
    misses = 0
    for value in proposal.values:
        seen = await _shown(trial, way, proposal.field, value)
        if seen is None:
            continue
        before, after = seen
        is_usual = usual is not None and _alike(after, value, usual[1], proposal.usual)
        is_new = after not in (before, *shown) and not is_usual
        shown.add(after)
        if is_new:
            kept.append(value)
        misses = 0 if is_new else misses + 1
        if misses == MAX_MISSES:
            break
    return kept if shown else None


async def _shown(trial: Trial, way: Way, field: str, value: str) -> tuple[str, str] | None:
    """Return the page before and after a value is put into a field, without what fields show."""
    seen = await trial(way, field, value)
    if seen is None:
        return None
    before, after = (_TYPED.sub("", dom).casefold() for dom in seen)
    return before, after


def _alike(dom: str, value: str, other: str, its_value: str) -> bool:
    """Tell whether two pages are one but for the values: perhaps they repeat what was typed."""
    value, its_value = value.casefold(), its_value.casefold()
    at = 0
    for number, part in enumerate(other.split(its_value) if its_value else [other]):
        if number:
            repeated = value if dom.startswith(value, at) else its_value
            if not dom.startswith(repeated, at):
                return False
            at += len(repeated)
        if not dom.startswith(part, at):
            return False
        at += len(part)
    return at == len(dom)
