"""What limits leave out of a crawl: what is too deep, and what a URL has too many of."""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable

from statecrawl.core.agenda import Agenda, Pair
from statecrawl.core.column import Column
from statecrawl.core.limits import Limits
from statecrawl.core.model import BLANK, Model
from statecrawl.core.roll import Roll
from statecrawl.core.stopping import StopReason

_NUMBER = re.compile(r"\d+")

FRUITLESS_PER_STATE = 10
"""For each state that a URL may have, so many events of one list may show nothing new in a row."""


class Limiting:
    """Closes events that are beyond a limit; `reached` is the limit that did so last.

    `depths` are those of every state: how far from the start. A URL that a crawl begins with is a
    page of its own; others are one page if only numbers and queries tell them apart.
    """

    def __init__(
        self,
        model: Model,
        agenda: Agenda,
        limits: Limits,
        link: Callable[[Pair], str | None],
    ) -> None:
        self._model = model
        self._entries = frozenset(model.entries.values())
        self._agenda = agenda
        self._limits = limits
        self._link = link
        self.reached: StopReason | None = None
        self.depths = Column("i", model.shelf, [-1])
        self._pages = Roll([""], model.shelf)
        self._page_of = Column("i", model.shelf, [0])  # each state
        self._entry_depths: dict[int, int] = {}
        self._by_url: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
        self._fruitless: Counter[tuple[str, str]] = Counter()

    def page_of(self, url: str) -> str:
        """Return which page a URL is of: its path; numbers in it do not count."""
        if url in self._entries:
            return url
        return _NUMBER.sub("*", url.partition("#")[0].partition("?")[0])

    def states_of(self, page: str) -> list[int]:
        """Return the states of a page."""
        number = self._pages.number(page)
        return [state for state, other in enumerate(self._page_of) if other == number]

    def page(self, state: int) -> str:
        """Return which page a state is of."""
        return self._pages[self._page_of[state]]

    def admits(self, depth: int) -> bool:
        """Tell whether a URL that was found so deep may be gone to."""
        if self._limits.max_depth is not None and depth > self._limits.max_depth:
            self.reached = StopReason.MAX_DEPTH
            return False
        return True

    def enter(self, event: int, depth: int) -> None:
        """Take in how deep an entry was found."""
        self._entry_depths[event] = depth

    def add(self, state: int, url: str, way: Pair) -> None:
        """Take in a new state and what led there; leave its events out where a limit says so."""
        source, event = way
        is_load = source == BLANK
        depth = self._entry_depths.get(event, 0) if is_load else self.depths[source] + 1
        self.depths.append(depth)
        self._page_of.append(self._pages.add(self.page_of(url)))
        limits = self._limits
        if limits.max_depth is not None and depth >= limits.max_depth:
            self._leave_out(state, StopReason.MAX_DEPTH)
        most = limits.max_states_per_url
        if most is None:
            return
        self._by_url[url].append(state)
        if len(self._by_url[url]) > most:
            self._leave_out(state, StopReason.MAX_STATES_PER_URL)
            self._leave_out_alike(event, url)

    def explored(self, source: int, event: int, *, is_new: bool) -> None:
        """Leave out the rest of a list of which very many events in a row showed nothing new.

        Only where the states of a URL are limited: so is then what a page of thousands costs.
        Links lead to other URLs.
        """
        group, few = self._model.events[event].group, self._limits.max_states_per_url
        if group is None or few is None or source == BLANK or self._link((source, event)):
            return
        place = (self.page(source), group)
        self._fruitless[place] = 0 if is_new else self._fruitless[place] + 1
        if self._fruitless[place] >= few * FRUITLESS_PER_STATE:
            for state in self.states_of(place[0]):
                self._leave_out(state, StopReason.MAX_STATES_PER_URL, group)

    def _leave_out(self, state: int, reason: StopReason, group: str | None = None) -> None:
        """Close the events of a state that is beyond a limit: all, or those of a group."""
        if self._agenda.close_all(state, group):
            self.reached = reason

    def _leave_out_alike(self, event: int, url: str) -> None:
        """Close what stands where an event does that led to a state too many of a URL.

        The other items of a list with thousands would only lead to more of them.
        """
        group = self._model.events[event].group
        if group is not None:
            for state in self._by_url[url][: self._limits.max_states_per_url]:
                self._leave_out(state, StopReason.MAX_STATES_PER_URL, group)
