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
from statecrawl.core.model import BLANK, Model
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.values import quoted

MAX_WALK = 200
"""So many steps back it is looked for earlier times: other events may lie between them."""

Content = Callable[[str], Snapshot | None]
_Kind = tuple[str, str]
"""What was added: where, and which element."""
_Kinds = frozenset[_Kind]
_NOTHING: _Kinds = frozenset()


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


class Growth:
    """Told of every fact, in order; how states came about the model knows."""

    def __init__(self, most: int | None, model: Model) -> None:
        self._most = most
        self._model = model
        self._fresh = ""
        self._times: Counter[str] = Counter()
        self._added: dict[int, _Kinds] = {}
        self._due: list[str] = []

    def hear(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Take facts in as they pass by."""
        for fact in facts:
            if isinstance(fact, Found):
                self._fresh = fact.state
            elif isinstance(fact, Executed) and self._fresh:
                self._found(self._fresh, fact.event)
                self._fresh = ""
            yield fact

    def _found(self, state: str, event: str) -> None:
        """Take in a new state; one that was found by what leads to new ones often is looked at."""
        if self._most is None:
            return
        self._times[event] += 1
        if self._times[event] >= self._most:
            self._due.append(state)

    def look(self, content: Content, masks: Masks) -> list[Grown]:
        """Return the states since the last look that are one addition too many."""
        due, self._due = self._due, []
        numbers = [number for number in map(self._model.state, due) if number is not None]
        return [found for state in numbers if (found := self._grown(state, content, masks))]

    def _grown(self, state: int, content: Content, masks: Masks) -> Grown | None:
        model = self._model
        event = model.origin(state)[1]
        way = list(islice(self._way(state, event), self._most))
        if len(way) != self._most:
            return None
        added = self._additions(state, content, masks)
        if not added or any(self._additions(each, content, masks) != added for each in way):
            return None
        in_all = self._come(model.origin(way[-1])[0], state, content, masks)
        if any(in_all[kind] < len(way) for kind in added):
            return None
        identity, name = model.events[event].identity, model.states[state]
        page = content(name)
        offered = () if page is None else page.events
        label = next((each.label for each in offered if each.identity == identity), identity)
        return Grown(name, identity, label, tuple(sorted({tag for _, tag in added})), len(way))

    def _way(self, state: int, event: int) -> Iterator[int]:
        """Yield states that the event led to on the way to this one, the last one first."""
        enabled = self._model.enabled
        offers = set(enabled[state])
        for _ in range(MAX_WALK):
            source, by = self._model.origin(state)
            if source == BLANK or (
                enabled[source] is not enabled[state] and set(enabled[source]) != offers
            ):
                return
            if by == event:
                yield state
            state = source

    def _come(self, before: int, after: int, content: Content, masks: Masks) -> Counter[_Kind]:
        """Return how much of what a later page has that an earlier one had not.

        A panel that one event opens and others close comes again and again, and is there once.
        """
        states = self._model.states
        pages = [page for page in map(content, (states[before], states[after])) if page is not None]
        if len(pages) < 2:
            return Counter()
        found = difference(*(masks.apply(parse(page.dom)) for page in pages))
        return Counter((part.parent, part.element.tag) for part in found.come)

    def _additions(self, state: int, content: Content, masks: Masks) -> _Kinds:
        """Return what was added to the page before; nothing when anything else has changed."""
        if state not in self._added:
            if len(self._added) >= MAX_WALK:
                self._added.clear()
            names = self._model.states
            before, after = content(names[self._model.origin(state)[0]]), content(names[state])
            self._added[state] = _NOTHING
            if before is not None and after is not None and before.url == after.url:
                found = difference(*(masks.apply(parse(page.dom)) for page in (before, after)))
                if not found.changed and not found.gone:
                    kinds = ((part.parent, part.element.tag) for part in found.come)
                    self._added[state] = frozenset(kinds)
        return self._added[state]
