"""Recognises a page that only grows: an event adds more of the same to it, again and again.

A button that adds a paragraph leads to a new state each time, for ever. Nothing can be found that
way: the page keeps all it had, offers the same events, and has one more part of a kind that it has
already. So after so many times in a row the event is left out there, and that is said.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from statecrawl.core.difference import difference
from statecrawl.core.dom import parse
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.masks import Masks
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.values import quoted

MAX_WALK = 200
"""So many steps back it is looked for earlier times: other events may lie between them."""

Content = Callable[[str], Snapshot | None]
_Kind = tuple[str, str]
"""What was added: where, and which element."""
_Kinds = frozenset[_Kind]


class Grown(NamedTuple):
    """A state that an event has led to by adding more of the same, so many times in a row."""

    state: str
    event: str
    label: str
    tags: tuple[str, ...]
    times: int

    @property
    def warning(self) -> str:
        """What to tell the user."""
        added = ", ".join(f"<{tag}>" for tag in self.tags)
        return (
            f"{quoted(self.label)} added another {added} {self.times} times in a row and nothing "
            "else: not fired again after that, give --max-additions for more"
        )


class _Step(NamedTuple):
    """How a state was found."""

    source: str
    event: str


class Growth:
    """How new states came about; told of every fact, in order."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._fresh: Found | None = None
        self._offers: dict[str, int] = {}
        self._steps: dict[str, _Step] = {}
        self._times: Counter[str] = Counter()
        self._added: dict[str, _Kinds] = {}
        self._kinds: dict[_Kinds, _Kinds] = {}
        self._due: list[str] = []

    def hear(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Take facts in as they pass by."""
        for fact in facts:
            if isinstance(fact, Found):
                self._fresh = fact
            elif isinstance(fact, Executed) and self._fresh is not None:
                self._found(self._fresh, _Step(fact.source, fact.event))
                self._fresh = None
            yield fact

    def _found(self, fresh: Found, step: _Step) -> None:
        """Take in a new state; one that was found by what leads to new ones often is looked at."""
        if self._most is None:
            return
        self._offers[fresh.state] = hash(frozenset(e.identity for e in fresh.snapshot.events))
        self._steps[fresh.state] = step
        self._times[step.event] += 1
        if self._times[step.event] >= self._most:
            self._due.append(fresh.state)

    def look(self, content: Content, masks: Masks) -> list[Grown]:
        """Return the states since the last look that are one addition too many."""
        due, self._due = self._due, []
        return [found for state in due if (found := self._grown(state, content, masks))]

    def _grown(self, state: str, content: Content, masks: Masks) -> Grown | None:
        event = self._steps[state].event
        way = list(islice(self._way(state, event), self._most))
        if len(way) != self._most:
            return None
        added = self._additions(state, content, masks)
        if not added or any(self._additions(each, content, masks) != added for each in way):
            return None
        in_all = self._come(self._steps[way[-1]].source, state, content, masks)
        if any(in_all[kind] < len(way) for kind in added):
            return None
        page = content(state)
        offered = () if page is None else page.events
        label = next((each.label for each in offered if each.identity == event), event)
        return Grown(state, event, label, tuple(sorted({tag for _, tag in added})), len(way))

    def _way(self, state: str, event: str) -> Iterator[str]:
        """Yield states that the event led to on the way to this one, the last one first."""
        for _ in range(MAX_WALK):
            step = self._steps.get(state)
            if step is None or self._offers.get(step.source) != self._offers[state]:
                return
            if step.event == event:
                yield state
            state = step.source

    @staticmethod
    def _come(before: str, after: str, content: Content, masks: Masks) -> Counter[_Kind]:
        """Return how much of what a later page has that an earlier one had not.

        A panel that one event opens and others close comes again and again, and is there once.
        """
        pages = [page for page in (content(before), content(after)) if page is not None]
        if len(pages) < 2:
            return Counter()
        found = difference(*(masks.apply(parse(page.dom)) for page in pages))
        return Counter((part.parent, part.element.tag) for part in found.come)

    def _additions(self, state: str, content: Content, masks: Masks) -> _Kinds:
        """Return what was added to the page before; nothing when anything else has changed."""
        if state not in self._added:
            before, after = content(self._steps[state].source), content(state)
            self._added[state] = frozenset()
            if before is not None and after is not None and before.url == after.url:
                found = difference(*(masks.apply(parse(page.dom)) for page in (before, after)))
                if not found.changed and not found.gone:
                    kinds = frozenset((part.parent, part.element.tag) for part in found.come)
                    self._added[state] = self._kinds.setdefault(kinds, kinds)
        return self._added[state]
