"""Which new pages, found on many machines, may be known ones in other words; who goes there."""

import re
from collections.abc import Callable, Iterable
from itertools import islice

from statecrawl.core.dom import parse, places
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.masks import Mask
from statecrawl.core.snapshot import Snapshot
from statecrawl.runtimes.varying import Varying

MAX_MASKS = 1_000
"""So many masks are learned from one page at a time; what is left shows at others."""

Pair = tuple[str, str]
Outcomes = Callable[[str, str], frozenset[str]]
"""Tells where an event of a state was seen to lead."""

NOWHERE: Pair = ("", "")
_PART = re.compile(r"[^\s\"'<>/=]{1,100}")


class Doubts:
    """The coordinator decides what is doubtful, and what varies: it alone knows all pages.

    Whoever found a doubtful page is asked to go to it twice more, and asked again until it has
    answered. Nodes never name masks, they show pages: nothing else than parts of these is left out.
    """

    def __init__(self, varying: Varying) -> None:
        self._varying = varying
        self._open: dict[str, dict[str, Pair]] = {}

    def hear(self, name: str, facts: Iterable[Fact], outcomes: Outcomes) -> list[Mask]:
        """Take in what a node has found that is news; return masks for what shows at once."""
        found: list[Mask] = []
        mine = self._open.setdefault(name, {})
        for fact in facts:
            if isinstance(fact, Found):
                page = fact.snapshot
                found += _possible(self._varying.ticking(page), page)
                if self._varying.is_suspect(page):
                    mine[fact.state] = NOWHERE
            elif isinstance(fact, Executed):
                if mine.get(fact.target) == NOWHERE:
                    mine[fact.target] = fact.source, fact.event
                others = outcomes(fact.source, fact.event) - {fact.target}
                if others:
                    found += self._varying.counted(min(others), fact.target)
        return found

    def of(self, name: str) -> tuple[str, ...]:
        """Return the states that a node is to go to twice."""
        return tuple(self._open.get(name, ()))

    def answer(
        self,
        name: str,
        state: str,
        visits: tuple[Snapshot, Snapshot] | None,
        outcomes: Outcomes,
    ) -> list[Mask]:
        """Take in what a node saw, None if it could not; return masks for what varies.

        What nobody asked for, or has been answered, teaches nothing. An event that leads to known
        states in turn has several outcomes; one that leads to a new page each time counts visits.
        """
        pair = self._open.get(name, {}).pop(state, None)
        if pair is None or visits is None:
            return []
        is_uncertain = len(outcomes(*pair)) > 1
        if is_uncertain and any(map(self._varying.is_known, visits)):
            return []
        found = self._varying.compared(*visits) + self._varying.counted(pair[0], state)
        return _possible(found, visits[0])

    def forget(self) -> None:
        """Ask nobody any more."""
        self._open.clear()


def _possible(found: list[Mask], page: Snapshot) -> list[Mask]:
    """Return those masks that are of parts of a page, as far as one can tell."""
    if not found:
        return []
    paths = {path for path, _ in places(parse(page.dom))}
    good = (mask for mask in found if mask.path in paths and _PART.fullmatch(mask.part))
    return list(islice(good, MAX_MASKS))
